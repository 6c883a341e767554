import assert from 'node:assert/strict';
import { hostActionTypes } from '../../../test/support/actionTypes.ts';
import { ASKED, askedDigest } from '../../ahp/common/askedCall.ts';
import type { StateAction } from '../../ahp/v1/actions.ts';
import type { RootState } from '../../ahp/v1/root.ts';
import type { ResponsePart, SessionState } from '../../ahp/v1/session.ts';
import type { TerminalState } from '../../ahp/v1/terminal.ts';
import type { ToolCallState } from '../../ahp/v1/toolCall.ts';
import { check } from './actionChecks.ts';

const session = 'test:/1';
const root: RootState = {
  agents: [{ provider: 'test', displayName: '', description: '', models: [{ id: 'm1', provider: 'test', name: '' }] }],
};
const client = { clientId: 'me', root, takesTurns: true };
const idle: SessionState = {
  summary: { resource: session, provider: 'test', title: '', status: 1, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [{ id: 'old', userMessage: { text: '' }, responseParts: [], state: 'complete' }],
};
const busy: SessionState = { ...idle, activeTurn: { id: 't', userMessage: { text: '' }, responseParts: [] } };

const call = (fields: object): SessionState => {
  const toolCall = { toolCallId: 'c', toolName: 'x', displayName: 'X', invocationMessage: '', ...fields } as ToolCallState;
  const part: ResponsePart = { kind: 'toolCall', toolCall };
  return { ...busy, activeTurn: { id: 't', userMessage: { text: '' }, responseParts: [part] } };
};
const pending = call({ status: 'pending-confirmation' });
const asking = (fields: object) => call({ status: 'pending-confirmation', ...fields });
const about = (fields: object) => ({ _meta: { [ASKED]: askedDigest({ invocationMessage: '', ...fields }) } });
const running = call({ status: 'running', confirmed: 'not-needed', toolClientId: 'me' });
const options = [
  { id: 'yes', label: '', kind: 'approve' },
  { id: 'no', label: '', kind: 'deny' },
  { id: 'other', label: '', kind: 'later version' },
];

const target = { session, turnId: 't', toolCallId: 'c' };
const action = (type: string, fields: object = {}) => ({ type: `session/${type}`, session, ...fields }) as unknown as StateAction;
const started = (fields: object = {}) => action('turnStarted', { turnId: 'new', userMessage: { text: 'hi' }, ...fields });
const approve = (fields: object = {}) => action('toolCallConfirmed', { ...target, approved: true, confirmed: 'user-action', ...fields });
const deny = (fields: object = {}) => action('toolCallConfirmed', { ...target, approved: false, reason: 'denied', ...fields });
const result = { success: true, pastTenseMessage: 'done' };
const complete = (fields: object = {}) => action('toolCallComplete', { ...target, result, ...fields });
const activate = (clientId: string) => action('activeClientChanged', { activeClient: { clientId, tools: [] } });
const set = (kind: string) => action('pendingMessageSet', { kind, id: 'p', userMessage: { text: 'hi' } });
const remove = (kind: string, id = 'p') => action('pendingMessageRemoved', { kind, id });
const question = { kind: 'text' as const, id: 'q', message: '', required: true, max: 3 };
const asked: SessionState = { ...busy, inputRequests: [{ id: 'r', questions: [question] }] };
const text = (value: string, state = 'submitted') => ({ state, value: { kind: 'text', value } });
const answer = (fields: object = {}) => action('inputAnswerChanged', { requestId: 'r', questionId: 'q', answer: text('abc'), ...fields });
const finish = (fields: object = {}) => action('inputCompleted', { requestId: 'r', response: 'accept', ...fields });
const configured: SessionState = {
  ...idle,
  config: {
    schema: { type: 'object', properties: { a: { type: 'string', title: '', sessionMutable: true }, b: { type: 'string', title: '' } } },
    values: { a: '1', b: '2' },
  },
};

type Case = [
  rule: string,
  state: SessionState,
  good: StateAction,
  badState: SessionState,
  bad: StateAction,
  reason: RegExp,
  by?: Partial<typeof client>,
];

/** Every rule: what is accepted, and the most similar case that is not. */
const cases: Case[] = [
  ['a turn needs an idle session', idle, started(), busy, started(), /in progress/],
  [
    'a turn needs a session that could be created',
    { ...idle, lifecycle: 'creating' },
    started(),
    { ...idle, lifecycle: 'creationFailed' },
    started(),
    /could not be created/,
  ],
  ['a turn has a new id', idle, started(), idle, started({ turnId: 'old' }), /turnId old was used/],
  [
    'a turn can only take a message that is waiting',
    { ...idle, queuedMessages: [{ id: 'p', userMessage: { text: '' } }] },
    started({ queuedMessageId: 'p' }),
    idle,
    started({ queuedMessageId: 'p' }),
    /no pending message p/,
  ],
  ['a subagent accepts no turns', idle, started(), idle, started(), /subagent/, { takesTurns: false }],
  [
    'cancelling names the active turn',
    busy,
    action('turnCancelled', { turnId: 't' }),
    busy,
    action('turnCancelled', { turnId: 'old' }),
    /not in progress/,
  ],
  [
    'cancelling needs a turn',
    busy,
    action('turnCancelled', { turnId: 't' }),
    idle,
    action('turnCancelled', { turnId: 't' }),
    /not in progress/,
  ],
  ['truncating names a turn', idle, action('truncated', { turnId: 'old' }), idle, action('truncated', { turnId: 'none' }), /no turn none/],
  ['truncating a subagent is not for clients', idle, action('truncated'), idle, action('truncated'), /subagent/, { takesTurns: false }],

  ['only a waiting call is confirmed', pending, approve(), running, approve(), /is not waiting/],
  ['only a waiting call is denied', pending, deny(), running, deny(), /is not waiting/],
  ['a confirmation names the active turn', pending, approve(), pending, approve({ turnId: 'old' }), /old is not in progress/],
  ['a confirmation names a call', pending, approve(), pending, approve({ toolCallId: 'z' }), /no tool call z/],
  [
    'input is edited where that is allowed',
    call({ status: 'pending-confirmation', editable: true }),
    approve({ editedToolInput: 'x' }),
    pending,
    approve({ editedToolInput: 'x' }),
    /editedToolInput/,
  ],
  [
    'an approval counts for what it names only',
    asking({ toolInput: 'ls' }),
    approve(about({ toolInput: 'ls' })),
    asking({ toolInput: 'rm' }),
    approve(about({ toolInput: 'ls' })),
    /asks something else now/,
  ],
  [
    'an approval counts for the options that were offered',
    asking({ options }),
    approve({ selectedOptionId: 'yes', ...about({ options }) }),
    asking({ options: options.map((option) => ({ ...option, label: 'always' })) }),
    approve({ selectedOptionId: 'yes', ...about({ options }) }),
    /asks something else now/,
  ],
  [
    'the option is one of those offered',
    call({ status: 'pending-confirmation', options }),
    approve({ selectedOptionId: 'yes' }),
    call({ status: 'pending-confirmation', options }),
    approve({ selectedOptionId: 'z' }),
    /selectedOptionId z/,
  ],
  [
    'there is an option only if some were offered',
    call({ status: 'pending-confirmation', options }),
    deny({ selectedOptionId: 'no' }),
    pending,
    deny({ selectedOptionId: 'no' }),
    /selectedOptionId no/,
  ],
  [
    'approving goes with an option to approve',
    call({ status: 'pending-confirmation', options }),
    approve({ selectedOptionId: 'other' }),
    call({ status: 'pending-confirmation', options }),
    approve({ selectedOptionId: 'no' }),
    /to deny/,
  ],
  [
    'denying goes with an option to deny',
    call({ status: 'pending-confirmation', options }),
    deny({ selectedOptionId: 'other' }),
    call({ status: 'pending-confirmation', options }),
    deny({ selectedOptionId: 'yes' }),
    /to approve/,
  ],
  ['the own call is completed', running, complete(), running, complete(), /only the client/, { clientId: 'other' }],
  [
    'no client completes a call of the host',
    running,
    complete(),
    call({ status: 'running', confirmed: 'setting' }),
    complete(),
    /only the client/,
  ],
  [
    'a call that waits may be completed, a streaming one not',
    call({ status: 'pending-confirmation', toolClientId: 'me' }),
    complete(),
    call({ status: 'streaming', toolClientId: 'me' }),
    complete(),
    /not running/,
  ],
  [
    'content is changed of the own call',
    running,
    action('toolCallContentChanged', { ...target, content: [] }),
    running,
    action('toolCallContentChanged', { ...target, content: [] }),
    /only the client/,
    { clientId: 'other' },
  ],
  [
    'content is changed of a running call',
    running,
    action('toolCallContentChanged', { ...target, content: [] }),
    call({ status: 'completed', toolClientId: 'me' }),
    action('toolCallContentChanged', { ...target, content: [] }),
    /not running/,
  ],
  [
    'a result is confirmed when it waits',
    call({ status: 'pending-result-confirmation' }),
    action('toolCallResultConfirmed', { ...target, approved: true }),
    running,
    action('toolCallResultConfirmed', { ...target, approved: true }),
    /is not waiting/,
  ],

  [
    'a model is one of its agent',
    idle,
    action('modelChanged', { model: { id: 'm1' } }),
    idle,
    action('modelChanged', { model: { id: 'm2' } }),
    /no model m2/,
  ],
  [
    'an agent without a list accepts any model',
    { ...idle, summary: { ...idle.summary, provider: 'unlisted' } },
    action('modelChanged', { model: { id: 'm2' } }),
    idle,
    action('modelChanged', { model: { id: 'm2' } }),
    /no model m2/,
  ],
  ['a client lends itself only', idle, activate('me'), idle, activate('other'), /own one/],
  [
    'one client is active',
    { ...idle, activeClient: { clientId: 'me', tools: [] } },
    activate('me'),
    { ...idle, activeClient: { clientId: 'other', tools: [] } },
    activate('me'),
    /another client is active/,
  ],
  [
    'the active client changes its tools',
    { ...idle, activeClient: { clientId: 'me', tools: [] } },
    action('activeClientToolsChanged', { tools: [] }),
    { ...idle, activeClient: { clientId: 'other', tools: [] } },
    action('activeClientToolsChanged', { tools: [] }),
    /only the active client/,
  ],
  [
    'without an active client there are no tools',
    { ...idle, activeClient: { clientId: 'me', tools: [] } },
    action('activeClientToolsChanged', { tools: [] }),
    idle,
    action('activeClientToolsChanged', { tools: [] }),
    /only the active client/,
  ],

  [
    'messages wait for a session that works',
    idle,
    set('queued'),
    { ...idle, lifecycle: 'creationFailed' },
    set('queued'),
    /could not be created/,
  ],
  ['messages do not wait for a subagent', busy, set('queued'), busy, set('queued'), /subagent/, { takesTurns: false }],
  ['an idle subagent is not steered', idle, set('steering'), idle, set('steering'), /no turn/, { takesTurns: false }],
  [
    'a queued message is removed by its id',
    { ...idle, queuedMessages: [{ id: 'p', userMessage: { text: '' } }] },
    remove('queued'),
    { ...idle, queuedMessages: [{ id: 'p', userMessage: { text: '' } }] },
    remove('queued', 'z'),
    /no pending message z/,
  ],
  [
    'a steering message is removed as such',
    { ...busy, steeringMessage: { id: 'p', userMessage: { text: '' } } },
    remove('steering'),
    { ...busy, steeringMessage: { id: 'p', userMessage: { text: '' } } },
    remove('queued'),
    /no pending message p/,
  ],
  [
    'an order names each once',
    idle,
    action('queuedMessagesReordered', { order: ['a', 'b'] }),
    idle,
    action('queuedMessagesReordered', { order: ['a', 'a'] }),
    /twice/,
  ],

  ['an answer belongs to an open request', asked, answer(), asked, answer({ requestId: 'z' }), /no open input request z/],
  ['an answer belongs to a question', asked, answer(), asked, answer({ questionId: 'z' }), /no question "z"/],
  [
    'a submitted answer is valid, a draft need not be',
    asked,
    answer({ answer: text('abcd', 'draft') }),
    asked,
    answer({ answer: text('abcd') }),
    /at most 3/,
  ],
  [
    'an answer may be cleared, not be of another kind',
    asked,
    answer({ answer: undefined }),
    asked,
    answer({ answer: { state: 'draft', value: { kind: 'boolean', value: true } } }),
    /kind "text"/,
  ],
  [
    'a completion belongs to an open request',
    asked,
    finish({ response: 'cancel' }),
    busy,
    finish({ response: 'cancel' }),
    /no open input request r/,
  ],
  ['accepting needs the required answers', asked, finish({ answers: { q: text('abc') } }), asked, finish(), /"q" has no submitted answer/],
  [
    'accepting includes earlier answers',
    {
      ...asked,
      inputRequests: [{ id: 'r', questions: [question], answers: { q: { state: 'submitted', value: { kind: 'text', value: 'abc' } } } }],
    },
    finish(),
    asked,
    finish({ answers: { q: text('abc', 'draft') } }),
    /no submitted answer/,
  ],
  [
    'accepting checks the answers that come with it',
    asked,
    finish({ answers: { q: text('abc') } }),
    asked,
    finish({ answers: { q: text('abcd') } }),
    /at most 3/,
  ],
  ['declining needs no answers', asked, finish({ response: 'decline' }), asked, finish({ answers: {} }), /no submitted answer/],

  [
    'a customization is one of the list',
    { ...idle, customizations: [{ customization: { uri: 'c:x', displayName: '' }, enabled: true }] },
    action('customizationToggled', { uri: 'c:x', enabled: false }),
    idle,
    action('customizationToggled', { uri: 'c:x', enabled: false }),
    /no customization c:x/,
  ],
  [
    'there is a configuration to change',
    configured,
    action('configChanged', { config: { a: 'x' } }),
    idle,
    action('configChanged', { config: { a: 'x' } }),
    /no configuration/,
  ],
  [
    'only mutable values are changed',
    configured,
    action('configChanged', { config: { a: 'x', b: '2' } }),
    configured,
    action('configChanged', { config: { b: 'x' } }),
    /config\.b cannot be changed/,
  ],
  [
    'replacing keeps the immutable ones',
    configured,
    action('configChanged', { config: { b: '2' }, replace: true }),
    configured,
    action('configChanged', { config: { a: 'x' }, replace: true }),
    /config\.b cannot be changed/,
  ],
];

describe('checks of client actions', () => {
  for (const [rule, goodState, good, badState, bad, reason, by] of cases) {
    it(rule, () => {
      assert.equal(check(good, goodState, client), undefined);
      assert.match(check(bad, badState, { ...client, ...by }) ?? 'accepted', reason);
    });
  }

  it('anyone may unset the active client', () => {
    const unset = action('activeClientChanged', { activeClient: null });
    assert.equal(check(unset, { ...idle, activeClient: { clientId: 'other', tools: [] } }, client), undefined);
  });

  it('any client may change titles, marks and the archive', () => {
    for (const free of [
      action('titleChanged', { title: 'x' }),
      action('isReadChanged', { isRead: true }),
      action('isArchivedChanged', { isArchived: true }),
    ])
      for (const state of [idle, busy]) assert.equal(check(free, state, { ...client, takesTurns: false }), undefined);
  });

  it('the root has its own configuration rules', () => {
    const properties = { a: { type: 'boolean' as const, title: '' }, b: { type: 'string' as const, title: '', readOnly: true } };
    const state: RootState = { ...root, config: { schema: { type: 'object', properties }, values: { b: 'x' } } };
    const change = (config: object, replace?: boolean) =>
      check({ type: 'root/configChanged', config, replace } as StateAction, state, client);
    assert.equal(change({ a: true }), undefined);
    assert.match(change({ a: 'true' }) ?? '', /config\.a must be a boolean/);
    assert.match(change({ b: 'y' }) ?? '', /config\.b cannot be changed/);
    assert.match(change({ a: true }, true) ?? '', /config\.b cannot be changed/);
    assert.match(change({ c: 1 }) ?? '', /config\.c is not in the schema/);
    assert.match(check({ type: 'root/configChanged', config: {} }, root, client) ?? '', /no configuration/);
  });

  it('an action belongs to its kind of resource', () => {
    const terminal: TerminalState = { title: '', content: [], claim: { kind: 'client', clientId: 'me' } };
    const input: StateAction = { type: 'terminal/input', terminal: 'agenthost-terminal:/1', data: 'x' };
    const title = action('titleChanged', { title: 'x' });
    assert.equal(check(input, terminal, client), undefined);
    assert.equal(check(title, idle, client), undefined);
    for (const [wrong, state] of [
      [input, idle],
      [title, terminal],
      [title, root],
      [input, undefined],
    ] as const)
      assert.match(check(wrong, state, client) ?? '', /does not belong/);
  });

  it('types of the host and unknown ones are refused', () => {
    for (const type of hostActionTypes) assert.match(check({ type } as StateAction, idle, client) ?? '', /may not dispatch/);
    for (const type of ['session/new', 'toString', '', '__proto__'])
      assert.match(check({ type } as unknown as StateAction, idle, client) ?? '', /may not dispatch/);
    assert.match(check({} as StateAction, idle, client) ?? '', /type is missing/);
  });

  it('malformed fields are named', () => {
    for (const [malformed, reason] of [
      [action('titleChanged'), /^title is missing$/],
      [action('titleChanged', { title: null }), /^title must be a string, not null$/],
      [action('isReadChanged', { isRead: 1 }), /^isRead must be a boolean, not number$/],
      [started({ userMessage: { text: 'x', attachments: [{}] } }), /^userMessage\.attachments\[0\]\.type is missing$/],
      [approve({ approved: 'yes' }), /^approved must be a boolean/],
      [approve({ confirmed: 'because' }), /^confirmed must be one of/],
      [deny({ reason: 'result-denied' }), /^reason must be one of/],
      [complete({ result: { success: true } }), /^result\.pastTenseMessage is missing$/],
      [complete({ result: { ...result, content: [{ type: 'text' }] } }), /^result\.content\[0\]\.text is missing$/],
      [activate(''), /^activeClient\.clientId must be a non-empty string/],
      [
        action('activeClientToolsChanged', { tools: [{ name: 'x', inputSchema: { type: 'array' } }] }),
        /^tools\[0\]\.inputSchema\.type must be one of/,
      ],
      [set('later'), /^kind must be one of/],
      [answer({ answer: { state: 'submitted' } }), /^answer\.value is missing$/],
      [finish({ response: 'maybe' }), /^response must be one of/],
      [action('configChanged', { config: [] }), /^config must be an object, not array$/],
      [action('modelChanged', { model: { id: 'm1', config: { effort: 1 } } }), /^model\.config\.effort must be a string/],
    ] as const)
      assert.match(check(malformed, asked, client) ?? 'accepted', reason);
  });
});

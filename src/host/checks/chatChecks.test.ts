import assert from 'node:assert/strict';
import { ASKED, askedDigest } from '../../ahp/common/callQuestion.ts';
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import type { ChatState, ResponsePart } from '../../ahp/channels/chat/state.ts';
import type { RootState } from '../../ahp/channels/root.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import type { InputRequest } from '../../ahp/common/inputRequest.ts';
import { type ChatCheckContext, chatProblem, findToolCall, openRequest } from './chatChecks.ts';

const root: RootState = {
  agents: [{ provider: 'test', displayName: '', description: '', models: [{ id: 'm1', provider: 'test', name: '' }] }],
};
const session: SessionState = { provider: 'test', title: '', status: 1, lifecycle: 'ready', activeClients: [], chats: [] };
const context: ChatCheckContext = { clientId: 'me', root, session, takesTurns: true };
const failed = { session: { ...session, lifecycle: 'failed' as const } };
const message: Message = { text: 'hi', origin: { kind: 'user' } };
const idle: ChatState = {
  resource: 'ahp-chat://1',
  title: '',
  status: 1,
  modifiedAt: '',
  turns: [{ id: 'old', message, responseParts: [], state: 'complete' }],
};
const during = (...responseParts: ResponsePart[]): ChatState => ({ ...idle, activeTurn: { id: 't', message, responseParts } });
const busy = during();
const { activeTurn } = busy;
const broken = (resumable = true): ChatState => ({
  ...idle,
  turns: [
    ...idle.turns,
    { id: 't', message, state: 'error', responseParts: [{ kind: 'error', error: { errorType: 'x', message: '' }, resumable }] },
  ],
});
const queued: ChatState = { ...idle, queuedMessages: [{ id: 'p', message }] };
const steered: ChatState = { ...busy, steeringMessage: { id: 'p', message } };

const callOf = (contributor: string | undefined, fields: object): ChatState =>
  during({
    kind: 'toolCall',
    toolCall: {
      toolCallId: 'c',
      toolName: 'x',
      displayName: 'X',
      invocationMessage: '',
      ...(contributor !== undefined && { contributor: { kind: 'client', clientId: contributor } }),
      ...fields,
    } as ToolCallState,
  });
const call = (fields: object) => callOf(undefined, fields);
const own = (fields: object) => callOf('me', fields);
const pending = call({ status: 'pending-confirmation' });
const asking = (fields: object) => call({ status: 'pending-confirmation', ...fields });
const about = (fields: object) => ({ _meta: { [ASKED]: askedDigest({ invocationMessage: '', ...fields }) } });
const running = own({ status: 'running', confirmed: 'not-needed' });
const options = [
  { id: 'yes', label: '', kind: 'approve' },
  { id: 'no', label: '', kind: 'deny' },
  { id: 'other', label: '', kind: 'later version' },
];

const target = { turnId: 't', toolCallId: 'c' };
const action = (type: string, fields: object = {}) => ({ type: `chat/${type}`, ...fields }) as unknown as ChatAction;
const started = (fields: object = {}) => action('turnStarted', { turnId: 'new', startedAt: '', message, ...fields });
const approve = (fields: object = {}) => action('toolCallConfirmed', { ...target, approved: true, confirmed: 'user-action', ...fields });
const deny = (fields: object = {}) => action('toolCallConfirmed', { ...target, approved: false, reason: 'denied', ...fields });
const complete = (fields: object = {}) =>
  action('toolCallComplete', { ...target, result: { success: true, pastTenseMessage: 'done' }, ...fields });
const content = action('toolCallContentChanged', { ...target, content: [] });
const set = (kind: string, fields: object = {}) => action('pendingMessageSet', { kind, id: 'p', message: { ...message, ...fields } });
const remove = (kind: string, id = 'p') => action('pendingMessageRemoved', { kind, id });
const cancel = (turnId: string) => action('turnCancelled', { turnId, duration: 0 });
const resume = (turnId: string) => action('turnResume', { turnId });
const draft = (fields: object) => action('draftChanged', { draft: { ...message, ...fields } });
const question = { kind: 'text' as const, id: 'q', message: '', required: true, max: 3 };
const request: InputRequest = { id: 'r', questions: [question] };
const asked = during({ kind: 'inputRequest', request });
const answered = during({ kind: 'inputRequest', request, response: 'accept' });
const text = (value: string, state = 'submitted') => ({ state, value: { kind: 'text', value } });
const answer = (fields: object = {}) => action('inputAnswerChanged', { requestId: 'r', questionId: 'q', answer: text('abc'), ...fields });
const finish = (fields: object = {}) => action('inputCompleted', { requestId: 'r', response: 'accept', ...fields });

type Case = [
  rule: string,
  state: ChatState,
  good: ChatAction,
  badState: ChatState,
  bad: ChatAction,
  reason: RegExp,
  badContext?: Partial<ChatCheckContext>,
];

/** Every rule: what is accepted, and the most similar case that is not. */
const cases: Case[] = [
  ['a turn needs an idle session', idle, started(), busy, started(), /in progress/],
  ['a turn needs a session that could be created', idle, started(), idle, started(), /could not be created/, failed],
  ['a turn has a new id', idle, started(), idle, started({ turnId: 'old' }), /turnId old was used/],
  [
    'a turn can only take a message that is waiting',
    queued,
    started({ queuedMessageId: 'p' }),
    idle,
    started({ queuedMessageId: 'p' }),
    /no pending message p/,
  ],
  ['a subagent accepts no turns', idle, started(), idle, started(), /subagent/, { takesTurns: false }],
  ['cancelling names the active turn', busy, cancel('t'), busy, cancel('old'), /not in progress/],
  ['cancelling needs a turn', busy, cancel('t'), idle, cancel('t'), /not in progress/],
  ['a turn goes on if it can', broken(), resume('t'), broken(false), resume('t'), /cannot go on with turn t/],
  [
    'a turn goes on as the last one',
    broken(),
    resume('t'),
    { ...broken(), turns: [...broken().turns, ...idle.turns] },
    resume('t'),
    /turn t/,
  ],
  ['a turn goes on while none is in progress', broken(), resume('t'), { ...broken(), activeTurn }, resume('t'), /in progress/],
  ['a turn of a subagent does not go on', broken(), resume('t'), broken(), resume('t'), /subagent/, { takesTurns: false }],
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
    own({ status: 'pending-confirmation' }),
    complete(),
    own({ status: 'streaming' }),
    complete(),
    /not running/,
  ],
  ['content is changed of the own call', running, content, running, content, /only the client/, { clientId: 'other' }],
  ['content is changed of a running call', running, content, own({ status: 'completed' }), content, /not running/],
  [
    'a result is confirmed when it waits',
    call({ status: 'pending-result-confirmation' }),
    action('toolCallResultConfirmed', { ...target, approved: true }),
    running,
    action('toolCallResultConfirmed', { ...target, approved: true }),
    /is not waiting/,
  ],

  [
    'a draft names a model of its agent',
    idle,
    draft({ model: { id: 'm1' } }),
    idle,
    draft({ model: { id: 'm2' } }),
    /model m2 is not offered any more/,
  ],
  [
    'a turn names a model of its agent',
    idle,
    started({ message: { ...message, model: { id: 'm1' } } }),
    idle,
    started({ message: { ...message, model: { id: 'm2' } } }),
    /model m2 is not offered any more/,
  ],
  [
    'a message that waits names a model of its agent',
    idle,
    set('queued', { model: { id: 'm1' } }),
    idle,
    set('queued', { model: { id: 'm2' } }),
    /model m2 is not offered any more/,
  ],
  ['no message names an agent of the user', idle, started(), idle, started({ message: { ...message, agent: { uri: 'a:b' } } }), /custom/],
  ['no message that waits does', idle, set('steering'), idle, set('steering', { agent: { uri: 'a:b' } }), /no custom agents/],
  ['a subagent has no draft', idle, draft({}), idle, draft({}), /subagent/, { takesTurns: false }],
  [
    'a draft may be cleared, but not in a subagent',
    idle,
    action('draftChanged'),
    idle,
    action('draftChanged'),
    /sub/,
    { takesTurns: false },
  ],

  ['messages wait for a session that works', idle, set('queued'), idle, set('queued'), /could not be created/, failed],
  ['messages do not wait for a subagent', busy, set('queued'), busy, set('queued'), /subagent/, { takesTurns: false }],
  ['an idle subagent is not steered', idle, set('steering'), idle, set('steering'), /no turn/, { takesTurns: false }],
  ['a queued message is removed by its id', queued, remove('queued'), queued, remove('queued', 'z'), /no pending message z/],
  ['a steering message is removed as such', steered, remove('steering'), steered, remove('queued'), /no pending message p/],
  [
    'an order names each once',
    idle,
    action('queuedMessagesReordered', { order: ['a', 'b'] }),
    idle,
    action('queuedMessagesReordered', { order: ['a', 'a'] }),
    /twice/,
  ],

  ['an answer belongs to a request', asked, answer(), asked, answer({ requestId: 'z' }), /no open input request z/],
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
  ['accepting needs the required answers', asked, finish({ answers: { q: text('abc') } }), asked, finish(), /“q” has no submitted answer/],
  [
    'accepting includes earlier answers',
    during({
      kind: 'inputRequest',
      request: { ...request, answers: { q: { state: 'submitted', value: { kind: 'text', value: 'abc' } } } },
    }),
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
  ['an answer comes while its request is open', asked, answer(), answered, answer(), /no open input request r/],
  ['a request is completed once', asked, finish({ response: 'decline' }), answered, finish({ response: 'decline' }), /no open input/],
];

describe('checks of actions about a chat', () => {
  for (const [rule, goodState, good, badState, bad, reason, badContext] of cases) {
    it(rule, () => {
      assert.equal(chatProblem(good, goodState, context), undefined);
      assert.match(chatProblem(bad, badState, { ...context, ...badContext }) ?? 'accepted', reason);
    });
  }

  it('a turn may wait for a session that is being created', () => {
    assert.equal(chatProblem(started(), idle, { ...context, session: { ...session, lifecycle: 'creating' } }), undefined);
  });

  it('an agent without a list accepts any model', () => {
    const unlisted = { ...context, session: { ...session, provider: 'unlisted' } };
    assert.equal(chatProblem(draft({ model: { id: 'm2' } }), idle, unlisted), undefined);
    assert.match(chatProblem(draft({ model: { id: 'm2' } }), idle, context) ?? '', /model m2 is not offered any more/);
  });

  it('a subagent that works is steered and stopped', () => {
    assert.equal(chatProblem(set('steering'), busy, { ...context, takesTurns: false }), undefined);
    assert.equal(chatProblem(cancel('t'), busy, { ...context, takesTurns: false }), undefined);
    assert.equal(chatProblem(remove('steering'), steered, { ...context, takesTurns: false }), undefined);
  });

  it('any client may mark a chat as read, that of a subagent too', () => {
    for (const state of [idle, busy])
      assert.equal(chatProblem(action('isReadChanged', { isRead: true }), state, { ...context, takesTurns: false }), undefined);
  });

  it('the first chat is archived with its session, others by themselves', () => {
    const archive = action('isArchivedChanged', { isArchived: true });
    const first = { ...context, session: { ...session, defaultChat: idle.resource } };
    assert.match(chatProblem(archive, idle, first) ?? '', /archived with its session/);
    assert.equal(chatProblem(archive, { ...idle, resource: 'ahp-chat:/other' }, first), undefined);
  });

  it('calls and requests are those of the turn in progress', () => {
    assert.equal(findToolCall(running, 'c')?.status, 'running');
    assert.equal(findToolCall(running, 'z'), undefined);
    assert.equal(openRequest(asked, 'r'), request);
    assert.equal(openRequest(answered, 'r'), undefined);
    const { activeTurn, ...rest } = asked;
    assert.ok(activeTurn);
    const over: ChatState = { ...rest, turns: [{ ...activeTurn, state: 'cancelled' }] };
    assert.deepEqual([openRequest(over, 'r'), findToolCall(idle, 'c')], [undefined, undefined]);
  });
});

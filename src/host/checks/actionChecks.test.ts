import assert from 'node:assert/strict';
import { channelActionTypes } from '../../../test/support/channelActionTypes.ts';
import { clientActions, type StateAction } from '../../ahp/channels/actions.ts';
import type { ChannelKind } from '../../ahp/channels/channelReducers.ts';
import type { RootAction, RootState } from '../../ahp/channels/root.ts';
import { CANNOT, changesetProblem, modelProblem, rootProblem, shapeProblem } from './actionChecks.ts';

const root: RootState = {
  agents: [{ provider: 'test', displayName: '', description: '', models: [{ id: 'm1', provider: 'test', name: '' }] }],
};
const action = (type: string, fields: object = {}) => ({ type, ...fields }) as unknown as StateAction;
const message = { text: 'x', origin: { kind: 'user' } };
const call = { turnId: 't', toolCallId: 'c' };
const result = { success: true, pastTenseMessage: 'x' };
const confirm = (fields: object) => action('chat/toolCallConfirmed', { ...call, ...fields });
const lend = (fields: object) => action('session/activeClientSet', { activeClient: { clientId: 'me', tools: [], ...fields } });

describe('checks of the shapes of actions', () => {
  it('an action belongs to the kind of its channel', () => {
    const ofKind: [ChannelKind, StateAction][] = [
      ['root', action('root/configChanged', { config: {} })],
      ['session', action('session/titleChanged', { title: 'x' })],
      ['chat', action('chat/isReadChanged', { isRead: true })],
      ['terminal', action('terminal/input', { data: 'x' })],
      ['changeset', action('changeset/filesReviewChanged', { files: [], reviewed: true })],
    ];
    for (const [kind] of ofKind)
      for (const [of, one] of ofKind)
        if (of === kind) assert.equal(shapeProblem(one, kind), undefined);
        else assert.equal(shapeProblem(one, kind), `${one.type} does not belong to this channel`);
  });

  it('types of the host and unknown ones are refused', () => {
    const ofHost = channelActionTypes.filter((type) => !Object.hasOwn(clientActions, type));
    assert.ok(ofHost.length > 40);
    for (const type of ofHost) assert.match(shapeProblem(action(type), 'chat') ?? '', /may not dispatch/);
    for (const type of ['session/new', 'toString', '', '__proto__', 'session/turnStarted'])
      assert.match(shapeProblem(action(type), 'session') ?? '', /may not dispatch/);
    assert.match(shapeProblem({} as StateAction, 'session') ?? '', /type is missing/);
    assert.match(shapeProblem({ type: 7 } as unknown as StateAction, 'session') ?? '', /type is missing or not a string/);
    assert.ok((shapeProblem(action('x'.repeat(10_000)), 'session') ?? '').length < 200);
  });

  it('only files that are there are reviewed', () => {
    const state = { status: 'ready' as const, files: [{ id: 'a', edit: {} }] };
    const review = (...files: string[]) => ({ type: 'changeset/filesReviewChanged' as const, files, reviewed: true });
    assert.equal(changesetProblem(review('a'), state), undefined);
    assert.match(changesetProblem(review('a', 'b'), state) ?? '', /there is no file b/);
  });

  it('what this host does not do is refused, and its neighbours are not', () => {
    const directory = { directory: 'file:///a' };
    for (const [kind, refused] of [
      ['session', action('session/workingDirectorySet', directory)],
      ['session', action('session/workingDirectoryRemoved', directory)],
      ['session', action('session/workingDirectoryReplaced', { ...directory, replacement: 'file:///b' })],
      ['session', action('session/mcpServerStartRequested', { id: 'a' })],
      ['session', action('session/mcpServerStopRequested', { id: 'a' })],
      ['session', action('session/mcpServerBackgroundRequested', { id: 'a' })],
      ['chat', action('chat/workingDirectorySet', directory)],
      ['chat', action('chat/workingDirectoryRemoved', directory)],
    ] as const)
      assert.equal(shapeProblem(refused, kind), CANNOT, refused.type);
    assert.equal(shapeProblem(action('chat/isReadChanged', { isRead: true }), 'chat'), undefined);
    assert.equal(shapeProblem(action('session/isArchivedChanged', { isArchived: true }), 'session'), undefined);
  });

  it('malformed fields are named', () => {
    for (const [malformed, kind, reason] of [
      [action('session/titleChanged'), 'session', /^title is missing$/],
      [action('session/titleChanged', { title: null }), 'session', /^title must be a string, not null$/],
      [action('session/isReadChanged', { isRead: 1 }), 'session', /^isRead must be a boolean, not number$/],
      [
        action('chat/turnStarted', { turnId: 't', startedAt: '', message: { ...message, attachments: [{}] } }),
        'chat',
        /^message\.attachments\[0\]\.type is missing$/,
      ],
      [action('chat/turnStarted', { turnId: 't', startedAt: '', message: { text: 'x' } }), 'chat', /^message\.origin is missing$/],
      [confirm({ approved: 'yes' }), 'chat', /^approved must be a boolean/],
      [confirm({ approved: true, confirmed: 'because' }), 'chat', /^confirmed must be one of/],
      [confirm({ approved: false, reason: 'result-denied' }), 'chat', /^reason must be one of/],
      [action('chat/toolCallComplete', { ...call, result: { success: true } }), 'chat', /^result\.pastTenseMessage is missing$/],
      [
        action('chat/toolCallComplete', { ...call, result: { ...result, content: [{ type: 'text' }] } }),
        'chat',
        /^result\.content\[0\]\.text is missing$/,
      ],
      [lend({ clientId: '' }), 'session', /^activeClient\.clientId must be a non-empty string/],
      [
        lend({ tools: [{ name: 'x', inputSchema: { type: 'array' } }] }),
        'session',
        /^activeClient\.tools\[0\]\.inputSchema\.type must be one of/,
      ],
      [action('chat/pendingMessageSet', { kind: 'later', id: 'p', message }), 'chat', /^kind must be one of/],
      [action('chat/pendingMessageRemoved', { kind: 'later', id: 'p' }), 'chat', /^kind must be one of/],
      [
        action('chat/inputAnswerChanged', { requestId: 'r', questionId: 'q', answer: { state: 'submitted' } }),
        'chat',
        /^answer\.value is missing$/,
      ],
      [action('chat/inputCompleted', { requestId: 'r', response: 'maybe' }), 'chat', /^response must be one of/],
      [action('session/configChanged', { config: [] }), 'session', /^config must be an object, not array$/],
      [
        action('chat/draftChanged', { draft: { ...message, model: { id: 'm1', config: { effort: {} } } } }),
        'chat',
        /^draft\.model\.config\.effort must be a string or a number or a boolean or null/,
      ],
    ] as const)
      assert.match(shapeProblem(malformed, kind) ?? 'accepted', reason);
  });
});

describe('checks of actions about the root', () => {
  it('the root has its own configuration rules', () => {
    const properties = { a: { type: 'boolean' as const, title: '' }, b: { type: 'string' as const, title: '', readOnly: true } };
    const state: RootState = { ...root, config: { schema: { type: 'object', properties }, values: { b: 'x' } } };
    const change = (config: object, replace?: boolean) => rootProblem({ type: 'root/configChanged', config, replace } as RootAction, state);
    assert.equal(change({ a: true }), undefined);
    assert.equal(change({ a: true, b: 'x' }, true), undefined);
    assert.match(change({ a: 'true' }) ?? '', /config\.a must be a boolean/);
    assert.match(change({ b: 'y' }) ?? '', /config\.b cannot be changed/);
    assert.match(change({ a: true }, true) ?? '', /config\.b cannot be changed/);
    assert.match(change({ c: 1 }) ?? '', /config\.c is not in the schema/);
    assert.match(rootProblem({ type: 'root/configChanged', config: {} }, root) ?? '', /no configuration/);
  });

  it('a model is one of its agent, and an agent without a list accepts any', () => {
    assert.equal(modelProblem(root, 'test', { id: 'm1' }), undefined);
    assert.equal(modelProblem(root, 'test', { id: 'm2' }), 'The model m2 is not offered any more. Choose another one.');
    assert.equal(modelProblem(root, 'unlisted', { id: 'm2' }), undefined);
    const [agent] = root.agents;
    assert.ok(agent);
    assert.equal(modelProblem({ agents: [{ ...agent, models: [] }] }, 'test', { id: 'm2' }), undefined);
  });
});

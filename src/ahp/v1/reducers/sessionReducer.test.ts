import assert from 'node:assert/strict';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import { type ActiveTurn, type ResponsePart, type SessionAction, type SessionState, SessionStatus } from '../session.ts';
import { sessionReducer } from './sessionReducer.ts';

type Unaddressed<A> = A extends unknown ? Omit<A, 'session'> : never;
type Step = Unaddressed<SessionAction>;

const NOW = 9999;
const { Idle, Error: Failed, InProgress, InputNeeded, IsRead, IsArchived } = SessionStatus;
const UNKNOWN_FLAG = 2 ** 40;
const userMessage = { text: 'Go' };

const idle: SessionState = deepFreeze({
  summary: {
    resource: 'copilot:/1',
    provider: 'copilot',
    title: 'T',
    status: Idle + IsRead + IsArchived + UNKNOWN_FLAG,
    createdAt: 1,
    modifiedAt: 1,
  },
  lifecycle: 'ready',
  turns: ['t1', 't2', 't3'].map((id) => ({ id, userMessage, responseParts: [], state: 'complete' as const })),
});
function inTurn(...responseParts: ResponsePart[]): SessionState {
  return deepFreeze({
    ...idle,
    summary: { ...idle.summary, status: InProgress + IsRead },
    activeTurn: { id: 't4', userMessage, responseParts },
  });
}
const busy = inTurn();

function reduce(from: SessionState, ...actions: Step[]): SessionState {
  return actions.reduce(
    (state, action) => sessionReducer(state, deepFreeze({ ...action, session: 'copilot:/1' } as SessionAction), NOW),
    from,
  );
}
const start: Step = { type: 'session/turnStarted', turnId: 't4', userMessage };
const call = { turnId: 't4', toolCallId: 'c' };
const startCall: Step = { type: 'session/toolCallStart', ...call, toolName: 'bash', displayName: 'Run' };
const readyCall: Step = { type: 'session/toolCallReady', ...call, invocationMessage: 'Run' };
const ask = (id: string): Step => ({ type: 'session/inputRequested', request: { id } });

describe('sessionReducer: lifecycle', () => {
  it('ready: the lifecycle, and idle without flags, as hosts do it', () => {
    const next = reduce(
      { ...idle, lifecycle: 'creating', summary: { ...idle.summary, status: InProgress + IsArchived } },
      { type: 'session/ready' },
    );
    assert.equal(next.lifecycle, 'ready');
    assert.equal(next.summary.status, Idle);
  });

  it('creationFailed: the lifecycle and the error', () => {
    const error = { errorType: 'worktree', message: 'No space' };
    assert.deepEqual(reduce(idle, { type: 'session/creationFailed', error }), {
      ...idle,
      lifecycle: 'creationFailed',
      creationError: error,
    });
  });
});

describe('sessionReducer: turns', () => {
  it('a turn opens without parts, unread, and makes the session busy; flags of later versions stay', () => {
    const next = reduce(idle, start);
    assert.deepEqual(next.activeTurn, { id: 't4', userMessage, responseParts: [] });
    assert.deepEqual(next.summary, { ...idle.summary, status: InProgress + IsArchived + UNKNOWN_FLAG, modifiedAt: NOW });
    assert.equal(next.turns, idle.turns);
  });

  it('removes its message from steering or from the queue, and an empty queue', () => {
    const waiting = deepFreeze({ ...idle, steeringMessage: { id: 's', userMessage }, queuedMessages: [{ id: 'q', userMessage }] });
    const fromQueue = reduce(waiting, { ...start, queuedMessageId: 'q' });
    assert.equal('queuedMessages' in fromQueue, false);
    assert.equal(fromQueue.steeringMessage, waiting.steeringMessage);
    const fromSteering = reduce(waiting, { ...start, queuedMessageId: 's' });
    assert.equal('steeringMessage' in fromSteering, false);
    assert.equal(fromSteering.queuedMessages, waiting.queuedMessages);
  });

  it('text goes to the first part of that id, if it is of that kind, and the other parts stay the same', () => {
    const parts: ResponsePart[] = [
      { kind: 'reasoning', id: 'a', content: '' },
      { kind: 'markdown', id: 'a', content: 'x' },
      { kind: 'hologram', id: 'a', content: '' } as never,
    ];
    const state = inTurn(...parts);
    const next = reduce(
      state,
      { type: 'session/delta', turnId: 't4', partId: 'a', content: 'y' },
      { type: 'session/reasoning', turnId: 't4', partId: 'a', content: 'z' },
    );
    const got = (next.activeTurn as ActiveTurn).responseParts;
    assert.deepEqual(
      got.map((part) => (part as { content: string }).content),
      ['z', 'x', ''],
    );
    assert.equal(got[2], state.activeTurn?.responseParts[2]);
    assert.equal(next.summary, state.summary);
  });

  it('usage sets', () => {
    assert.deepEqual(reduce(busy, { type: 'session/usage', turnId: 't4', usage: { inputTokens: 1 } }).activeTurn?.usage, {
      inputTokens: 1,
    });
  });

  it('what names another turn, or no turn, changes nothing', () => {
    const state = inTurn({ kind: 'markdown', id: 'a', content: '' });
    const actions = [
      { type: 'session/responsePart', part: { kind: 'markdown', id: 'b', content: '' } },
      { type: 'session/delta', partId: 'a', content: 'x' },
      { type: 'session/usage', usage: {} },
      { type: 'session/turnComplete' },
      { type: 'session/turnCancelled' },
      { type: 'session/error', error: { errorType: 'e', message: 'm' } },
      startCall,
    ];
    for (const turnId of ['t1', undefined, null]) {
      for (const action of actions) assert.equal(reduce(state, { ...action, turnId } as Step), state, `${action.type} of ${turnId}`);
    }
  });

  it('a turn ends with its state and error, its unfinished calls skipped and all input requests gone', () => {
    const error = { errorType: 'e', message: 'm' };
    const endings: [Step, string, number][] = [
      [{ type: 'session/turnComplete', turnId: 't4' }, 'complete', Idle],
      [{ type: 'session/turnCancelled', turnId: 't4' }, 'cancelled', Idle],
      [{ type: 'session/error', turnId: 't4', error }, 'error', Failed],
    ];
    for (const [action, state, status] of endings) {
      const before = reduce(inTurn({ kind: 'hologram' as never }), startCall, ask('r'));
      const next = reduce(before, action);
      const { id, responseParts, ...ended } = next.turns[3] ?? assert.fail('a fourth turn');
      assert.equal(id, 't4');
      assert.deepEqual(ended, { userMessage, state, ...(state === 'error' && { error }) });
      assert.equal(responseParts[0], before.activeTurn?.responseParts[0]);
      assert.deepEqual(responseParts[1], {
        kind: 'toolCall',
        toolCall: { status: 'cancelled', toolCallId: 'c', toolName: 'bash', displayName: 'Run', invocationMessage: '', reason: 'skipped' },
      });
      assert.equal('activeTurn' in next || 'inputRequests' in next, false);
      assert.deepEqual(next.summary, { ...busy.summary, status, modifiedAt: NOW });
      assert.equal(next.turns[0], before.turns[0]);
    }
  });

  it('an error shows until something happens', () => {
    const failed = reduce(busy, { type: 'session/error', turnId: 't4', error: { errorType: 'e', message: 'm' } });
    assert.equal(reduce(failed, { type: 'session/titleChanged', title: 'x' }).summary.status, Failed + IsRead);
    assert.equal(reduce(failed, start).summary.status, InProgress);
  });

  it('truncating keeps the turns up to one, or none, and drops what was going on', () => {
    const state = reduce(busy, ask('r'));
    const next = reduce(state, { type: 'session/truncated', turnId: 't2' });
    assert.deepEqual(next, { ...idle, turns: idle.turns.slice(0, 2), summary: { ...busy.summary, status: Idle, modifiedAt: NOW } });
    assert.deepEqual(reduce(state, { type: 'session/truncated' }).turns, []);
    assert.equal(reduce(state, { type: 'session/truncated', turnId: 'unknown' }), state);
    assert.equal(reduce(state, { type: 'session/truncated', turnId: 't4' }), state, 'the active turn is no turn to keep');
  });
});

describe('sessionReducer: status', () => {
  const statusAfter = (...actions: Step[]): number => reduce(busy, ...actions).summary.status - IsRead;

  it('a call that waits needs input until it is decided', () => {
    assert.equal(statusAfter(startCall, readyCall), InputNeeded);
    assert.equal(
      statusAfter(startCall, readyCall, { type: 'session/toolCallConfirmed', ...call, approved: true, confirmed: 'user-action' }),
      InProgress,
    );
    assert.equal(
      statusAfter(startCall, readyCall, { ...startCall, toolCallId: 'd' }, { ...readyCall, toolCallId: 'd', confirmed: 'setting' }),
      InputNeeded,
    );
  });

  it('a call that arrives waiting, inside a part, does with the next action that decides about a call', () => {
    const toolCall = {
      status: 'pending-confirmation' as const,
      toolCallId: 'c',
      toolName: 'bash',
      displayName: 'Run',
      invocationMessage: '',
    };
    const arrives: Step = { type: 'session/responsePart', turnId: 't4', part: { kind: 'toolCall', toolCall } };
    assert.equal(statusAfter(arrives), InProgress);
    assert.equal(
      statusAfter(arrives, { type: 'session/toolCallResultConfirmed', turnId: 'other', toolCallId: 'none', approved: true }),
      InputNeeded,
    );
  });

  it('an input request needs input, turn or not, until the last is completed; asking makes the session unread', () => {
    const asked = reduce(idle, ask('r'), ask('s'));
    const flags = IsArchived + UNKNOWN_FLAG;
    assert.equal(asked.summary.status, InputNeeded + flags);
    const one = reduce(asked, { type: 'session/inputCompleted', requestId: 'r', response: 'accept' });
    assert.equal(one.summary.status, InputNeeded + flags);
    const none = reduce(one, { type: 'session/inputCompleted', requestId: 's', response: 'cancel' });
    assert.equal(none.summary.status, Idle + flags);
    assert.equal('inputRequests' in none, false);
  });

  it('read and archived are bits of their own', () => {
    const cleared = reduce(
      idle,
      { type: 'session/isReadChanged', isRead: false },
      { type: 'session/isArchivedChanged', isArchived: false },
    );
    assert.equal(cleared.summary.status, Idle + UNKNOWN_FLAG);
    const set = reduce(cleared, { type: 'session/isReadChanged', isRead: true }, { type: 'session/isArchivedChanged', isArchived: true });
    assert.deepEqual(set, idle);
    assert.equal(reduce(idle, { type: 'session/isReadChanged', isRead: true }), idle);
  });
});

describe('sessionReducer: input requests', () => {
  it('are added, and replaced in their place by id', () => {
    const state = reduce(idle, ask('r'), ask('s'), { type: 'session/inputRequested', request: { id: 'r', message: 'Again?' } });
    assert.deepEqual(state.inputRequests, [{ id: 'r', message: 'Again?' }, { id: 's' }]);
  });

  it('unknown ones are neither answered nor completed', () => {
    const state = deepFreeze(reduce(idle, ask('r')));
    assert.equal(
      reduce(state, { type: 'session/inputAnswerChanged', requestId: 'x', questionId: 'q', answer: { state: 'skipped' } }),
      state,
    );
    assert.equal(reduce(state, { type: 'session/inputAnswerChanged', requestId: 'r', questionId: 'q' }), state, 'nothing to clear');
    assert.equal(reduce(state, { type: 'session/inputCompleted', requestId: 'x', response: 'accept' }), state);
  });
});

describe('sessionReducer: the rest', () => {
  it('modifiedAt is set by exactly these actions', () => {
    const config = { schema: { type: 'object' as const, properties: {} }, values: {} };
    const state = deepFreeze({ ...reduce(busy, startCall, ask('r')), config, customizations: [] });
    const modifying: Step[] = [
      start,
      { type: 'session/turnComplete', turnId: 't4' },
      { type: 'session/turnCancelled', turnId: 't4' },
      { type: 'session/error', turnId: 't4', error: { errorType: 'e', message: 'm' } },
      { type: 'session/titleChanged', title: 'x' },
      { type: 'session/modelChanged', model: { id: 'm' } },
      { type: 'session/configChanged', config: { a: 1 } },
      { type: 'session/truncated' },
      ask('s'),
      { type: 'session/inputAnswerChanged', requestId: 'r', questionId: 'q', answer: { state: 'skipped' } },
      { type: 'session/inputCompleted', requestId: 'r', response: 'accept' },
    ];
    const others: Step[] = [
      readyCall,
      { type: 'session/usage', turnId: 't4', usage: { inputTokens: 1 } },
      { type: 'session/isReadChanged', isRead: true },
      { type: 'session/activityChanged', activity: 'x' },
      { type: 'session/diffsChanged', diffs: [] },
      { type: 'session/metaChanged', _meta: { a: 1 } },
      { type: 'session/pendingMessageSet', kind: 'queued', id: 'q', userMessage },
      { type: 'session/activeClientChanged', activeClient: { clientId: 'c', tools: [] } },
    ];
    const modifiedAt = (action: Step): number => {
      const next = sessionReducer(state, { ...action, session: 's' } as SessionAction, NOW + 1);
      assert.notEqual(next, state, action.type);
      return next.summary.modifiedAt;
    };
    for (const action of modifying) assert.equal(modifiedAt(action), NOW + 1, action.type);
    for (const action of others) assert.equal(modifiedAt(action), NOW, action.type);
  });

  it('sets and removes what may be absent', () => {
    const client = { clientId: 'c', tools: [] };
    const set = reduce(
      idle,
      { type: 'session/activityChanged', activity: 'Building' },
      { type: 'session/diffsChanged', diffs: [{}] },
      { type: 'session/metaChanged', _meta: { git: {} } },
      { type: 'session/serverToolsChanged', tools: [{ name: 'a' }] },
      { type: 'session/activeClientChanged', activeClient: client },
    );
    assert.deepEqual(set, {
      ...idle,
      summary: { ...idle.summary, activity: 'Building', diffs: [{}] },
      _meta: { git: {} },
      serverTools: [{ name: 'a' }],
      activeClient: client,
    });
    const unset = reduce(
      set,
      { type: 'session/activityChanged' },
      { type: 'session/metaChanged' },
      { type: 'session/activeClientChanged', activeClient: null },
    );
    assert.deepEqual(unset, { ...idle, summary: { ...idle.summary, diffs: [{}] }, serverTools: [{ name: 'a' }] });
  });

  it('gives tools to the active client only when there is one', () => {
    const tools = [{ name: 'a' }];
    assert.equal(reduce(idle, { type: 'session/activeClientToolsChanged', tools }), idle);
    const lent = reduce(idle, { type: 'session/activeClientChanged', activeClient: { clientId: 'c', displayName: 'C', tools: [] } });
    assert.deepEqual(reduce(lent, { type: 'session/activeClientToolsChanged', tools }).activeClient, {
      clientId: 'c',
      displayName: 'C',
      tools,
    });
  });

  it('merges configuration where there is one', () => {
    const schema = { type: 'object' as const, properties: {} };
    const state = deepFreeze({ ...idle, config: { schema, values: { a: 1 } } });
    assert.deepEqual(reduce(state, { type: 'session/configChanged', config: { b: 2 } }).config, { schema, values: { a: 1, b: 2 } });
    assert.equal(reduce(idle, { type: 'session/configChanged', config: { b: 2 } }), idle);
  });

  it('toggles a customization by its URI', () => {
    const of = (uri: string, enabled: boolean) => ({ customization: { uri, displayName: uri }, enabled });
    const state = reduce(idle, { type: 'session/customizationsChanged', customizations: [of('a', true), of('b', true)] });
    const next = reduce(state, { type: 'session/customizationToggled', uri: 'b', enabled: false });
    assert.deepEqual(next.customizations, [of('a', true), of('b', false)]);
    assert.equal(next.customizations?.[0], state.customizations?.[0]);
    assert.equal(reduce(state, { type: 'session/customizationToggled', uri: 'b', enabled: true }), state);
    // A host may send anything.
    const strange = deepFreeze({ ...idle, customizations: [[]] }) as unknown as typeof idle;
    assert.equal(reduce(strange, { type: 'session/customizationToggled', enabled: false } as unknown as Step), strange);
  });

  it('keeps one steering message and a queue in which a known id is replaced in place', () => {
    const set = (kind: 'steering' | 'queued', id: string, text: string): Step => ({
      type: 'session/pendingMessageSet',
      kind,
      id,
      userMessage: { text },
    });
    const state = reduce(
      idle,
      set('steering', 'a', '1'),
      set('steering', 'b', '2'),
      set('queued', 'a', '3'),
      set('queued', 'b', '4'),
      set('queued', 'a', '5'),
    );
    assert.deepEqual(state.steeringMessage, { id: 'b', userMessage: { text: '2' } });
    assert.deepEqual(
      state.queuedMessages?.map(({ userMessage: { text } }) => text),
      ['5', '4'],
    );
    const remove = (kind: 'steering' | 'queued', id: string): Step => ({ type: 'session/pendingMessageRemoved', kind, id });
    assert.equal(reduce(state, remove('steering', 'a')), state);
    assert.deepEqual(reduce(state, remove('steering', 'b'), remove('queued', 'a'), remove('queued', 'b')), idle);
  });

  it('reorders the queue: named ones first, the rest after in their order', () => {
    const queuedMessages = ['a', 'b', 'c', 'd'].map((id) => ({ id, userMessage }));
    const reorder = (...order: string[]): SessionState =>
      reduce(deepFreeze({ ...idle, queuedMessages }), { type: 'session/queuedMessagesReordered', order });
    const ids = (state: SessionState): string | undefined => state.queuedMessages?.map(({ id }) => id).join('');
    assert.equal(ids(reorder('c', 'a')), 'cabd');
    assert.equal(ids(reorder('x', 'd', '__proto__', 'd')), 'dabc');
    assert.equal(reorder('a', 'b').queuedMessages, queuedMessages);
  });

  it('takes null for absent, as some hosts send it', () => {
    const state = { ...idle, activeTurn: null, inputRequests: null, queuedMessages: null, activeClient: null } as unknown as SessionState;
    assert.equal(reduce(state, { type: 'session/turnComplete', turnId: 't4' }), state);
    assert.equal(reduce(state, { type: 'session/activeClientChanged', activeClient: null }), state);
    assert.equal(reduce(state, start).summary.status, InProgress + IsArchived + UNKNOWN_FLAG);
  });
});

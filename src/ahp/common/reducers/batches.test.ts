/** What an action brings is put into the state as it is. Later actions of the batch may change it there, but not in the action. */
import assert from 'node:assert/strict';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import { channelReducers } from '../../channels/channelReducers.ts';
import { sessionReducer as sessionReducerV1 } from '../../v1/reducers/sessionReducer.ts';
import { reduceAll } from './reduceAll.ts';
import type { ActionLike, Reducer } from './reducer.ts';

type Action = ActionLike & Record<string, unknown>;
interface Case {
  title: string;
  reducer: unknown;
  state: object;
  actions: Action[];
}

const error = { kind: 'error', error: { errorType: 'x', message: 'no' }, resumable: true };
const chat = { resource: 'c', title: '', status: 1, modifiedAt: '2027-01-01T00:00:00.000Z', turns: [] };
const session = { provider: 'p', title: '', status: 1, lifecycle: 'ready', activeClients: [], chats: [] };
const sessionV1 = { summary: { resource: 'copilot:/1', status: 1 }, lifecycle: 'ready', turns: [] };
const inTurn = { turnId: 't' };
const server = { type: 'mcpServer', id: 's', uri: 's', name: '', state: { kind: 'ready' } };
const plugin = { type: 'plugin', id: 'p', uri: 'p', name: '', children: [server] };

const cases: Case[] = [
  {
    title: 'a part, its text and its call',
    reducer: channelReducers.chat,
    state: chat,
    actions: [
      { ...inTurn, type: 'chat/turnStarted', startedAt: '2027-01-01T00:00:00.000Z', message: { text: '' } },
      { ...inTurn, type: 'chat/responsePart', part: { kind: 'markdown', id: 'a', content: 'x' } },
      { ...inTurn, type: 'chat/responsePart', part: { kind: 'toolCall', toolCall: { status: 'streaming', toolCallId: 'c', _meta: {} } } },
      { ...inTurn, type: 'chat/delta', partId: 'a', content: 'y' },
      { ...inTurn, type: 'chat/toolCallDelta', toolCallId: 'c', content: 'z' },
      { type: 'chat/inputRequested', request: { id: 'q', answers: {} } },
      { type: 'chat/inputAnswerChanged', requestId: 'q', questionId: '__proto__', answer: { state: 'skipped' } },
      { type: 'chat/inputCompleted', requestId: 'q', response: 'accept' },
      { ...inTurn, type: 'chat/turnComplete', duration: 1 },
    ],
  },
  {
    title: 'a turn that is loaded and goes on',
    reducer: channelReducers.chat,
    state: chat,
    actions: [
      {
        type: 'chat/turnsLoaded',
        turns: [{ id: 't', state: 'error', responseParts: [{ kind: 'markdown', id: 'a', content: '' }, error] }],
      },
      { type: 'chat/turnResume', turnId: 't' },
      { ...inTurn, type: 'chat/responsePart', part: { kind: 'markdown', id: 'b', content: '' } },
      { ...inTurn, type: 'chat/delta', partId: 'a', content: 'y' },
      { ...inTurn, type: 'chat/error', duration: 1, part: error },
      { type: 'chat/turnResume', turnId: 't' },
      { ...inTurn, type: 'chat/delta', partId: 'b', content: 'y' },
    ],
  },
  {
    title: 'a turn that goes on in a chat whose time is none',
    reducer: channelReducers.chat,
    state: { ...chat, modifiedAt: { a: 1 } },
    actions: [
      { ...inTurn, type: 'chat/turnStarted', message: { text: '' } },
      { ...inTurn, type: 'chat/error', duration: 1, part: error },
      { type: 'chat/turnResume', turnId: 't' },
    ],
  },
  {
    title: 'more parts than one call can take',
    reducer: channelReducers.chat,
    state: { ...chat, activeTurn: { id: 't', startedAt: '2027-01-01T00:00:00.000Z', message: { text: '' }, responseParts: [] } },
    actions: [
      ...Array.from({ length: 2500 }, (_, at) => ({
        ...{ ...inTurn, type: 'chat/responsePart' },
        part: { kind: 'markdown', id: `p${at}`, content: '' },
      })),
      { ...inTurn, type: 'chat/delta', partId: 'p2499', content: 'the last one' },
    ],
  },
  {
    title: 'parts of a turn of before, which ends and goes on',
    reducer: channelReducers.chat,
    state: { ...chat, activeTurn: { id: 't', startedAt: '2027-01-01T00:00:00.000Z', message: { text: '' }, responseParts: [] } },
    actions: [
      { ...inTurn, type: 'chat/responsePart', part: { kind: 'markdown', id: 'a', content: 'x' } },
      { type: 'chat/inputRequested', request: { id: 'q' } },
      { ...inTurn, type: 'chat/error', duration: 1, part: error },
      { type: 'chat/turnResume', turnId: 't' },
      { ...inTurn, type: 'chat/delta', partId: 'a', content: 'y' },
      { type: 'chat/inputCompleted', requestId: 'q', response: 'accept' },
    ],
  },
  {
    title: 'customizations and their children',
    reducer: channelReducers.session,
    state: session,
    actions: [
      { type: 'session/customizationsChanged', customizations: [plugin] },
      { type: 'session/mcpServerStateChanged', id: 's', state: { kind: 'starting', blocking: true }, channel: 'mcp:/1' },
      { type: 'session/mcpServerBackgroundRequested', id: 's' },
      { type: 'session/customizationToggled', id: 'p', enablement: [{ kind: 'global', enabled: true }] },
      { type: 'session/customizationUpdated', customization: { ...server, id: 'u' } },
      { type: 'session/mcpServerStartRequested', id: 'u' },
      { type: 'session/customizationRemoved', id: 's' },
    ],
  },
  {
    title: 'chats',
    reducer: channelReducers.session,
    state: session,
    actions: [
      { type: 'session/chatAdded', summary: { resource: 'c', title: '' } },
      { type: 'session/chatAdded', summary: { resource: 'd', title: '' } },
      { type: 'session/chatUpdated', chat: 'c', changes: JSON.parse('{"title":"x","__proto__":{"a":1}}') as object },
      { type: 'session/chatsReordered', chats: ['d', 'c'] },
      { type: 'session/chatUpdated', chat: 'd', changes: { title: 'y' } },
    ],
  },
  {
    title: 'files and operations',
    reducer: channelReducers.changeset,
    state: { status: 'ready', files: [] },
    actions: [
      { type: 'changeset/contentChanged', files: [{ id: 'a' }], operations: [{ id: 'o', status: 'idle' }] },
      { type: 'changeset/fileSet', file: { id: 'b' } },
      { type: 'changeset/filesReviewChanged', files: ['a', 'b'], reviewed: true },
      { type: 'changeset/operationStatusChanged', operationId: 'o', status: 'error', error: { errorType: '', message: '' } },
    ],
  },
  {
    title: 'annotations and their entries',
    reducer: channelReducers.annotations,
    state: { annotations: [] },
    actions: [
      { type: 'annotations/set', annotation: { id: 'a', entries: [{ id: 'x', text: '' }] } },
      { type: 'annotations/updated', annotationId: 'a', resolved: true },
      { type: 'annotations/entrySet', annotationId: 'a', entry: { id: 'y', text: '' } },
      { type: 'annotations/entryRemoved', annotationId: 'a', entryId: 'x' },
    ],
  },
  {
    title: 'the client and the customizations of AHP v1',
    reducer: sessionReducerV1,
    state: sessionV1,
    actions: [
      { type: 'session/activeClientChanged', activeClient: { clientId: 'c', tools: [] } },
      { type: 'session/activeClientToolsChanged', tools: [{ name: 'x' }] },
      { type: 'session/customizationsChanged', customizations: [{ customization: { uri: 'u' }, enabled: true }] },
      { type: 'session/customizationToggled', uri: 'u', enabled: false },
    ],
  },
];

describe('a batch', () => {
  for (const { title, reducer, state, actions } of cases) {
    it(`changes what it brought itself as its actions one by one do, and writes to none of them: ${title}`, () => {
      const reduce = reducer as Reducer<object>;
      deepFreeze([state, actions]);
      const single = actions.reduce((current, action) => {
        const next = reduce(current, action, 0);
        assert.notEqual(next, current, action.type);
        return next;
      }, state);
      assert.deepEqual(reduceAll(reduce, state, actions, 0), single);
    });
  }

  it('appends to a part that it has brought and the end of the turn has frozen', () => {
    const actions: Action[] = [
      { ...inTurn, type: 'chat/responsePart', part: { kind: 'markdown', id: 'a', content: 'x' } },
      { ...inTurn, type: 'chat/error', part: error },
      { ...inTurn, type: 'chat/turnResume' },
      { ...inTurn, type: 'chat/delta', partId: 'a', content: 'y' },
    ];
    const reduce = channelReducers.chat as unknown as Reducer<object>;
    const state = { ...chat, activeTurn: { id: 't', responseParts: [] } };
    const next = reduceAll(reduce, state, actions, 0) as { activeTurn?: { responseParts: unknown[] } };
    assert.deepEqual(next.activeTurn?.responseParts[0], { kind: 'markdown', id: 'a', content: 'xy' });
  });

  const nested = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  const reduceChat = channelReducers.chat as unknown as Reducer<object>;
  const delta = { ...inTurn, type: 'chat/delta', partId: 'a', content: 'y' };

  it('loses only the action that is nested too deep, and none of the others', () => {
    const start = cases[0]?.actions.slice(0, 2) ?? [];
    const deep = { ...inTurn, type: 'chat/responsePart', part: { kind: 'markdown', id: 'deep', nested } };
    for (const wrong of [deep, { ...delta, nested }]) {
      const batched = reduceAll(reduceChat, chat, [...start, wrong, delta], 0);
      assert.deepEqual(batched, reduceAll(reduceChat, chat, [...start, delta], 0));
      assert.equal(reduceChat(batched, wrong, 0), batched);
    }
  });

  it('does not fail on a snapshot that is nested too deep', () => {
    const call = { status: 'running', toolCallId: 'c', invocationMessage: '', _meta: { nested } };
    const parts = [
      { kind: 'toolCall', toolCall: call },
      { kind: 'markdown', id: 'a', content: 'x' },
    ];
    const state = { ...chat, activeTurn: { id: 't', responseParts: parts } };
    const done = { ...inTurn, type: 'chat/toolCallComplete', toolCallId: 'c', result: { success: true, pastTenseMessage: '' } };
    const next = reduceAll(reduceChat, state, [done, delta], 0) as typeof state;
    assert.deepEqual(next.activeTurn.responseParts[1], { kind: 'markdown', id: 'a', content: 'xy' });
  });

  it('leaves states as they are that can be written to, and the values that it shares with them', () => {
    const part = { kind: 'markdown', id: 'a', content: 'x' };
    const state = { ...chat, activeTurn: { id: 't', responseParts: [part] } };
    const next = channelReducers.chat(state as never, { ...inTurn, type: 'chat/usage', usage: {} } as ActionLike, 0);
    assert(![next, next.activeTurn, next.activeTurn?.responseParts, part].some(Object.isFrozen));
    assert.equal(next.activeTurn?.responseParts[0], part);
  });

  describe('looks at the parts of a turn as often, however often it fails and goes on', () => {
    const PARTS = 100;
    let reads = 0;
    const call = (index: number) => {
      const toolCallId = `c${index}`;
      return {
        toolCallId,
        get status() {
          reads++;
          return 'completed';
        },
      };
    };
    const parts = Array.from({ length: PARTS }, (_, index) => ({ kind: 'toolCall', toolCall: call(index) }));
    const failed = { id: 't', state: 'error', responseParts: [...parts, error] };
    const started = { ...inTurn, type: 'chat/turnStarted', startedAt: '2027-01-01T00:00:00.000Z', message: { text: '' } };
    const again = [
      { ...inTurn, type: 'chat/turnResume' },
      { ...inTurn, type: 'chat/error', part: error },
    ];
    const begun = [started, ...parts.map((part) => ({ ...inTurn, type: 'chat/responsePart', part })), again[1] as Action];
    const turns: { of: string; state: object; actions: Action[] }[] = [
      { of: 'the state', state: { ...chat, turns: [failed] }, actions: [] },
      { of: 'an action', state: chat, actions: [{ type: 'chat/turnsLoaded', turns: [failed] }] },
      { of: 'the batch', state: chat, actions: begun },
    ];
    for (const { of, state, actions } of turns) {
      it(`a turn of ${of}`, () => {
        const readsOf = (times: number) => {
          reads = 0;
          const next = reduceAll(reduceChat, state, [...actions, ...Array.from({ length: times }, () => again).flat()], 0);
          assert.equal((next as { turns: (typeof failed)[] }).turns[0]?.responseParts.length, PARTS + 1 + times);
          return reads;
        };
        // The parts of a state are looked through once more when they are met for the first time.
        const few = readsOf(10);
        assert(readsOf(20) <= few);
      });
    }
  });
});

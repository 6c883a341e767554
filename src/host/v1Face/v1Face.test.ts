import assert from 'node:assert/strict';
import type { StateAction } from '../../ahp/channels/actions.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { ActionEnvelope } from '../../ahp/v1/actions.ts';
import type { Snapshot } from '../../ahp/v1/commands.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import type { SessionState as V1Session } from '../../ahp/v1/session.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { changesUri, chatUri, subagentChatUri } from '../state/chatUris.ts';
import { listedSession, type ListedSession } from '../state/listedSession.ts';
import { StateStore } from '../state/stateStore.ts';
import type { Host } from '../host.ts';
import type { SessionRequest } from '../sessions/creation/sessionPreparation.ts';
import type { SessionsChange } from '../sessions/sessions.ts';
import type { Client } from '../state/clients.ts';
import { V1Face } from './v1Face.ts';

const session = 'copilot:/1';
const chat = chatUri(session);
const sub = subagentChatUri(chat, 'c');
const subagent = `${session}/subagent/c`;
const ROOT = 'agenthost:/root';
const NOW = Date.UTC(2027, 0, 1);
const modifiedAt = new Date(NOW).toISOString();

interface Sent {
  method: string;
  params: object;
}

class FakeClient implements Client {
  readonly channels = new Set<URI>();
  readonly sent: Sent[] = [];
  constructor(readonly clientId: string) {}
  notify(method: string, params: object): void {
    this.sent.push({ method, params });
  }
  request(): Promise<unknown> {
    return Promise.reject(new Error('not here'));
  }
  replaced(): void {}
  /** Without the numbers of the host. */
  take(): object[] {
    return this.sent.splice(0).map(({ method, params }) => {
      if (method !== 'action') return (params as { notification: object }).notification;
      const { serverSeq: _seq, ...rest } = params as ActionEnvelope;
      return rest;
    });
  }
}

function summary(resource: URI) {
  return { resource, title: 'T', status: 1 + 32, modifiedAt };
}

describe('the host as clients of AHP v1 see it', () => {
  let store: StateStore;
  let face: V1Face;
  let changed: Emitter<SessionsChange>;
  let timers: (() => void)[];
  let reason: string | undefined;
  /** What others do who are told of a resumed turn before the face is. */
  let answer: (() => void) | undefined;
  let created: SessionRequest[];
  const facts = { uri: session, workingDirectory: '/w', createdAt: NOW };

  const listed = (): ListedSession | undefined => {
    const state = store.session(session);
    return state && listedSession(facts, state, { defaultChat: store.chat(chat) });
  };
  const change = () => changed.fire({ type: 'changed', session });
  const join = (clientId: string, ...initialSubscriptions: string[]): FakeClient => {
    const client = new FakeClient(clientId);
    face.initialize({ protocolVersion: 1, clientId, initialSubscriptions }, () => client);
    return client;
  };
  const dispatch = (client: FakeClient, clientSeq: number, action: object) => face.receive('dispatchAction', { clientSeq, action }, client);
  const stateFor = async (client: FakeClient): Promise<V1Session> => {
    const { snapshot } = (await face.run('subscribe', { resource: session }, client)) as { snapshot: Snapshot };
    return snapshot.state as V1Session;
  };

  beforeEach(() => {
    store = new StateStore({ now: () => NOW });
    changed = new Emitter<SessionsChange>();
    timers = [];
    created = [];
    reason = undefined;
    answer = undefined;
    store.onDidDispatch(({ envelope: { action } }) => {
      if (action.type === 'chat/turnResume') answer?.();
    });
    const clock: Clock = {
      now: () => NOW,
      setTimer(callback) {
        timers.push(callback);
        return { dispose: () => undefined };
      },
    };
    const known = new Map<string, number>([['today', -1]]);
    const host = {
      store,
      clients: {
        join: ({ clientId }: Client) => void known.set(clientId, -1),
        rejoin: () => undefined,
        leave: () => undefined,
        dialectOf: (clientId: string) => (clientId === 'today' ? 'channels' : known.has(clientId) ? 'v1' : undefined),
        takeClientSeq(clientId: string, clientSeq: number) {
          if (clientSeq <= (known.get(clientId) ?? -1)) return 'stale';
          known.set(clientId, clientSeq);
          return undefined;
        },
      },
      sessions: {
        list: () => [listed()].filter((one) => one !== undefined),
        listed: (uri: string) => (uri === session ? listed() : undefined),
        facts: (uri: string) => (uri === session ? facts : undefined),
        wake(uri: string) {
          if (uri === 'copilot:/broken') throw new Error('it cannot be read');
        },
        create(request: SessionRequest) {
          created.push(request);
          return Promise.resolve();
        },
        disposeSession: () => Promise.resolve(),
        agent: () => assert.fail(),
        onDidChange: changed.event,
      },
      ownDefaultDirectory: 'file:///home',
      extensionsFor: () => ({}),
      dispatchAction(clientId: string, clientSeq: number, channel: URI, action: StateAction) {
        if (reason === undefined) store.dispatch(channel, action, { clientId, clientSeq });
        else store.reject(channel, action, { clientId, clientSeq }, reason);
      },
    };
    const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    face = new V1Face({ host: host as unknown as Host, logger: logger as never, clock });
    const state: SessionState = {
      ...{ provider: 'copilot', title: 'T', status: 1 + 32, lifecycle: 'ready', activeClients: [] },
      ...{ chats: [summary(chat)], defaultChat: chat },
    };
    store.add({ channel: session, kind: 'session', state }, session);
    store.add({ channel: chat, kind: 'chat', state: { ...summary(chat), turns: [] } }, session);
  });
  afterEach(() => face.dispose());

  const startTurn = (turnId = 't') =>
    store.dispatch(chat, { type: 'chat/turnStarted', turnId, startedAt: modifiedAt, message: { text: 'Go', origin: { kind: 'user' } } });
  const endTurn = (turnId = 't') => store.dispatch(chat, { type: 'chat/turnComplete', turnId, duration: 1 });

  it('greets a client with what it reads and is there, and refuses other versions', () => {
    const client = new FakeClient('a');
    const params = {
      protocolVersion: 1,
      clientId: 'a',
      initialSubscriptions: [ROOT, session, session, 'copilot:/none', 'copilot:/broken'],
    };
    const result = face.initialize(params, () => client);
    assert.deepEqual(
      result.snapshots.map(({ resource }) => resource),
      [ROOT, session],
    );
    assert.deepEqual([result.defaultDirectory, result.protocolVersion], ['file:///home', 1]);
    assert.deepEqual([...client.channels], ['ahp-root://', session, chat, changesUri(session)]);
    face.receive('unsubscribe', { resource: session }, client);
    assert.deepEqual([...client.channels], ['ahp-root://']);
    const unsupported = (error: unknown) => error instanceof RpcError && error.code === ErrorCode.UnsupportedProtocolVersion;
    assert.throws(() => face.initialize({ ...params, protocolVersion: 2 }, () => client), unsupported);
    assert.throws(() => face.initialize({ protocolVersion: 1 }, () => client), /params.clientId is missing/);
  });

  it('answers commands, and says what is wrong with others', async () => {
    const client = join('a');
    assert.deepEqual(await face.run('listSessions', {}, client), {
      items: [{ resource: session, provider: 'copilot', title: 'T', status: 33, createdAt: NOW, modifiedAt: NOW }],
    });
    await assert.rejects(face.run('subscribe', { resource: 'copilot:/none' }, client), /there is no session copilot:\/none/);
    await assert.rejects(face.run('subscribe', { resource: 'agenthost-terminal:/1' }, client), /there is no agenthost-terminal:\/1/);
    await assert.rejects(face.run('dispatchAction', {}, client), /is a notification/);
    await assert.rejects(face.run('dance', {}, client), /there is no method "dance"/);
    await assert.rejects(face.run('subscribe', {}, client), /params.resource is missing/);
    assert.equal(face.receive('listSessions', {}, client), 'listSessions needs an id');
    assert.equal(face.receive('dance', {}, client), 'there is no method "dance"');
    assert.equal(face.receive('dispatchAction', { clientSeq: 1 }, client), 'dispatchAction: params.action is missing');
    startTurn();
    endTurn();
    const { turns, hasMore } = (await face.run('fetchTurns', { session }, client)) as { turns: object[]; hasMore: boolean };
    assert.deepEqual([turns, hasMore], [[{ id: 't', userMessage: { text: 'Go' }, responseParts: [], state: 'complete' }], false]);
    await face.run('createSession', { session: 'copilot:/2', fork: { session, turnId: 't' }, model: { id: 'm' } }, client);
    assert.deepEqual(created, [{ session: 'copilot:/2', model: { id: 'm' }, fork: { chat, turnId: 't' }, taken: 'all or nothing' }]);
    await assert.rejects(
      face.run('createSession', { session: 'copilot:/3', fork: { session: 'copilot:/no', turnId: 't' } }, client),
      /there is no session/,
    );
    await assert.rejects(face.run('disposeSession', { session: 'copilot:/no' }, client), /there is no session/);
  });

  it('tells everything in the order of its number, also a resumed turn, which takes several actions', async () => {
    const a = join('a', session);
    const part = { kind: 'error' as const, error: { errorType: 'x', message: 'y' }, resumable: true };
    const text = { kind: 'markdown' as const, id: 'p', content: 'half' };
    const resumed = (turnId: string) => {
      startTurn(turnId);
      store.dispatch(chat, { type: 'chat/responsePart', turnId, part: text });
      store.dispatch(chat, { type: 'chat/error', turnId, duration: 1, part });
      a.sent.splice(0);
      store.dispatch(chat, { type: 'chat/turnResume', turnId });
    };
    answer = () => store.dispatch(session, { type: 'session/titleChanged', title: 'More' });
    const told = () =>
      a.sent.splice(0).map(({ params }) => {
        const { serverSeq, action } = params as ActionEnvelope;
        return [serverSeq, action.type] as const;
      });
    const types = ['session/truncated', 'session/turnStarted', 'session/responsePart'];
    const check = (...more: string[]) => {
      const all = told();
      assert.deepEqual(
        all.filter(([, type]) => types.includes(type)).map(([, type]) => type),
        [...types, ...more],
      );
      const numbers = all.map(([seq]) => seq);
      assert.deepEqual(
        numbers,
        [...numbers].sort((one, other) => one - other),
      );
      assert.equal(new Set(numbers).size, numbers.length);
    };
    resumed('t');
    await Promise.resolve();
    check();
    endTurn('t');
    resumed('u');
    store.dispatch(chat, { type: 'chat/responsePart', turnId: 'u', part: { ...text, id: 'q' } });
    check('session/responsePart');
    endTurn('u');
    resumed('v');
    const b = join('b', session);
    await Promise.resolve();
    check();
    assert.deepEqual(b.take(), [], 'what its snapshot has already');
  });

  it('tells subscribers what was accepted, and the sender alone what was refused, in its own words', () => {
    const [a, b, c] = [join('a', session), join('b', session), join('c')];
    const titled = { type: 'session/titleChanged', session, title: 'New', more: 1 };
    dispatch(a, 1, titled);
    const accepted = { action: titled, origin: { clientId: 'a', clientSeq: 1 } };
    assert.deepEqual([a.take(), b.take(), c.take()], [[accepted], [accepted], []]);
    reason = 'not now';
    dispatch(c, 1, titled);
    const refused = { action: titled, origin: { clientId: 'c', clientSeq: 1 }, rejectionReason: 'not now' };
    assert.deepEqual([a.take(), b.take(), c.take()], [[], [], [refused]]);
    store.reject(session, { type: 'session/titleChanged', title: 'x' }, { clientId: 'today', clientSeq: 1 }, 'no');
    store.dispatch(session, { type: 'session/titleChanged', title: 'Of today' }, { clientId: 'today', clientSeq: 2 });
    assert.deepEqual(a.take(), [{ action: { type: 'session/titleChanged', session, title: 'Of today' } }]);
  });

  it('refuses what is no action, what is old, and what is for something else; what is not there is ignored', () => {
    const a = join('a', session);
    const reasons = (...actions: object[]) => {
      for (const [index, action] of actions.entries()) dispatch(a, 10 + index, action);
      return a.take().map((told) => (told as ActionEnvelope).rejectionReason);
    };
    assert.deepEqual(
      reasons(
        { type: 'session/ready', session },
        { type: 'later/thing' },
        { type: 'session/titleChanged', session },
        { type: 'session/titleChanged', session: ROOT, title: 'x' },
        { type: 'session/titleChanged', session: 'copilot:/broken', title: 'x' },
        { type: 'session/titleChanged', session: 'copilot:/none', title: 'x' },
      ),
      [
        'clients may not dispatch "session/ready"',
        'clients may not dispatch "later/thing"',
        'title is missing',
        'session/titleChanged does not belong to this resource',
        'it cannot be read',
      ],
    );
    dispatch(a, 3, { type: 'session/titleChanged', session, title: 'x' });
    assert.equal((a.take()[0] as ActionEnvelope).rejectionReason, 'stale');
  });

  it('tells once that a session is read, which takes two actions of the store', async () => {
    store.dispatch(chat, { type: 'chat/isReadChanged', isRead: false });
    store.dispatch(session, { type: 'session/isReadChanged', isRead: false });
    const [a, b] = [join('a', session), join('b', session)];
    const action = { type: 'session/isReadChanged', session, isRead: true };
    dispatch(a, 1, action);
    const told = [{ action, origin: { clientId: 'a', clientSeq: 1 } }];
    assert.deepEqual([a.take(), b.take()], [told, told]);
    assert.equal((await stateFor(b)).summary.status, 1 + 32);
  });

  it('has one active client, which any other may unset, beside those of today', async () => {
    const today = { clientId: 'today', tools: [] };
    store.dispatch(session, { type: 'session/activeClientSet', activeClient: today });
    const [a, b] = [join('a', session), join('b', session)];
    const activeClient = { clientId: 'a', tools: [] };
    const change = (client: FakeClient, clientSeq: number, next: object | null): string | undefined => {
      dispatch(client, clientSeq, { type: 'session/activeClientChanged', session, activeClient: next });
      return (client.take().at(-1) as ActionEnvelope).rejectionReason;
    };
    assert.equal(change(a, 1, null), undefined);
    assert.equal(change(a, 2, activeClient), undefined);
    assert.equal(change(b, 1, activeClient), 'activeClient.clientId must be the own one');
    assert.equal(change(b, 2, { clientId: 'b', tools: [] }), 'another client is active; unset it first');
    dispatch(b, 3, { type: 'session/activeClientToolsChanged', session, tools: [] });
    assert.equal((b.take()[0] as ActionEnvelope).rejectionReason, 'only the active client may change its tools');
    dispatch(a, 3, { type: 'session/activeClientToolsChanged', session, tools: [{ name: 'look' }] });
    assert.deepEqual((await stateFor(b)).activeClient, { clientId: 'a', tools: [{ name: 'look' }] });
    assert.equal(change(b, 4, null), undefined);
    assert.deepEqual(store.session(session)?.activeClients, [today]);
  });

  it('lets a model wait for the end of the turn, and only the last one', () => {
    store.dispatch('ahp-root://', {
      type: 'root/agentsChanged',
      agents: [
        { provider: 'copilot', displayName: '', description: '', models: ['m', 'n'].map((id) => ({ id, provider: 'copilot', name: id })) },
      ],
    });
    store.dispatch(chat, { type: 'chat/draftChanged', draft: { text: 'so far', origin: { kind: 'user' } } });
    const a = join('a', session);
    startTurn();
    a.take();
    const choose = (clientSeq: number, id: string) => {
      const action = { type: 'session/modelChanged', session, model: { id } };
      dispatch(a, clientSeq, action);
      return { action, origin: { clientId: 'a', clientSeq } };
    };
    const unknown = choose(1, 'other');
    assert.deepEqual(a.take(), [{ ...unknown, rejectionReason: 'The model other is not offered any more. Choose another one.' }]);
    const first = choose(2, 'm');
    assert.deepEqual(a.take(), []);
    const second = choose(3, 'n');
    assert.deepEqual(a.take(), [{ ...first, rejectionReason: 'another model was chosen before the turn ended' }]);
    endTurn();
    assert.deepEqual(a.take(), [{ action: { type: 'session/turnComplete', session, turnId: 't' } }, second]);
    assert.deepEqual(store.chat(chat)?.draft, { text: 'so far', origin: { kind: 'user' }, model: { id: 'n' } });
  });

  it('gives a client that comes back what it missed, or snapshots where that is not known', () => {
    const a = join('a', session);
    const reconnect = (lastSeenServerSeq: number, ...subscriptions: string[]) =>
      face.reconnect({ clientId: 'a', lastSeenServerSeq, subscriptions }, () => new FakeClient('a'));
    const since = store.serverSeq;
    face.leave(a);
    store.dispatch(session, { type: 'session/titleChanged', title: '1' });
    store.dispatch(session, { type: 'session/inputNeededRemoved', id: 'nothing' });
    store.dispatch('ahp-root://', { type: 'root/activeSessionsChanged', activeSessions: 3 });
    const missed = reconnect(since, session);
    assert(missed.type === 'replay');
    assert.deepEqual(missed.actions, [{ action: { type: 'session/titleChanged', session, title: '1' }, serverSeq: since + 1 }]);
    assert.equal(reconnect(since - 1, session).type, 'snapshot');
    assert.equal(reconnect(store.serverSeq + 1, session).type, 'snapshot');
    assert.equal(reconnect(since, session, 'copilot:/none').type, 'snapshot');
    store.add({ channel: sub, kind: 'chat', state: { ...summary(sub), turns: [] } }, session);
    assert.equal(reconnect(since, subagent).type, 'snapshot');
    assert.equal(reconnect(store.serverSeq, subagent).type, 'replay');
    assert.throws(() => face.reconnect({ clientId: 'x', lastSeenServerSeq: 0, subscriptions: [] }, () => a), /does not know the client/);
    assert.throws(
      () => face.reconnect({ clientId: 'today', lastSeenServerSeq: 0, subscriptions: [] }, () => a),
      /does not know the client/,
    );
  });

  it('shows the chat of a subagent as a session, and others not', async () => {
    const a = join('a', session);
    const theirs = 'ahp-chat:/theirs';
    for (const channel of [sub, theirs]) {
      store.add({ channel, kind: 'chat', state: { ...summary(channel), turns: [] } }, session);
      store.dispatch(session, { type: 'session/chatAdded', summary: summary(channel) });
      change();
    }
    const told = a.take();
    assert.deepEqual(
      told.map((one) => [(one as { type: string }).type, (one as { summary: { resource: string } }).summary.resource]),
      [['notify/sessionAdded', subagent]],
    );
    await face.run('subscribe', { resource: subagent }, a);
    await assert.rejects(face.run('subscribe', { resource: theirs }, a), /there is no session/);
    store.dispatch(theirs, { type: 'chat/activityChanged', activity: 'x' });
    store.dispatch(sub, { type: 'chat/activityChanged', activity: 'reading' });
    dispatch(a, 1, { type: 'session/titleChanged', session: subagent, title: 'Look' });
    dispatch(a, 2, { type: 'session/configChanged', session: subagent, config: {} });
    assert.deepEqual(a.take(), [
      { action: { type: 'session/activityChanged', session: subagent, activity: 'reading' } },
      { action: { type: 'session/titleChanged', session: subagent, title: 'Look' }, origin: { clientId: 'a', clientSeq: 1 } },
      {
        action: { type: 'session/configChanged', session: subagent, config: {} },
        origin: { clientId: 'a', clientSeq: 2 },
        rejectionReason: 'the session belongs to a subagent, which accepts no messages',
      },
    ]);
    assert.equal(store.session(session)?.chats.find(({ resource }) => resource === sub)?.title, 'Look');
    store.delete(sub);
    store.add({ channel: sub, kind: 'chat', state: { ...summary(sub), turns: [] } }, session);
    store.dispatch(sub, { type: 'chat/activityChanged', activity: 'x' });
    assert.deepEqual(a.take(), []);
    changed.fire({ type: 'removed', session, chats: [] });
    assert.deepEqual(a.take(), [
      { type: 'notify/sessionRemoved', session: subagent },
      { type: 'notify/sessionRemoved', session },
    ]);
  });

  it('gathers changes of summaries, and names only what changed', () => {
    const elapse = () => {
      for (const timer of timers.splice(0)) timer();
    };
    const a = join('a');
    for (const title of ['one', 'two']) {
      store.dispatch(session, { type: 'session/titleChanged', title });
      change();
    }
    assert.equal(timers.length, 1);
    elapse();
    assert.deepEqual(a.take(), [{ type: 'notify/sessionSummaryChanged', session, changes: { title: 'two' } }]);
    for (const isRead of [false, true]) {
      store.dispatch(session, { type: 'session/isReadChanged', isRead });
      change();
    }
    elapse();
    store.dispatch(session, { type: 'session/activityChanged', activity: 'reading' });
    change();
    elapse();
    store.dispatch(session, { type: 'session/activityChanged' });
    change();
    elapse();
    assert.deepEqual(
      a.take().map((one) => (one as { changes: object }).changes),
      [{ activity: 'reading' }, { activity: '' }],
    );
  });

  it('tells of the files that a session has changed', async () => {
    const a = join('a', session);
    const edit = { after: { uri: 'file:///w/a', content: { uri: 'x:/a' } } };
    store.add({ channel: changesUri(session), kind: 'changeset', state: { status: 'ready', files: [{ id: '1', edit }] } }, session);
    store.dispatch(changesUri(session), { type: 'changeset/fileSet', file: { id: '2', edit } });
    assert.deepEqual(a.take(), [
      { action: { type: 'session/diffsChanged', session, diffs: [edit] } },
      { action: { type: 'session/diffsChanged', session, diffs: [edit, edit] } },
    ]);
    assert.deepEqual((await stateFor(a)).summary.diffs, [edit, edit]);
  });

  it('tells of things as they were when they happened, also when a listener has gone on', () => {
    const a = join('a', session);
    const listener = store.onDidDispatch(({ envelope }) => {
      if (envelope.action.type === 'chat/isReadChanged' && !envelope.action.isRead)
        store.dispatch(session, { type: 'session/isReadChanged', isRead: false });
    });
    store.dispatch(chat, { type: 'chat/isReadChanged', isRead: false });
    listener.dispose();
    store.dispatch(session, { type: 'session/isReadChanged', isRead: true });
    store.dispatch(chat, { type: 'chat/isReadChanged', isRead: true });
    assert.deepEqual(
      a.take().map((one) => ((one as ActionEnvelope).action as { isRead?: boolean }).isRead),
      [false, true],
    );
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { FakeHost, sessionState, sessionSummary, terminalState } from '../../../test/fakes/fakeHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { StateAction } from '../v1/actions.ts';
import { ROOT_URI } from '../v1/root.ts';
import { AgentHostClient, type AgentHostClientOptions } from './agentHostClient.ts';
import type { ConnectionState } from './connectionState.ts';
import type { SubscriptionChange } from './subscription.ts';
import { TransportError } from './transport.ts';
import { whenLive } from './whenLive.ts';

const session = 'demo:/1';
const terminal = 'agenthost-terminal:/1';
const titled = (title: string): StateAction => ({ type: 'session/titleChanged', session, title });
const active = (activeSessions: number): StateAction => ({ type: 'root/activeSessionsChanged', activeSessions });

const clients: AgentHostClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
});

/** A host with a session and a terminal, and a client that starts connecting to it. */
function setUp(options: Partial<AgentHostClientOptions> = {}, refuse?: () => TransportError | undefined) {
  const host = new FakeHost();
  host.states.set(session, sessionState(session, 'first'));
  host.states.set(terminal, terminalState());
  host.summaries = [sessionSummary(session, 'first')];
  const clock = new FakeClock();
  const memory = memoryTransport(host, refuse);
  const states: ConnectionState[] = [];
  const client = AgentHostClient.create({
    url: 'ws://host:1',
    clientId: 'me',
    transport: memory.transport,
    clock,
    random: () => 0,
    ...options,
  });
  clients.push(client);
  client.onDidChangeState((state) => states.push(state));
  const isConnected = () => client.state.kind === 'connected';
  return { host, clock, memory, client, states, isConnected };
}

/** The same, connected and at rest. */
async function connected(options: Partial<AgentHostClientOptions> = {}) {
  const all = setUp(options);
  await eventually(all.isConnected, 'a connection');
  await atRest();
  return all;
}

/** Loses the line and lets the client come back. */
async function loseLine(
  { memory, clock, client, isConnected }: Awaited<ReturnType<typeof connected>>,
  meanwhile = () => undefined as void,
) {
  memory.line.drop();
  await eventually(() => client.state.kind === 'reconnecting', 'the loss');
  meanwhile();
  clock.advance(1_000);
  await eventually(isConnected, 'a new connection');
  await atRest();
}

describe('AgentHostClient: connecting', () => {
  it('initializes with the root, lists the sessions, and says what it is connected to', async () => {
    const { host, client, states } = setUp();
    host.methods['initialize'] = ((initialize) => (params, connection) => ({
      ...(initialize?.(params, connection) as object),
      defaultDirectory: 'file:///home',
    }))(host.methods['initialize']);
    assert.deepEqual(client.state, { kind: 'connecting', attempt: 1 });
    await eventually(() => client.sessions.state === 'ready', 'the sessions');
    assert.deepEqual(host.paramsOf('initialize'), [{ protocolVersion: 1, clientId: 'me', initialSubscriptions: [ROOT_URI] }]);
    const [state] = states;
    assert.ok(state?.kind === 'connected');
    assert.deepEqual([state.serverSeq, state.defaultDirectory], [1, 'file:///home']);
    assert.deepEqual(
      client.sessions.items.map(({ title }) => title),
      ['first'],
    );
    assert.deepEqual(client.subscribeRoot().confirmed, { agents: [] });
  });

  it('reads what was subscribed before there was a line, terminals by a request of their own', async () => {
    const { host, client } = setUp();
    const [one, two] = [client.subscribeSession(session), client.subscribeTerminal(terminal)];
    const gone = client.subscribeSession('demo:/gone');
    await Promise.all([whenLive(one), whenLive(two), assert.rejects(whenLive(gone), /Session not found/)]);
    assert.deepEqual(host.paramsOf('initialize')[0].initialSubscriptions, [ROOT_URI, session, 'demo:/gone']);
    assert.deepEqual(host.order, ['initialize', 'listSessions', 'subscribe demo:/gone', `subscribe ${terminal}`]);
    assert.equal(one.confirmed?.summary.title, 'first');
  });

  it('tries again with growing pauses while nobody answers, and says so', async () => {
    let refusals = 6;
    const { client, clock, states, isConnected, memory } = setUp({}, () =>
      refusals-- > 0 ? new TransportError('unreachable', 'the connection was refused') : undefined,
    );
    const pauses: number[] = [];
    while (!isConnected()) {
      const count = states.length;
      await eventually(() => states.length > count || isConnected(), 'the next state');
      const { state } = client;
      if (state.kind !== 'reconnecting') break;
      assert.match(state.reason.message, /^host:1 cannot be reached: the connection was refused\. Start the agent host/);
      assert.equal(state.since, 1_000_000);
      pauses.push(state.nextAttemptAt - clock.now());
      clock.advance(state.nextAttemptAt - clock.now());
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    assert.equal(memory.urls.length, 7);
  });

  it('does not wait when told so', async () => {
    let refusals = 1;
    const { client, isConnected } = setUp({}, () => (refusals-- > 0 ? new TransportError('unreachable', 'x') : undefined));
    await eventually(() => client.state.kind === 'reconnecting', 'the pause');
    client.reconnectNow();
    await eventually(isConnected, 'a connection');
  });

  for (const [name, options, refusal, kind] of [
    ['a wrong token', {}, new TransportError('token', 'the host answered 401'), 'token'],
    ['something that is no host', {}, new TransportError('notAgentHost', 'the address answered 404'), 'notAgentHost'],
    ['an address that is none', { url: 'file:///x' }, undefined, 'address'],
  ] as const) {
    it(`stops at ${name}`, async () => {
      const { client, clock, memory } = setUp({ token: 'secret', ...options }, () => refusal);
      await eventually(() => client.state.kind === 'failed', 'the failure');
      assert.ok(client.state.kind === 'failed');
      assert.equal(client.state.reason.kind, kind);
      assert.doesNotMatch(JSON.stringify(client.state), /secret/);
      clock.advance(3_600_000);
      await atRest();
      assert.ok(memory.urls.length <= 1);
    });
  }

  it('stops at a host of another version, and says which side to change', async () => {
    for (const [answer, advice] of [
      [new RpcError(-32005, 'no', { supportedVersions: ['^0.9.0'] }), /speaks version \^0\.9\.0.*Update Tapline/],
      [new RpcError(-32005, 'too old'), /refuses version 1 \("too old"\).*Update whichever/],
      [{ protocolVersion: 0, serverSeq: 1, snapshots: [] }, /speaks version 0 .*Update the agent host/],
      [{ protocolVersion: '0.9.0', serverSeq: 1, snapshots: [] }, /Update Tapline/],
    ] as const) {
      const { host, client } = setUp();
      host.methods['initialize'] = () => {
        if (answer instanceof RpcError) throw answer;
        return answer;
      };
      await eventually(() => client.state.kind === 'failed', 'the failure');
      assert.ok(client.state.kind === 'failed');
      assert.equal(client.state.reason.kind, 'version');
      assert.match(client.state.reason.message, advice);
    }
  });

  it('connect() rejects at the first failure instead of trying on', async () => {
    const { memory } = setUp();
    const refused = memoryTransport(new FakeHost(), () => new TransportError('unreachable', 'the connection was refused'));
    await assert.rejects(AgentHostClient.connect({ url: 'ws://h:1', transport: refused.transport }), { name: 'ConnectionError' });
    assert.equal(refused.urls.length, 1);
    const client = await AgentHostClient.connect({ url: 'ws://h:1', token: 'a b', transport: memory.transport });
    clients.push(client);
    assert.equal(client.state.kind, 'connected');
    assert.equal(memory.urls.at(-1), 'ws://h:1/?tkn=a+b');
  });
});

describe('AgentHostClient: requests', () => {
  it('gives the result, the host’s error, and the lost line, each as itself', async () => {
    const all = await connected();
    const { host, client } = all;
    host.methods['resourceList'] = () => ({ entries: [] });
    assert.deepEqual(await client.request('resourceList', { uri: 'file:///' }), { entries: [] });
    await assert.rejects(client.request('disposeSession', { session }), { name: 'RpcError', code: -32603 });
    host.methods['createSession'] = () => new Promise(() => undefined);
    await assert.rejects(client.request('createSession', { session }, 5), { name: 'TimeoutError', what: 'createSession' });
    const open = client.request('createSession', { session });
    all.memory.line.drop(1001, 'going away');
    await assert.rejects(open, { name: 'ConnectionError', message: 'The line to host:1 ended (code 1001: going away).' });
    await atRest();
    await assert.rejects(client.request('createSession', { session }), /no connection to host:1, so createSession was not sent/);
  });

  it('refuses requests of the host, or lets the handler serve them', async () => {
    const plain = await connected();
    await assert.rejects(plain.host.connection.peer.request('resourceRead', { uri: 'x' }, 1_000), { code: -32601 });
    const serving = await connected({
      onHostRequest: (method, params) => {
        if (method === 'resourceRead') return { data: JSON.stringify(params), encoding: 'utf-8' };
        throw new RpcError(-32009, 'not that');
      },
    });
    const { peer } = serving.host.connection;
    assert.deepEqual(await peer.request('resourceRead', { uri: 'x' }, 1_000), { data: '{"uri":"x"}', encoding: 'utf-8' });
    await assert.rejects(peer.request('resourceDelete', { uri: 'x' }, 1_000), { code: -32009 });
  });

  it('hands every notification on', async () => {
    const { host, client } = await connected();
    const heard: string[] = [];
    client.onNotification(({ type }) => heard.push(type));
    host.notify({ type: 'notify/authRequired', resource: 'https://api.example' });
    host.connection.peer.notify('notification', { nonsense: 1 });
    host.connection.peer.notify('somethingNew', {});
    await atRest();
    assert.deepEqual(heard, ['notify/authRequired']);
    assert.equal(client.state.kind, 'connected');
  });

  it('asks again for what was refused for want of a token', async () => {
    const all = setUp();
    const { host, client } = all;
    let isKnown = false;
    for (const method of ['listSessions', 'subscribe']) {
      const original = host.methods[method];
      host.methods[method] = (params, connection) => {
        if (!isKnown) throw new RpcError(-32007, 'Authentication is required');
        return original?.(params, connection);
      };
    }
    host.methods['authenticate'] = () => {
      isKnown = true;
      return {};
    };
    await eventually(() => typeof client.sessions.state === 'object', 'the refusal');
    const subscription = client.subscribeSession(session);
    await eventually(() => subscription.status.kind === 'failed', 'the other refusal');
    await client.request('authenticate', { resource: 'https://api.example', token: 't' });
    await whenLive(subscription);
    await eventually(() => client.sessions.state === 'ready', 'the list');
  });
});

describe('AgentHostClient: subscriptions', () => {
  it('share one resource, and leave it with the last reader', async () => {
    const { host, client } = await connected();
    const [one, two] = [client.subscribeSession(session), client.subscribeSession(session)];
    await whenLive(one);
    assert.equal(one.state, two.state);
    one.dispose();
    one.dispose();
    host.emit(titled('renamed'));
    await atRest();
    assert.equal(two.state?.summary.title, 'renamed');
    assert.deepEqual(host.paramsOf('unsubscribe'), []);
    two.dispose();
    await atRest();
    assert.deepEqual(host.paramsOf('unsubscribe'), [{ resource: session }]);
    const again = client.subscribeSession(session);
    assert.equal(again.status.kind, 'loading');
    await whenLive(again);
    assert.equal(host.paramsOf('subscribe').length, 2);
  });

  it('keep envelopes that overtake their snapshot', async () => {
    const { host, client } = await connected();
    let answer: () => void = () => undefined;
    host.methods['subscribe'] = ({ resource }, connection) => {
      const snapshot = host.subscribe(resource, connection);
      return new Promise((resolve) => (answer = () => resolve({ snapshot })));
    };
    const subscription = client.subscribeSession(session);
    await atRest();
    host.emit(titled('early'));
    await atRest();
    assert.equal(subscription.status.kind, 'loading');
    answer();
    const state = await whenLive(subscription);
    assert.equal(state.summary.title, 'early');
  });

  it('the answer for a reader that has gone does not disturb the next one', async () => {
    const { host, client } = await connected();
    const answers: (() => void)[] = [];
    host.methods['subscribe'] = ({ resource }, connection) => {
      const snapshot = { ...host.subscribe(resource, connection), state: sessionState(session, `answer ${answers.length}`) };
      return new Promise((resolve) => answers.push(() => resolve({ snapshot })));
    };
    client.subscribeSession(session).dispose();
    const subscription = client.subscribeSession(session);
    await eventually(() => answers.length === 2, 'both requests');
    answers[0]?.();
    await atRest();
    assert.equal(subscription.status.kind, 'loading');
    answers[1]?.();
    assert.equal((await whenLive(subscription)).summary.title, 'answer 1');
  });

  it('fail with the host’s reason, and try again for a new reader', async () => {
    const { host, client } = await connected();
    const uri = 'demo:/later';
    const first = client.subscribeSession(uri);
    await eventually(() => first.status.kind === 'failed', 'the refusal');
    assert.deepEqual(first.status, { kind: 'failed', error: { code: -32001, message: `Session not found: ${uri}` } });
    host.states.set(uri, sessionState(uri));
    const second = client.subscribeSession(uri);
    await whenLive(second);
    assert.equal(first.status.kind, 'live');
  });

  it('fail when the answer is no snapshot of that resource', async () => {
    for (const snapshot of [
      undefined,
      { resource: 'demo:/2', state: sessionState('demo:/2'), fromSeq: 1 },
      { resource: session, state: {}, fromSeq: 1 },
    ]) {
      const { host, client } = await connected();
      host.methods['subscribe'] = () => ({ snapshot });
      const subscription = client.subscribeSession(session);
      await eventually(() => subscription.status.kind === 'failed', 'the failure');
    }
  });

  it('tell one change a tick, and what is read in between is told first', async () => {
    const { host, client } = await connected();
    const subscription = client.subscribeSession(session);
    await whenLive(subscription);
    await atRest();
    const events: SubscriptionChange[] = [];
    subscription.onDidChange((change) => events.push(change));
    for (const title of ['a', 'b', 'c']) host.emit(titled(title));
    await atRest();
    assert.equal(events.length, 1);
    assert.deepEqual(events[0]?.kind === 'actions' && events[0].actions.length, 3);
    assert.deepEqual(subscription.confirmed?.summary.title, 'c');
  });

  it('survive envelopes that nobody can read', async () => {
    const { host, client } = await connected();
    const root = client.subscribeRoot();
    for (const params of [null, [], { action: {} }, { serverSeq: 5 }, { action: { type: 7 }, serverSeq: 5 }])
      host.connection.peer.notify('action', params);
    host.connection.sendEnvelope({ action: { type: 'later/thing' } as unknown as StateAction, serverSeq: ++host.serverSeq });
    host.emit(active(3));
    await atRest();
    assert.equal(root.confirmed?.activeSessions, 3);
  });
});

describe('AgentHostClient: dispatch', () => {
  it('sends nothing that only the host may say, or that belongs elsewhere', async () => {
    const { host, client } = await connected();
    const outcomes = await Promise.all([
      client.dispatch(ROOT_URI, { type: 'root/agentsChanged', agents: [] }).settled,
      client.dispatch('demo:/other', titled('x')).settled,
      client.dispatch(session, { type: 'session/unheardOf' } as unknown as StateAction).settled,
    ]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.deepEqual(host.paramsOf('dispatchAction'), []);
  });

  it('numbers actions, and settles them', async () => {
    const { host, client } = await connected();
    const subscription = client.subscribeSession(session);
    await whenLive(subscription);
    const first = client.dispatch(session, titled('one'));
    assert.equal(subscription.state?.summary.title, 'one');
    assert.deepEqual(await first.settled, { kind: 'confirmed' });
    assert.equal(subscription.confirmed?.summary.title, 'one');
    host.methods['dispatchAction'] = ({ clientSeq, action }) => void host.emit(action, { clientId: 'me', clientSeq }, 'read only');
    const second = client.dispatch(session, titled('two'));
    assert.ok(second.clientSeq > first.clientSeq);
    assert.deepEqual(await second.settled, { kind: 'rejected', reason: 'read only' });
    assert.equal(subscription.state?.summary.title, 'one');
    subscription.dispose();
    assert.equal((await client.dispatch(session, titled('unseen')).settled).kind, 'unknown');
  });
});

describe('AgentHostClient: a lost line', () => {
  it('is resumed by reconnect, and what was missed is replayed before what is new', async () => {
    const all = await connected();
    const { host, client } = all;
    const subscription = client.subscribeSession(session);
    await whenLive(subscription);
    const seen = host.serverSeq;
    const reconnect = host.methods['reconnect'];
    host.methods['reconnect'] = (params, connection) => {
      const result = reconnect?.(params, connection);
      // Overtakes the answer.
      host.emit({ type: 'session/turnStarted', session, turnId: 't2', userMessage: { text: 'new' } });
      return result;
    };
    await loseLine(all, () => {
      assert.equal(subscription.status.kind, 'stale');
      host.emit({ type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'missed' } });
      host.emit({ type: 'session/turnComplete', session, turnId: 't1' });
    });
    assert.deepEqual(host.paramsOf('reconnect'), [{ clientId: 'me', lastSeenServerSeq: seen, subscriptions: [ROOT_URI, session] }]);
    assert.equal(subscription.status.kind, 'live');
    assert.deepEqual([subscription.confirmed?.turns.map(({ id }) => id), subscription.confirmed?.activeTurn?.id], [['t1'], 't2']);
    assert.equal(host.paramsOf('initialize').length, 1);
    assert.equal(host.paramsOf('listSessions').length, 2, 'notifications are not replayed');
  });

  it('takes snapshots instead, and asks again for what they leave out', async () => {
    const all = await connected();
    const { host, client } = all;
    const [own, pty] = [client.subscribeSession(session), client.subscribeTerminal(terminal)];
    await Promise.all([whenLive(own), whenLive(pty)]);
    host.methods['reconnect'] = ({ subscriptions }, connection) => ({
      type: 'snapshot',
      snapshots: (subscriptions as string[]).filter((uri) => uri !== terminal).map((uri) => host.subscribe(uri, connection)),
    });
    await loseLine(all, () => {
      host.emit(titled('fresh'));
      host.emit({ type: 'terminal/data', terminal, data: 'missed' });
    });
    assert.equal(own.confirmed?.summary.title, 'fresh');
    assert.equal(pty.status.kind, 'live');
    assert.equal(pty.confirmed?.content.length, 1);
    assert.deepEqual(host.order.slice(0, 2), ['reconnect', `subscribe ${terminal}`]);
  });

  for (const [fault, reconnect] of [
    [
      'refuses',
      () => {
        throw new RpcError(-32008, 'Reconnect client not found');
      },
    ],
    ['answers nonsense', () => ({ type: 'something' })],
    ['replays old numbers', () => ({ type: 'replay', actions: [{ action: active(9), serverSeq: 2 }] })],
    ['replays nothing although it has started again', () => ({ type: 'replay', actions: [] })],
    [
      'gives snapshots of old numbers',
      () => ({ type: 'snapshot', snapshots: [{ resource: ROOT_URI, state: { agents: [] }, fromSeq: 1 }] }),
    ],
  ] as const) {
    it(`begins anew, in order, when the host ${fault}`, async () => {
      const all = await connected();
      const { host, client } = all;
      const [own, pty] = [client.subscribeSession(session), client.subscribeTerminal(terminal)];
      await Promise.all([whenLive(own), whenLive(pty)]);
      await client.request('authenticate', { resource: 'https://api.example', token: 't' });
      for (let count = 0; count < 20; count++) host.emit(active(count));
      await atRest();
      host.methods['reconnect'] = reconnect;
      await loseLine(all, () => {
        void client.dispatch(session, titled('typed meanwhile'));
        host.serverSeq = 1;
        host.states.set(session, sessionState(session, 'restored'));
      });
      await eventually(() => pty.status.kind === 'live', 'the terminal');
      assert.deepEqual(host.order, [
        'initialize',
        'authenticate https://api.example',
        'listSessions',
        `subscribe ${session}`,
        `subscribe ${terminal}`,
        'dispatchAction session/titleChanged',
      ]);
      assert.equal(own.status.kind, 'live');
      assert.equal(own.confirmed?.summary.title, 'typed meanwhile');
      assert.equal(client.subscribeRoot().confirmed?.activeSessions, 19);
      const before = host.serverSeq;
      host.emit(active(42));
      await atRest();
      assert.ok(before < 10);
      assert.equal(client.subscribeRoot().confirmed?.activeSessions, 42, 'the low numbers of the new run count');
    });
  }

  it('begins anew when the numbers of a live line go backwards', async () => {
    const { host, client, states, clock, isConnected } = await connected();
    for (let count = 0; count < 20; count++) host.emit(active(count));
    await atRest();
    host.serverSeq = 3;
    host.emit(active(1));
    await eventually(() => client.state.kind === 'reconnecting', 'the step back');
    const state = states.at(-1);
    assert.ok(state?.kind === 'reconnecting');
    assert.equal(state.reason.kind, 'restarted');
    clock.advance(1_000);
    await eventually(isConnected, 'the new connection');
    assert.deepEqual(host.paramsOf('reconnect'), []);
    assert.equal(client.subscribeRoot().confirmed?.activeSessions, 1);
  });

  it('is noticed by silence alone', async () => {
    const { client, clock, memory, isConnected } = await connected();
    for (const pings of [1, 2, 3, 4, 5]) {
      clock.advance(5_000);
      await atRest();
      assert.equal(memory.line.pings, pings);
    }
    assert.ok(isConnected(), 'the answers to pings count');
    memory.line.isDead = true;
    clock.advance(25_000);
    await eventually(() => client.state.kind === 'reconnecting', 'the death');
    assert.ok(client.state.kind === 'reconnecting');
    assert.match(client.state.reason.message, /silent for too long/);
    clock.advance(1_000);
    await eventually(isConnected, 'a new line');
    assert.equal(memory.lines.length, 2);
  });

  it('a line that lasted begins the back-off anew, a short one does not', async () => {
    const { client, clock, memory, isConnected } = await connected();
    const loseAfter = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        clock.advance(1_000);
        await atRest();
      }
      memory.line.drop();
      await eventually(() => client.state.kind === 'reconnecting', 'the loss');
      assert.ok(client.state.kind === 'reconnecting');
      const pause = client.state.nextAttemptAt - clock.now();
      client.reconnectNow();
      await eventually(isConnected, 'a new line');
      return pause;
    };
    assert.deepEqual(
      [await loseAfter(0), await loseAfter(1), await loseAfter(9), await loseAfter(10), await loseAfter(0)],
      [1_000, 2_000, 4_000, 1_000, 2_000],
    );
  });

  it('a host that drops every line at once is left longer and longer in peace', async () => {
    const { host, client, clock, states } = setUp();
    host.methods['initialize'] = () => {
      host.connection.close(1011, 'crash');
      return new Promise(() => undefined);
    };
    const pauses: number[] = [];
    for (let round = 0; round < 3; round++) {
      const count = states.length;
      await eventually(() => states.length > count, 'the next loss');
      assert.ok(client.state.kind === 'reconnecting');
      assert.equal(client.state.attempt, round + 2);
      pauses.push(client.state.nextAttemptAt - clock.now());
      clock.advance(client.state.nextAttemptAt - clock.now());
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000]);
  });
});

describe('AgentHostClient: close', () => {
  it('ends everything: no attempt, no event, no open request, every outcome said', async () => {
    const all = await connected();
    const { host, client, clock, memory, states } = all;
    const subscription = client.subscribeSession(session);
    await whenLive(subscription);
    host.methods['dispatchAction'] = () => undefined;
    host.methods['resourceList'] = () => new Promise(() => undefined);
    const open = client.request('resourceList', { uri: 'x' });
    const { settled } = client.dispatch(session, titled('late'));
    client.close();
    client.close();
    await assert.rejects(open, { name: 'ConnectionError' });
    assert.equal((await settled).kind, 'unknown');
    assert.equal(client.state.kind, 'closed');
    assert.equal(states.at(-1)?.kind, 'closed');
    clock.advance(3_600_000);
    await atRest();
    assert.equal(memory.lines.length, 1);
    assert.equal(clock.pending, 0);
  });

  it('while connecting, leaves no line behind', async () => {
    const early = setUp();
    early.client.close();
    const inHandshake = setUp();
    inHandshake.host.methods['initialize'] = () => new Promise(() => undefined);
    await eventually(() => inHandshake.host.paramsOf('initialize').length, 'the handshake');
    inHandshake.client.close();
    const inPause = setUp({}, () => new TransportError('unreachable', 'x'));
    await eventually(() => inPause.client.state.kind === 'reconnecting', 'the pause');
    inPause.client.close();
    await atRest();
    for (const { client, memory, clock } of [early, inHandshake, inPause]) {
      assert.equal(client.state.kind, 'closed');
      assert.ok(memory.lines.every((line) => line.isClosed));
      assert.equal(clock.pending, 0);
    }
  });
});

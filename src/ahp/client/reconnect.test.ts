import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { active, connected, disposeClients, loseLine, session, setUp, terminal, titled } from '../../../test/fakes/clientAndHost.ts';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { type FakeConnection, sessionState } from '../../../test/fakes/fakeHost.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { ROOT_URI } from '../v1/root.ts';
import type { SessionState } from '../v1/session.ts';
import { TransportError } from './transport.ts';
import { whenLive } from './resources/whenLive.ts';

afterEach(disposeClients);

describe('AgentHostClient: a lost connection', () => {
  it('is resumed by reconnect, and what was missed is replayed before what is new', async () => {
    const all = await connected();
    const { host, client } = all;
    const subscription = client.chat(session);
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
    const [own, pty] = [client.session(session), client.model('terminal', terminal)];
    await Promise.all([whenLive(own), whenLive(pty)]);
    host.methods['reconnect'] = ({ subscriptions }, connection) => ({
      type: 'snapshot',
      snapshots: (subscriptions as string[]).filter((uri) => uri !== terminal).map((uri) => host.subscribe(uri, connection)),
    });
    await loseLine(all, () => {
      host.emit(titled('fresh'));
      host.emit({ type: 'terminal/data', terminal, data: 'missed' });
    });
    assert.equal(own.confirmed?.title, 'fresh');
    assert.equal(pty.status.kind, 'live');
    assert.equal(pty.confirmed?.content.length, 1);
    assert.deepEqual(host.order.slice(0, 2), ['reconnect', `subscribe ${terminal}`]);
  });

  for (const step of ['reconnect', 'subscribe'])
    it(`leaves nothing subscribed whose last reader goes before the host has answered to ${step}`, async () => {
      const all = await connected();
      const { host, client, memory } = all;
      const own = client.session(session);
      await whenLive(own);
      const original = host.methods[step];
      host.methods[step] = (params, connection) => (own.dispose(), original?.(params, connection));
      await loseLine(all);
      assert.deepEqual([...memory.line.connection.subscriptions], [ROOT_URI]);
      assert.equal(host.paramsOf('initialize').length, 1);
    });

  it('leaves nothing subscribed that was read at the beginning of a handshake, and keeps what is read again', async () => {
    const { host, client, memory, isConnected } = setUp();
    const [gone, kept] = [client.session(session), client.session('demo:/2')];
    host.states.set('demo:/2', sessionState('demo:/2', 'second'));
    const initialize = host.methods['initialize'];
    host.methods['initialize'] = (params, connection) => {
      gone.dispose();
      kept.dispose();
      client.session('demo:/2');
      return initialize?.(params, connection);
    };
    await eventually(isConnected, 'a connection');
    await atRest();
    assert.deepEqual([...memory.line.connection.subscriptions], [ROOT_URI, 'demo:/2']);
  });

  it('leaves nothing subscribed that goes while the host makes snapshots', async () => {
    const all = await connected();
    const { host, client, memory } = all;
    const own = client.session(session);
    await whenLive(own);
    host.methods['reconnect'] = ({ subscriptions }, connection) => {
      own.dispose();
      return { type: 'snapshot', snapshots: (subscriptions as string[]).map((uri) => host.subscribe(uri, connection)) };
    };
    await loseLine(all);
    assert.deepEqual([...memory.line.connection.subscriptions], [ROOT_URI]);
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
    it(`starts over, in order, when the host ${fault}`, async () => {
      const all = await connected();
      const { host, client } = all;
      const [own, pty] = [client.session(session), client.model('terminal', terminal)];
      await Promise.all([whenLive(own), whenLive(pty)]);
      await client.command('authenticate', { resource: 'https://api.example', token: 't' });
      for (let count = 0; count < 20; count++) host.emit(active(count));
      await atRest();
      host.methods['reconnect'] = reconnect;
      const { authenticate, listSessions, subscribe } = host.methods;
      // As a real host: started over, a step needs what the one before has done, and that takes its time.
      const done = new Set<string>();
      const step =
        (name: string, before: string | undefined, answer: typeof subscribe) => async (params: unknown, line: FakeConnection) => {
          const isAnew = host.paramsOf('initialize').length > 1;
          if (isAnew && before !== undefined && !done.has(before)) throw new RpcError(-32001, `${before} comes first`);
          await new Promise(setImmediate);
          done.add(name);
          return answer?.(params, line);
        };
      await loseLine(all, () => {
        void own.rename('typed meanwhile');
        host.serverSeq = 1;
        host.states.set(session, sessionState(session, 'restored'));
        host.methods['authenticate'] = step('authenticate', undefined, authenticate);
        host.methods['listSessions'] = step('listSessions', 'authenticate', listSessions);
        host.methods['subscribe'] = step('subscribe', 'listSessions', subscribe);
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
      assert.equal(own.confirmed?.title, 'typed meanwhile');
      assert.equal(client.root().confirmed?.activeSessions, 19);
      const before = host.serverSeq;
      host.emit(active(42));
      await atRest();
      assert.ok(before < 10);
      assert.equal(client.root().confirmed?.activeSessions, 42, 'the low numbers of the new run count');
    });
  }

  it('starts over when the host has forgotten the token, and gives it again', async () => {
    const all = await connected();
    const { host, client } = all;
    await client.command('authenticate', { resource: 'https://api.example', token: 't' });
    let knows = true;
    host.methods['authenticate'] = () => ((knows = true), {});
    host.methods['listSessions'] = () => {
      if (!knows) throw new RpcError(-32007, 'authentication required');
      return { items: host.summaries };
    };
    // With nothing subscribed but the root, and numbers that have passed the old ones, only this shows the restart.
    knows = false;
    host.serverSeq += 100;
    host.log = [];
    for (const lines of [2, 3]) {
      if (lines === 2) all.memory.line.drop();
      await eventually(() => client.state.kind === 'reconnecting', 'the loss');
      client.reconnectNow();
      await eventually(() => host.paramsOf('reconnect').length === 1 && all.memory.lines.length === lines, 'the next connection');
    }
    await eventually(() => client.sessions.state === 'ready', 'the sessions');
    assert.deepEqual(host.order, ['initialize', 'authenticate https://api.example', 'listSessions']);
  });

  it('takes the host’s own state where a replay leads elsewhere', async () => {
    const all = await connected();
    const { host, client } = all;
    const own = client.session(session);
    await whenLive(own);
    await loseLine(all, () => {
      host.serverSeq += 100;
      host.log = [];
      host.states.set(session, sessionState(session, 'of the new run'));
    });
    assert.equal(own.confirmed?.title, 'of the new run');
    assert.equal(own.status.kind, 'live');
  });

  it('starts over when the numbers of a live connection go backwards', async () => {
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
    assert.equal(client.root().confirmed?.activeSessions, 1);
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
    await eventually(isConnected, 'a new connection');
    assert.equal(memory.lines.length, 2);
  });

  it('does not replace what differs only in the words of another version', async () => {
    const all = await connected();
    const { host, client } = all;
    // As VS Code 1.117 keeps it: our reducers know neither the action nor the field.
    const own = client.session(session);
    const before = await whenLive(own);
    const changes: string[] = [];
    own.onDidChange(({ kind }) => changes.push(kind));
    await loseLine(all, () => {
      const state = host.states.get(session) as SessionState;
      host.states.set(session, { ...state, summary: { ...state.summary, isRead: false, isDone: true } as SessionState['summary'] });
    });
    assert.equal(own.status.kind, 'live');
    assert.equal(own.confirmed, before);
    assert.ok(!changes.includes('snapshot'), changes.join());
  });

  it('a connection that was of use resets the back-off, a short one does not', async () => {
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
      await eventually(isConnected, 'a new connection');
      return pause;
    };
    assert.deepEqual(
      [await loseAfter(0), await loseAfter(1), await loseAfter(2), await loseAfter(0), await loseAfter(1), await loseAfter(9)],
      [1_000, 2_000, 1_000, 2_000, 4_000, 1_000],
    );
  });

  it('a host that drops every connection at once is tried less and less often', async () => {
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
    const subscription = client.session(session);
    await whenLive(subscription);
    host.methods['dispatchAction'] = () => undefined;
    host.methods['resourceList'] = () => new Promise(() => undefined);
    const open = client.command('resourceList', { uri: 'x' });
    const { settled } = subscription.rename('late');
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

  it('while connecting, leaves no connection behind', async () => {
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

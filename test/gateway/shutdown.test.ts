import assert from 'node:assert/strict';
import { atRest } from '../fakes/eventually.ts';
import { FakeGateway, hello, tool } from '../fakes/fakeGateway.ts';
import { Time } from '../../src/tap/wire/limits.ts';

describe('the end of a session', () => {
  let fake: FakeGateway;
  let ended: boolean;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
    fake.session('b');
    ended = false;
  });
  afterEach(() => fake.dispose());
  const end = (deadline?: number) => void fake.gateway.sessions.end(fake.gateway.sessions.get('a')!, deadline).then(() => (ended = true));
  const hasEnded = async () => (await atRest(), ended);
  const bound = (fields: object = {}) => fake.authenticated().say(hello({ session: 'a', ...fields }));

  it('is announced with the deadline; calls are refused from then on, and the list changes', async () => {
    const peer = bound({ tools: [tool()] }).forget();
    end(1234);
    assert.deepEqual(peer.heard[0], { type: 'session.lifecycle', sessionId: 'a', state: 'shutdown.pending', deadline: 1234 });
    assert.deepEqual(
      peer.last('sessions.updated').active.map(({ id }) => id),
      ['b'],
    );
    assert.equal(await fake.call('a', 'greet').code(), 'NOT_FOUND');
    assert.equal(await hasEnded(), false);
  });

  it('waits for shutdown.ready: the peer stays, unbound, and may bind again', async () => {
    const peer = bound({ tools: [tool()] });
    end();
    peer.say({ type: 'shutdown.ready', sessionId: 'a' });
    assert.ok(await hasEnded());
    assert.deepEqual([peer.closedWith, peer.connection.state], [undefined, 'Unbound']);
    peer.say(hello({ session: 'b', tools: [tool()] }));
    assert.deepEqual(fake.tools('b'), ['greet']);
  });

  it('takes goodbye for ready and lets the peer go', async () => {
    const peer = bound();
    end();
    peer.say({ type: 'goodbye', reason: 'session ending' });
    assert.ok(await hasEnded());
    assert.equal(peer.closedWith?.code, 1000);
  });

  it('comes at the deadline: peers that are not ready are closed with 1001, and their calls end', async () => {
    const peer = bound({ tools: [tool()] });
    const call = fake.call('a', 'greet');
    end(500);
    fake.clock.advance(499);
    assert.equal(await hasEnded(), false);
    fake.clock.advance(1);
    assert.ok(await hasEnded());
    assert.equal(peer.closedWith?.code, 1001);
    assert.equal(await call.code(), 'CANCELLED');
  });

  it('comes sooner when the gateway itself ends', async () => {
    bound();
    end(600_000);
    void fake.gateway.sessions.end(fake.gateway.sessions.get('a')!, 1000);
    fake.clock.advance(999);
    assert.equal(await hasEnded(), false);
    fake.clock.advance(1);
    assert.equal(await hasEnded(), true);
    assert.equal(fake.clock.pending, 0);
  });

  it('leaves a peer that is bound elsewhere', async () => {
    const peer = fake.internal().say(hello({ tools: [tool()] }));
    end(500);
    fake.clock.advance(500);
    assert.ok(await hasEnded());
    assert.deepEqual([peer.closedWith, peer.connection.state, fake.tools('b')], [undefined, 'Bound', ['greet']]);
  });

  it('waits for all, and takes a rebind or a lost connection for ready', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => bound({ name }));
    end();
    one!.say({ type: 'shutdown.ready', sessionId: 'a' });
    two!.connection.closed();
    assert.equal(await hasEnded(), false);
    three!.say(hello({ session: 'b' }));
    assert.ok(await hasEnded());
    assert.equal(three!.connection.state, 'Bound');
  });

  it('comes with the end of its owner, which may register it again at once', async () => {
    const owner = { name: 'other', notify: () => undefined, ask: () => Promise.reject(new Error('asleep')) };
    const attached = fake.gateway.attach(owner);
    fake.gateway.sessions.register(owner, { sessionId: 'c', label: 'c' });
    const peer = fake.authenticated().say(hello({ session: 'c' }));
    attached.dispose();
    assert.equal(peer.last('session.lifecycle').state, 'shutdown.pending');
    fake.gateway.sessions.register(fake.owner, { sessionId: 'c', label: 'c again' });
    assert.equal(fake.gateway.sessions.active.find(({ id }) => id === 'c')?.label, 'c again');
    assert.equal(peer.closedWith?.code, 1001);
  });

  it('of the gateway ends all sessions and closes all connections', async () => {
    const peer = bound();
    const waiting = fake.authenticated();
    const done = fake.gateway.shutDown(100);
    assert.equal(peer.last('session.lifecycle').state, 'shutdown.pending');
    fake.clock.advance(100);
    await done;
    assert.deepEqual([peer.closedWith?.code, waiting.closedWith?.code], [1001, 1001]);
    assert.equal(fake.gateway.connections.size, 0);
  });

  it('of the gateway is what the calls are told that it cuts, and not the end of their session', async () => {
    bound({ tools: [tool()] });
    const call = fake.call('a', 'greet');
    const done = fake.gateway.shutDown(100);
    fake.clock.advance(100);
    await done;
    assert.deepEqual(await call.outcome(), {
      ok: false,
      error:
        'The call was cancelled: the gateway has ended. Whether the call has had an effect is not known: check before calling it again.',
      errorCode: 'CANCELLED',
    });
  });

  it('of the gateway forgets who might come back, for whom its process would go on', async () => {
    bound({ name: 'left', instance: 'i' }).say({ type: 'goodbye', reason: 'for now' });
    bound({ name: 'stays', instance: 'i' });
    assert.ok(fake.clock.pending > 0);
    const done = fake.gateway.shutDown(100);
    fake.clock.advance(100);
    await done;
    assert.equal(fake.clock.pending, 0);
  });

  it('leaves no session, provider, call or timer behind', async () => {
    const limited = { instance: 'i', tools: [tool()], concurrency: { max: 1 }, hooks: { onPreToolUse: [{ action: 'gate', gateId: 'g' }] } };
    const peers = [bound({ name: 'one', ...limited }), fake.internal().say(hello({ name: 'all', tools: [tool('other')] }))];
    peers[0]!.say({ type: 'tools.update', requestId: 'r', tools: [tool()] });
    const calls = [fake.call('a', 'greet'), fake.call('a', 'greet'), fake.call('a', 'other'), fake.call('b', 'other')];
    calls[0]!.cancel('enough');
    void fake.gateway.hooks.evaluate(fake.gateway.sessions.get('a')!, { tool: 'x', args: {} });
    peers.push(fake.peer().say({ type: 'auth', mode: 'pair' }), fake.peer(), fake.authenticated());
    end();
    for (const peer of peers) peer.connection.closed();
    assert.ok(await hasEnded());
    await fake.gateway.sessions.end(fake.gateway.sessions.get('b')!);
    for (const call of calls) assert.ok(await call.code());
    fake.clock.advance(Time.pairingMs); // a pairing code is valid as long; a reconnect token expires earlier
    const { sessions, providers, connections, queuedCalls } = fake.gateway.status();
    assert.deepEqual([sessions, providers, connections, queuedCalls, fake.clock.pending], [[], [], 0, 0, 0]);
  });
});

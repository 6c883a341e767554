import assert from 'node:assert/strict';
import { FakeGateway, type FakeProvider, hello, tool } from '../fakes/fakeGateway.ts';
import { atRest } from '../fakes/eventually.ts';
import { Limit } from '../../src/tap/wire/limits.ts';

describe('binding', () => {
  let fake: FakeGateway;
  beforeEach(() => (fake = new FakeGateway()));
  afterEach(() => fake.dispose());

  it('of a core client: sessions, hello, acknowledged without a reconnect token, started', () => {
    fake.session('abc');
    const peer = fake.authenticated();
    assert.deepEqual(peer.heard, [{ type: 'sessions', active: [{ id: 'abc', label: 'label of abc', cwd: '/code/abc' }] }]);
    peer.forget().say(hello({ session: 'abc', tools: [tool()] }));
    const [ack, started] = peer.heard;
    assert.ok(ack?.type === 'hello.ack');
    assert.deepEqual(
      { ...ack, providerId: '', persistDir: '' },
      { type: 'hello.ack', protocolVersion: 2, providerId: '', sessionId: 'abc', persistDir: '' },
    );
    assert.deepEqual(started, { type: 'session.lifecycle', sessionId: 'abc', state: 'started' });
    assert.equal(peer.connection.state, 'Bound');
    assert.deepEqual(fake.tools('abc'), ['greet']);
  });

  it('gives a reconnect token for each advanced field, and for none without', () => {
    fake.session('abc');
    const fields = { instance: 'i', reconnectToken: null, subscribe: [], hooks: {}, context: 'c', concurrency: { max: 1 } };
    for (const [field, value] of Object.entries(fields)) {
      const peer = fake.spawned('abc').say(hello({ name: field, [field]: value }));
      assert.match(peer.last('hello.ack').reconnectToken ?? '', /^tok-/, field);
    }
    assert.equal(
      fake
        .spawned('abc')
        .say(hello({ name: 'x', metadata: {}, startup_context: 's' }))
        .last('hello.ack').reconnectToken,
      undefined,
    );
  });

  it('to no session is INVALID_SESSION, and the peer may say hello again when `sessions` comes', () => {
    const peer = fake.authenticated().say(hello({ session: 'all' }));
    assert.deepEqual(peer.errors, ['INVALID_SESSION']);
    assert.equal(peer.connection.state, 'AwaitHello');
    fake.clock.advance(1000);
    fake.session('abc');
    assert.equal(peer.last('sessions').active[0]?.id, 'abc');
    peer.say(hello({ session: 'abc' }));
    assert.equal(peer.connection.state, 'Bound');
  });

  it('tells a waiting peer the list at most once a second, with the newest state', () => {
    const peer = fake.authenticated().forget();
    for (const id of ['a', 'b', 'c']) fake.session(id);
    assert.equal(peer.all('sessions').length, 0);
    fake.clock.advance(1000);
    assert.deepEqual(
      peer.all('sessions').map(({ active }) => active.length),
      [3],
    );
  });

  it('never sends `sessions` to a bound peer, but sessions.updated', () => {
    fake.session('abc');
    const peer = fake
      .authenticated()
      .say(hello({ session: 'abc' }))
      .forget();
    fake.session('def');
    fake.clock.advance(2000);
    assert.deepEqual(
      peer.heard.map(({ type }) => type),
      ['sessions.updated'],
    );
  });

  it('to all: what is there now at once, what comes later after session.ready', () => {
    fake.session('a');
    fake.session('b');
    const peer = fake.internal().say(hello({ tools: [tool()] }));
    assert.equal(peer.last('hello.ack').sessionId, undefined);
    assert.deepEqual(
      peer.all('session.lifecycle').map(({ sessionId }) => sessionId),
      ['a', 'b'],
    );
    fake.session('c');
    assert.deepEqual(fake.tools('c'), []);
    peer.say({ type: 'session.ready', sessionId: 'c' });
    assert.deepEqual(fake.tools('c'), ['greet']);
    assert.deepEqual(peer.last('session.lifecycle'), { type: 'session.lifecycle', sessionId: 'c', state: 'started' });
    peer.say({ type: 'session.ready', sessionId: 'nowhere' });
    assert.deepEqual(peer.errors, ['INVALID_SESSION']);
  });

  it('with a set of one session behaves as if it was named', () => {
    fake.session('a');
    fake.session('b');
    const peer = fake.spawned('b').say(hello({ session: 'all' }));
    assert.equal(peer.last('hello.ack').sessionId, 'b');
    peer.say({ type: 'push', level: 'keep', event: 'no session named' }).say({ type: 'session.ready', sessionId: 'a' });
    assert.deepEqual(peer.errors, ['INVALID_SESSION']);
  });

  it('with a spawn token is to its own session alone, which is listed first; others have no cwd', () => {
    fake.session('a', { foreground: true });
    fake.session('b');
    const peer = fake.spawned('b');
    assert.deepEqual(peer.last('sessions').active, [
      { id: 'b', label: 'label of b', cwd: '/code/b' },
      { id: 'a', label: 'label of a' },
    ]);
    assert.deepEqual(peer.say(hello({ session: 'a' })).errors, ['INVALID_SESSION']);
  });

  it('of an external peer needs a name; after that its token is for this session', () => {
    fake.session('a');
    const { token } = fake.gateway.grants.issuePairedToken(undefined);
    const peer = fake.authenticated(token);
    assert.deepEqual(peer.last('sessions').active, [{ id: 'a', label: 'label of a' }]);
    assert.deepEqual(peer.say(hello()).say(hello({ session: 'all' })).errors, ['INVALID_SESSION', 'INVALID_SESSION']);
    peer.say(hello({ session: 'a' }));
    assert.equal(peer.connection.state, 'Bound');
    assert.equal(peer.last('hello.ack').persistDir, undefined);
    fake.session('b');
    const again = fake.authenticated(token).say(hello({ session: 'b' }));
    assert.deepEqual(again.errors, ['INVALID_SESSION']);
    assert.equal(again.last('sessions').active[0]?.cwd, '/code/a');
  });

  it('again removes the old registration first and cancels calls; a failure leaves the peer unbound', async () => {
    fake.session('a');
    fake.session('b');
    const peer = fake.authenticated().say(hello({ session: 'a', instance: 'i', tools: [tool()] }));
    const first = peer.last('hello.ack');
    const call = fake.call('a', 'greet');
    peer.forget().say(hello({ session: 'b', instance: 'i', tools: [tool('other')] }));
    assert.deepEqual(
      peer.heard.map(({ type }) => type),
      ['tool.cancel', 'hello.ack', 'session.lifecycle'],
    );
    assert.equal(await call.code(), 'CANCELLED');
    assert.deepEqual([fake.tools('a'), fake.tools('b')], [[], ['other']]);
    assert.equal(peer.last('hello.ack').providerId, first.providerId);
    assert.notEqual(peer.last('hello.ack').reconnectToken, first.reconnectToken);
    peer.say(hello({ session: 'nowhere', tools: [tool()] }));
    assert.equal(peer.connection.state, 'Unbound');
    assert.deepEqual(fake.tools('b'), []);
    peer.say({ type: 'push', level: 'keep', event: 'x' });
    assert.deepEqual(peer.errors, ['INVALID_SESSION', 'UNAUTHORIZED']);
    peer.say(hello({ session: 'a', tools: [tool()] }));
    assert.deepEqual(fake.tools('a'), ['greet']);
  });

  it('is limited to ten further hello messages a minute, without losing the last', () => {
    fake.session('a');
    const peer = fake.authenticated();
    for (let at = 0; at < 1 + Limit.rebindsPerMinute; at++) peer.say(hello({ session: 'a', tools: [tool()] }));
    assert.deepEqual(peer.errors, []);
    peer.say(hello({ session: 'a' }));
    assert.deepEqual(peer.errors, ['RATE_LIMITED']);
    assert.deepEqual(fake.tools('a'), ['greet']);
    fake.clock.advance(60_000);
    peer.say(hello({ session: 'a' }));
    assert.deepEqual(peer.errors, ['RATE_LIMITED']);
  });

  it('works without a folder when none can be created', () => {
    fake.session('a');
    const name = 'ü'.repeat(64); // too long once it is escaped
    const { sessionId, persistDir } = fake
      .spawned('a')
      .say(hello({ session: 'a', name }))
      .last('hello.ack');
    assert.deepEqual([sessionId, persistDir], ['a', undefined]);
    const dots =
      fake
        .spawned('a')
        .say(hello({ session: 'a', name: '../..' }))
        .last('hello.ack').persistDir ?? '';
    assert.ok(dots.startsWith(`${fake.home}/providers/%2E%2E`), dots);
  });

  it('refuses another protocol version and closes', () => {
    fake.session('a');
    const peer = fake.authenticated().say(hello({ session: 'a', protocolVersion: 1 }));
    assert.deepEqual(peer.errors, ['UNSUPPORTED_VERSION']);
    assert.ok(peer.closedWith);
  });
});

describe('identity', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());

  it('with an instance belongs to one connection', () => {
    const first = fake.authenticated().say(hello({ session: 'a', instance: 'i' }));
    const second = fake.authenticated().say(hello({ session: 'a', instance: 'i' }));
    assert.deepEqual(second.errors, ['DUPLICATE_INSTANCE']);
    assert.equal(first.connection.state, 'Bound');
  });

  it('with an instance belongs to one connection of an origin, and not to pages of another one', () => {
    const of = (origin: string, name: string) => fake.external(origin).say(hello({ session: 'a', instance: 'i', tools: [tool(name)] }));
    const first = of('https://one.example', 'one');
    const second = of('https://two.example', 'two');
    assert.deepEqual([first.connection.state, second.connection.state, second.errors], ['Bound', 'Bound', []]);
    assert.deepEqual(of('https://two.example', 'three').errors, ['DUPLICATE_INSTANCE']);
  });

  it('of a provider that a session has started shares no tool with one that holds the file token', () => {
    const started = fake.spawned('a').say(hello({ session: 'a', instance: 'i', tools: [tool('work')] }));
    const other = fake.authenticated().say(hello({ session: 'a', instance: 'j', tools: [tool('work')] }));
    assert.deepEqual([started.connection.state, other.errors], ['Bound', ['TOOL_CONFLICT']]);
    assert.deepEqual(fake.tools('a'), ['work']);
  });

  it('without an instance may be had by several, as long as their tools differ', async () => {
    const first = fake.authenticated().say(hello({ session: 'a', tools: [tool('one')] }));
    const second = fake.authenticated().say(hello({ session: 'a', tools: [tool('two')] }));
    assert.deepEqual([first.errors, second.errors, fake.tools('a')], [[], [], ['one', 'two']]);
    const third = fake.authenticated().say(hello({ session: 'a', tools: [tool('one')] }));
    assert.equal(third.connection.state, 'Rebinding');
    await atRest();
    assert.deepEqual(third.errors, ['TOOL_CONFLICT']);
    assert.equal(third.connection.state, 'AwaitHello');
  });

  it('replaces a dead peer of the same token and name that holds the same tools', async () => {
    const first = fake.authenticated().say(hello({ session: 'a', tools: [tool()] }));
    first.alive = false;
    const second = fake.authenticated().say(hello({ session: 'a', tools: [tool()] }));
    await atRest();
    assert.equal(second.connection.state, 'Bound');
    assert.equal(first.closedWith?.code, 4003);
  });

  it('never displaces a peer of another name or token, dead or not', async () => {
    const first = fake.authenticated().say(hello({ session: 'a', tools: [tool()] }));
    first.alive = false;
    const other = fake.authenticated().say(hello({ session: 'a', name: 'other', tools: [tool()] }));
    const stranger = fake.external().say(hello({ session: 'a', tools: [tool()] }));
    await atRest();
    assert.deepEqual([other.errors, stranger.errors], [['TOOL_CONFLICT'], ['TOOL_CONFLICT']]);
    assert.equal(first.connection.state, 'Bound');
  });

  it('is taken over with a reconnect token: bindings, tools and id are restored, the old connection is closed', () => {
    const first = fake.authenticated().say(hello({ session: 'a', instance: 'i', tools: [tool()] }));
    const { reconnectToken, providerId } = first.last('hello.ack');
    const second = fake.authenticated().say(hello({ instance: 'i', reconnectToken }));
    assert.equal(first.closedWith?.code, 4003);
    assert.equal(second.last('hello.ack').providerId, providerId);
    assert.equal(second.last('hello.ack').sessionId, 'a');
    assert.deepEqual(fake.tools('a'), ['greet']);
  });

  it('can be taken over for 30 s after the end, once, and by the same name, instance and trust alone', () => {
    const bind = () => fake.authenticated().say(hello({ session: 'a', instance: 'i', tools: [tool()] }));
    const end = (peer = bind()) => {
      peer.connection.closed();
      return peer.last('hello.ack');
    };
    const first = end();
    fake.clock.advance(29_999);
    const second = fake.authenticated().say(hello({ instance: 'i', session: 'a', reconnectToken: first.reconnectToken }));
    assert.equal(second.last('hello.ack').providerId, first.providerId);
    end(second);
    const replayed = fake.authenticated().say(hello({ instance: 'i', session: 'a', reconnectToken: first.reconnectToken }));
    assert.notEqual(replayed.last('hello.ack').providerId, first.providerId);
    const third = end(replayed);
    fake.clock.advance(30_000);
    assert.notEqual(
      fake
        .authenticated()
        .say(hello({ instance: 'i', session: 'a', reconnectToken: third.reconnectToken }))
        .last('hello.ack').providerId,
      third.providerId,
    );
  });

  it('expires as well when the connection ended unbound, or was bound again without a token', () => {
    const says = (reconnectToken: string | undefined) =>
      fake.peer().say({ type: 'auth', reconnectToken, name: 'provider', instance: 'i' }).heard[0]?.type;
    for (const unbind of [
      (peer: FakeProvider) => peer.say(hello({ session: 'none' })),
      (peer: FakeProvider) => peer.say(hello({ session: 'a' })),
    ]) {
      const peer = fake.authenticated().say(hello({ session: 'a', instance: 'i' }));
      unbind(peer).connection.closed();
      const { reconnectToken } = peer.all('hello.ack')[0] ?? {};
      fake.clock.advance(29_999);
      const inTime = fake.authenticated().say(hello({ session: 'a', instance: 'i', reconnectToken }));
      assert.equal(inTime.last('hello.ack').providerId, peer.all('hello.ack')[0]?.providerId);
      inTime.say(hello({ session: 'none' })).connection.closed();
      fake.clock.advance(30_000);
      assert.equal(says(inTime.last('hello.ack').reconnectToken), 'error');
    }
  });

  it('is not taken over by a reconnect token of another name or trust', () => {
    const first = fake.authenticated().say(hello({ session: 'a', instance: 'i' }));
    const { reconnectToken, providerId } = first.last('hello.ack');
    for (const [peer, fields] of [
      [fake.authenticated(), { name: 'other', instance: 'i' }],
      [fake.authenticated(), { instance: 'j' }],
      [fake.external(), { instance: 'i' }],
    ] as const) {
      peer.say(hello({ session: 'a', reconnectToken, ...fields }));
      assert.notEqual(peer.last('hello.ack').providerId, providerId);
    }
    assert.equal(first.connection.state, 'Bound');
  });

  it('can be shown instead of a token, where its token came from', () => {
    const first = fake.authenticated().say(hello({ session: 'a', instance: 'i', tools: [tool()] }));
    const auth = { type: 'auth', reconnectToken: first.last('hello.ack').reconnectToken, name: 'provider', instance: 'i' };
    first.connection.closed();
    const stranger = fake.peer({ origin: 'http://evil.example' }).say(auth);
    assert.deepEqual(stranger.errors, ['AUTH_FAILED']);
    const second = fake
      .peer()
      .say(auth)
      .say(hello({ instance: 'i' }));
    assert.equal(second.last('hello.ack').providerId, first.last('hello.ack').providerId);
    assert.deepEqual(fake.tools('a'), ['greet']);
    assert.deepEqual(fake.peer().say(auth).errors, ['AUTH_FAILED']);
  });
});

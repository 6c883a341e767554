/** Which sessions a registration is in force in, while sessions come and go and providers move between them. */
import assert from 'node:assert/strict';
import { atRest } from '../fakes/eventually.ts';
import { FakeGateway, hello, tool } from '../fakes/fakeGateway.ts';
import type { GatewayMessage } from '../../src/tap/wire/gatewayMessages.ts';
import { LocalProviderTransport } from '../../src/gateway/connections/localTransport.ts';

const deny = { match: { tool: 'shell' }, action: 'deny' };
const append = { rules: { action: 'append', content: 'more' } };

describe('what a provider registers', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
    fake.session('b');
  });
  afterEach(() => fake.dispose());
  const session = (id: string) => fake.gateway.sessions.get(id)!;
  const everything = { tools: [tool()], hooks: { onPreToolUse: [deny], transforms: append }, context: 'ctx', startup_context: 'start' };
  /** Everything that is in force in a session: tools, rules, transforms, context and startup context. */
  const inForce = async (id: string) => {
    const { sections, context, startup } = await fake.gateway.hooks.transform(session(id), {});
    const { decision } = await fake.gateway.hooks.evaluate(session(id), { tool: 'shell', args: {} });
    return [fake.tools(id).length, decision, sections.length, context.length, startup.length];
  };
  const all = [1, 'deny', 1, 1, 1];
  const nothing = [0, 'allow', 0, 0, 0];

  it('is in force in its session alone', async () => {
    const peer = fake.spawned('a').say(hello(everything));
    assert.deepEqual([await inForce('a'), await inForce('b')], [all, nothing]);
    peer.say({ type: 'push', level: 'inject', event: 'look' });
    assert.deepEqual(
      fake.owner.all('push/inject').map(({ sessionId }) => sessionId),
      ['a'],
    );
    assert.deepEqual(session('b').streams.all(), []);
    peer.connection.closed();
    assert.deepEqual(await inForce('a'), nothing);
  });

  it('for all is in force in every session, in later ones after session.ready, until the session ends', async () => {
    const peer = fake.internal().say(hello(everything));
    assert.deepEqual([await inForce('a'), await inForce('b')], [all, all]);
    fake.session('c');
    assert.equal(peer.last('sessions.updated').active.length, 3);
    assert.deepEqual(await inForce('c'), nothing);
    peer.say({ type: 'session.ready', sessionId: 'c' });
    assert.deepEqual(await inForce('c'), all);
    const ended = fake.gateway.sessions.end(session('b'));
    assert.deepEqual(peer.last('session.lifecycle'), {
      type: 'session.lifecycle',
      sessionId: 'b',
      state: 'shutdown.pending',
      deadline: 10_000,
    });
    peer.say({ type: 'shutdown.ready', sessionId: 'b' });
    await ended;
    assert.deepEqual([peer.connection.state, await inForce('a'), await inForce('c')], ['Bound', all, all]);
  });

  it('is not in a later session before session.ready', () => {
    const peer = fake.internal().say(hello({ tools: [tool('first')] }));
    fake.session('c', { agentTools: ['first'] });
    peer.say({ type: 'session.ready', sessionId: 'c' });
    assert.deepEqual([peer.errors, fake.tools('c')], [['TOOL_CONFLICT'], []]);
    peer.say({ type: 'session.ready', sessionId: 'a' });
    assert.deepEqual(peer.errors, ['TOOL_CONFLICT'], 'being ready twice changes nothing');
  });

  it('can be in any session for internal providers, in one for others', () => {
    for (const [peer, state] of [
      [fake.internal().say(hello({ session: 'b' })), 'Bound'],
      [fake.internal().say(hello({ session: 'all' })), 'Bound'],
      [fake.authenticated().say(hello({ session: 'b' })), 'Bound'],
      [fake.spawned('a').say(hello({ session: 'b' })), 'AwaitHello'],
      [fake.external().say(hello({ session: 'all' })), 'AwaitHello'],
    ] as const)
      assert.equal(peer.connection.state, state);
    const { token } = fake.gateway.grants.issuePairedToken(undefined);
    fake.authenticated(token).say(hello({ session: 'a' }));
    assert.equal(fake.authenticated(token).say(hello({ session: 'b' })).connection.state, 'AwaitHello');
  });

  it('is hidden while the agent uses the same name for a tool of its own', () => {
    fake.spawned('a').say(hello({ tools: [tool('shell'), tool('greet')] }));
    fake.gateway.updateSession(session('a'), { agentTools: ['shell'] });
    assert.deepEqual(fake.tools('a'), ['greet']);
    fake.settle();
    assert.equal(fake.owner.last('tools/changed').tools.length, 1);
    fake.gateway.updateSession(session('a'), { agentTools: [] });
    assert.deepEqual(fake.tools('a'), ['shell', 'greet']);
  });

  it("does not name a meta-tool like one of the agent's tools", () => {
    fake.gateway.updateSession(session('a'), { agentTools: ['list_browser_instances'] });
    for (const instance of ['x', 'y']) fake.spawned('a').say(hello({ name: 'browser', instance, tools: [tool('shot')] }));
    assert.deepEqual(fake.tools('a'), ['shot']);
  });
});

describe('sessions', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());

  it('that come and go are told to every bound and unbound provider', async () => {
    const bound = fake.spawned('a').say(hello());
    const unbound = fake
      .authenticated()
      .say(hello({ session: 'a' }))
      .say(hello({ session: 'nowhere' }));
    const second = fake.session('b');
    for (const peer of [bound, unbound])
      assert.deepEqual(
        peer.last('sessions.updated').active.map(({ id }) => id),
        ['a', 'b'],
      );
    await fake.gateway.sessions.end(second);
    for (const peer of [bound, unbound])
      assert.deepEqual(
        peer.last('sessions.updated').active.map(({ id }) => id),
        ['a'],
      );
  });

  it('are listed with label, and with cwd where the token may use them', () => {
    fake.session('b');
    const peer = fake.spawned('a');
    assert.deepEqual(peer.heard, [
      {
        type: 'sessions',
        active: [
          { id: 'a', label: 'label of a', cwd: '/code/a' },
          { id: 'b', label: 'label of b' },
        ],
      },
    ]);
    peer.say(hello()).forget();
    fake.session('c', { cwd: undefined });
    assert.deepEqual(peer.heard, [
      {
        type: 'sessions.updated',
        active: [
          { id: 'a', label: 'label of a', cwd: '/code/a' },
          { id: 'b', label: 'label of b' },
          { id: 'c', label: 'label of c' },
        ],
      },
    ]);
  });

  it('that end do not open the cwd of others to a paired peer, on its connection or on a new one with its token', async () => {
    const { token } = fake.gateway.grants.issuePairedToken('http://page.example');
    const page = fake.authenticated(token, 'http://page.example').say(hello({ session: 'a' }));
    fake.session('b');
    const ended = fake.gateway.sessions.end(fake.gateway.sessions.get('a')!);
    page.say({ type: 'shutdown.ready', sessionId: 'a' });
    await ended;
    assert.equal(page.connection.state, 'Unbound');
    fake.session('c');
    const again = fake.authenticated(token, 'http://page.example');
    const listed = [
      { id: 'b', label: 'label of b' },
      { id: 'c', label: 'label of c' },
    ];
    assert.deepEqual(page.last('sessions.updated').active, listed);
    assert.deepEqual(again.last('sessions').active, listed);
    page.say(hello({ session: 'b' }));
    fake.session('d');
    assert.deepEqual(page.last('sessions.updated').active[0], { id: 'b', label: 'label of b', cwd: '/code/b' });
  });

  it('that end leave an external provider connected; its token goes on with the session that it chooses next', async () => {
    const { token } = fake.gateway.grants.issuePairedToken(undefined);
    const peer = fake.authenticated(token).say(hello({ session: 'a', tools: [tool()] }));
    const ended = fake.gateway.sessions.end(fake.gateway.sessions.get('a')!);
    peer.say({ type: 'shutdown.ready', sessionId: 'a' });
    await ended;
    fake.session('b');
    fake.session('c');
    peer.say(hello({ session: 'b', tools: [tool()] }));
    assert.deepEqual(fake.tools('b'), ['greet']);
    peer.connection.closed();
    const again = fake.authenticated(token);
    assert.deepEqual(again.errors, []);
    assert.deepEqual(again.say(hello({ session: 'c' })).errors, ['INVALID_SESSION']);
    assert.equal(again.say(hello({ session: 'b' })).connection.state, 'Bound');
  });

  it('that end stop what was started for them, and nothing else', async () => {
    fake.session('b');
    const spawned = fake.spawned('a').say(hello({ name: 'spawned' }));
    const other = fake.spawned('b').say(hello({ name: 'other' }));
    const ended = fake.gateway.sessions.end(fake.gateway.sessions.get('a')!, 100);
    fake.clock.advance(100);
    await ended;
    assert.deepEqual([spawned.closedWith?.code, other.connection.state], [1001, 'Bound']);
  });
});

describe('a rebind', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
    fake.session('b');
  });
  afterEach(() => fake.dispose());
  const gate = { match: { tool: 'shell' }, action: 'gate', gateId: 'g' };
  const first = {
    session: 'a',
    instance: 'i',
    tools: [tool()],
    hooks: { onPreToolUse: [gate], transforms: { s: { action: 'callback' } } },
  };

  it('cancels calls, gates and transforms in flight and ignores their answers', async () => {
    const peer = fake.internal().say(hello(first));
    const session = fake.gateway.sessions.get('a')!;
    const call = fake.call('a', 'greet');
    const decision = fake.gateway.hooks.evaluate(session, { tool: 'shell', args: {} });
    const parts = fake.gateway.hooks.transform(session, { s: 'base' });
    const asked = [peer.last('tool.call').id, peer.last('gate.check').callId, peer.last('transform.request').callId];
    peer.say(hello({ session: 'b' })).forget();
    assert.equal(await call.code(), 'CANCELLED');
    assert.equal((await decision).decision, 'deny');
    assert.equal((await parts).sections[0]?.content, 'base');
    peer
      .say({ type: 'tool.result', id: asked[0], data: 'late' })
      .say({ type: 'gate.result', callId: asked[1], decision: 'allow' })
      .say({ type: 'transform.result', callId: asked[2], content: 'late' });
    assert.deepEqual(peer.heard, []);
  });

  it('sends nothing of the old binding after it has begun', async () => {
    const peer = fake.internal().say(hello({ ...first, concurrency: { max: 1 } }));
    const calls = [fake.call('a', 'greet'), fake.call('a', 'greet')];
    peer.forget().say(hello({ session: 'b', tools: [tool('new')] }));
    for (const call of calls) assert.notEqual(await call.code(), 'ok');
    const after = peer.heard.slice(peer.heard.findIndex(({ type }) => type === 'hello.ack'));
    assert.deepEqual(
      after.map(({ type }) => type),
      ['hello.ack', 'session.lifecycle'],
    );
    assert.ok(!peer.heard.some(({ type }) => type === 'tool.call'));
  });

  it('goes on counting revisions', () => {
    const update = { type: 'tools.update', requestId: 'r', tools: [tool()] };
    const peer = fake.spawned('a').say(hello()).say(update);
    fake.settle();
    peer.say(update);
    fake.settle();
    const before = peer.last('ack').revision;
    peer.say(hello()).say(update);
    fake.settle();
    assert.ok(peer.last('ack').revision > before);
  });

  it('by a reconnect token restores session, tools, hooks and context, and fails earlier calls', async () => {
    const registered = { ...first, context: 'ctx' };
    const peer = fake.internal().say(hello(registered));
    const { reconnectToken, providerId } = peer.last('hello.ack');
    const call = fake.call('a', 'greet');
    const again = fake.internal().say(hello({ instance: 'i', reconnectToken }));
    assert.equal(await call.code(), 'DISCONNECTED');
    assert.equal(again.all('tool.call').length, 0, 'not replayed');
    assert.deepEqual([peer.closedWith?.code, again.last('hello.ack').providerId, fake.tools('a')], [4003, providerId, ['greet']]);
    assert.notEqual(again.last('hello.ack').reconnectToken, reconnectToken);
    const session = fake.gateway.sessions.get('a')!;
    void fake.gateway.hooks.evaluate(session, { tool: 'shell', args: {} });
    assert.equal(again.last('gate.check').gateId, 'g');
    const parts = fake.gateway.hooks.transform(session, {});
    again.say({ type: 'transform.result', callId: again.last('transform.request').callId, content: 'x' });
    assert.equal((await parts).context[0]?.content, 'ctx');
    const late = fake.internal().say(hello({ session: 'a', instance: 'i', reconnectToken }));
    assert.deepEqual(late.errors, ['DUPLICATE_INSTANCE'], 'the token was used');
  });
});

describe('order', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());

  it("of a provider's messages is kept: an update is in force for later messages, and before its ack", async () => {
    const peer = fake.spawned('a').say(hello({ tools: [tool('old')] }));
    peer.forget().say({ type: 'tools.update', requestId: 'r', tools: [tool('new')] });
    fake.call('a', 'new');
    assert.equal(await fake.call('a', 'old').code(), 'NOT_FOUND');
    fake.settle();
    assert.deepEqual(
      peer.heard.map(({ type }) => type),
      ['tool.call', 'ack'],
    );
    peer.say({ type: 'push', level: 'keep', event: '1' }).say({ type: 'push', level: 'keep', event: '2' });
    peer.forget().say({ type: 'stream.query', queryId: 'q', streams: ['provider'] });
    assert.deepEqual(
      peer.last('stream.history').streams['provider@provider']?.map(({ event }) => event),
      ['2', '1'],
    );
  });

  it("of a session's events is kept for every provider", () => {
    const one = fake.spawned('a').say(hello({ name: 'one' }));
    const two = fake.spawned('a').say(hello({ name: 'two' }));
    one.say({ type: 'push', level: 'surface', event: '1' });
    two.say({ type: 'push', level: 'surface', event: '2' });
    one.say({ type: 'push', level: 'surface', event: '3' });
    assert.deepEqual(
      fake.owner.all('push/surfaced').map(({ event }) => event),
      ['1', '2', '3'],
    );
  });

  it('of the messages of a provider in the same process is kept as on a wire', async () => {
    const heard: GatewayMessage[] = [];
    const local: LocalProviderTransport = new LocalProviderTransport(fake.gateway, (message) => {
      heard.push(message);
      // The answer comes from inside the handler, so its effects come after the current message.
      if (message.type === 'tool.call') {
        local.say({ type: 'tool.result', id: message.id, data: heard.length });
        local.say({ type: 'push', level: 'surface', event: 'answered', sessionId: 'a' });
      }
    });
    local.say({ type: 'hello', name: 'local', protocolVersion: 2, tools: [tool()] });
    local.say({ type: 'nonsense' } as never);
    const call = fake.call('a', 'greet');
    assert.equal(await call.code(), 'ok');
    await atRest();
    assert.deepEqual(
      heard.map(({ type }) => type),
      ['sessions', 'hello.ack', 'session.lifecycle', 'error', 'tool.call'],
    );
    assert.equal(fake.owner.last('push/surfaced').event, 'answered');
    local.dispose();
    assert.deepEqual(fake.tools('a'), []);
  });
});

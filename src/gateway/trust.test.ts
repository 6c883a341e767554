import assert from 'node:assert/strict';
import { FakeGateway, type FakeProvider, hello, tool } from '../../test/fakes/fakeGateway.ts';
import { Limit, Time } from '../tap/limits.ts';

describe('authentication', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());

  it('with a wrong token is an error and the end; with a right one it is not', () => {
    for (const token of ['', 'ptk-wrong', 'x'.repeat(500)]) {
      const peer = fake.authenticated(token);
      assert.deepEqual(peer.errors, ['AUTH_FAILED']);
      assert.ok(peer.closedWith);
      assert.ok(token === '' || !peer.last('error').message.includes(token));
    }
    for (const token of [fake.gateway.grants.fileToken, fake.gateway.grants.ownerSecret, fake.gateway.grants.issueSpawnToken('a')]) {
      assert.equal(fake.authenticated(token).connection.state, 'AwaitHello');
    }
  });

  it('must come within 5 s', () => {
    const peer = fake.peer();
    fake.clock.advance(Time.authMs - 1);
    assert.deepEqual([peer.errors, peer.closedWith], [[], undefined]);
    fake.clock.advance(1);
    assert.deepEqual(peer.errors, ['AUTH_FAILED']);
    assert.equal(peer.closedWith?.code, 4001);
    const other = fake.authenticated();
    fake.clock.advance(Time.authMs);
    assert.equal(other.closedWith, undefined);
  });

  it('bears ten errors before it', () => {
    const peer = fake.peer();
    for (let at = 0; at < 9; at++) peer.say({ type: 'push', level: 'keep', event: 'x' });
    assert.equal(peer.closedWith, undefined);
    peer.say('not json');
    assert.ok(peer.closedWith);
  });

  it('of a web page works with the token of its own pairing alone', () => {
    const page = 'http://page.example';
    const { token } = fake.gateway.grants.issuePairedToken(page);
    assert.equal(fake.authenticated(token, page).connection.state, 'AwaitHello');
    for (const [stolen, origin] of [
      [token, 'http://evil.example'],
      [token, undefined],
      [fake.gateway.grants.fileToken, page],
      [fake.gateway.grants.ownerSecret, page],
      [fake.gateway.grants.issuePairedToken(undefined).token, page],
    ] as const) {
      assert.deepEqual(fake.authenticated(stolen, origin).errors, ['AUTH_FAILED']);
    }
  });

  it('with a spawn token ends with its session; with a paired one too, unless its holder is there to choose anew', async () => {
    const spawn = fake.gateway.grants.issueSpawnToken('a');
    const { token: gone } = fake.gateway.grants.issuePairedToken(undefined);
    const { token: held } = fake.gateway.grants.issuePairedToken(undefined);
    const first = fake.authenticated(gone).say(hello({ session: 'a', name: 'one' }));
    const second = fake.authenticated(held).say(hello({ session: 'a', name: 'two' }));
    first.say({ type: 'goodbye' });
    const session = fake.gateway.sessions.get('a')!;
    const ended = fake.gateway.sessions.end(session);
    second.say({ type: 'shutdown.ready', sessionId: 'a' });
    await ended;
    fake.session('b');
    for (const token of [spawn, gone]) assert.deepEqual(fake.authenticated(token).errors, ['AUTH_FAILED']);
    assert.equal(second.connection.state, 'Unbound');
    second.say(hello({ session: 'b', name: 'two' }));
    assert.equal(second.connection.state, 'Bound');
  });
});

describe('pairing', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  const pair = (origin?: string) => fake.peer({ origin }).say({ type: 'auth', mode: 'pair' });
  const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000');

  it('shows a code to the owners alone and gives a token for it', () => {
    const peer = pair('http://page.example');
    const { code, origin, expiresInMs, pairingId } = fake.owner.last('pairing/started');
    assert.match(code, /^\d{6}$/);
    assert.deepEqual([origin, expiresInMs], ['http://page.example', 120_000]);
    assert.equal(peer.last('auth.pairing').type, 'auth.pairing');
    assert.ok(!JSON.stringify(peer.heard).includes(code));
    peer.say({ type: 'auth.confirm', code });
    const { token, active } = peer.last('sessions');
    assert.match(token ?? '', /^ext-/);
    assert.deepEqual(active, [{ id: 'a', label: 'label of a' }]);
    assert.deepEqual(fake.owner.last('pairing/ended'), { pairingId, outcome: 'paired' });
    const again = fake.authenticated(token, 'http://page.example');
    assert.equal(again.last('sessions').token, undefined);
  });

  it('has three tries a code', () => {
    const peer = pair();
    const { code } = fake.owner.last('pairing/started');
    const wrong = { type: 'auth.confirm', code: wrongOf(code) };
    peer.say(wrong).say(wrong);
    assert.equal(peer.closedWith, undefined);
    peer.say({ type: 'auth.confirm', code });
    assert.equal(peer.connection.state, 'AwaitHello');
    const other = pair().say(wrong).say(wrong).say(wrong);
    assert.deepEqual(other.errors, ['AUTH_FAILED', 'AUTH_FAILED', 'AUTH_FAILED']);
    assert.ok(other.closedWith);
    assert.equal(fake.owner.last('pairing/ended').outcome, 'failed');
  });

  it('ends after two minutes, when the user denies it, and when the peer goes', () => {
    const late = pair();
    fake.clock.advance(Time.pairingMs - 1);
    assert.equal(late.connection.state, 'AwaitPairing');
    fake.clock.advance(1);
    assert.ok(late.closedWith);
    const denied = pair();
    assert.ok(fake.gateway.pairings.deny(fake.owner.last('pairing/started').pairingId));
    assert.ok(denied.closedWith);
    pair().connection.closed();
    assert.deepEqual(
      fake.owner.all('pairing/ended').map(({ outcome }) => outcome),
      ['expired', 'denied', 'gone'],
    );
  });

  it('takes five requests a minute over the whole gateway', () => {
    for (let at = 0; at < Limit.pairingsPerMinute; at++) assert.deepEqual(pair().errors, []);
    const sixth = pair();
    assert.deepEqual(sixth.errors, ['RATE_LIMITED']);
    assert.equal(sixth.connection.state, 'AwaitAuth');
    fake.clock.advance(60_000);
    assert.deepEqual(pair().errors, []);
  });

  it('code works for its own connection alone', () => {
    const first = pair();
    const { code } = fake.owner.last('pairing/started');
    const second = pair();
    if (fake.owner.last('pairing/started').code !== code)
      assert.equal(second.say({ type: 'auth.confirm', code }).connection.state, 'AwaitPairing');
    assert.equal(first.say({ type: 'auth.confirm', code }).connection.state, 'AwaitHello');
  });
});

describe('capabilities', () => {
  let fake: FakeGateway;
  const peers: Record<string, () => FakeProvider> = {
    internal: () => fake.internal(),
    project: () => fake.spawned('a'),
    external: () => fake.external(),
  };
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
    fake.session('b');
  });
  afterEach(() => fake.dispose());

  const gate = { match: { tool: 'x' }, action: 'gate', gateId: 'g' };
  const inHello: [string, object, string[]][] = [
    ['register tools', { tools: [tool()] }, ['internal', 'project', 'external']],
    ['register hook gate rules', { hooks: { onPreToolUse: [gate] } }, ['internal', 'project']],
    ['register transform callbacks', { hooks: { transforms: { s: { action: 'callback' } } } }, ['internal', 'project']],
    [
      'register static transforms (append)',
      { hooks: { transforms: { s: { action: 'append', content: 'x' } } } },
      ['internal', 'project', 'external'],
    ],
    [
      'register static transforms (replace)',
      { hooks: { transforms: { s: { action: 'replace', content: 'x' } } } },
      ['internal', 'project'],
    ],
    [
      'append to a protected section',
      { hooks: { transforms: { safety: { action: 'append', content: 'x' } } } },
      ['internal', 'project', 'external'],
    ],
    ['replace a protected section', { hooks: { transforms: { safety: { action: 'replace', content: 'x' } } } }, []],
    ['prepend to a protected section', { hooks: { transforms: { identity: { action: 'prepend', content: 'x' } } } }, []],
    ['call back for a protected section', { hooks: { transforms: { identity: { action: 'callback' } } } }, []],
    ['subscribe to tool events', { subscribe: ['tool.execution_complete'] }, ['internal', 'project', 'external']],
    ['subscribe to all session events', { subscribe: ['user.message'] }, ['internal', 'project']],
    ['set context', { context: 'c' }, ['internal', 'project']],
    ['set startup_context', { startup_context: 'c' }, ['internal', 'project']],
  ];
  for (const [what, fields, allowed] of inHello) {
    it(`to ${what}: ${allowed.join(', ') || 'nobody'}`, () => {
      for (const [trust, make] of Object.entries(peers)) {
        const peer = make().say(hello({ session: 'a', name: trust, ...fields, ...('tools' in fields && { tools: [tool(trust)] }) }));
        assert.deepEqual(peer.errors, allowed.includes(trust) ? [] : ['UNAUTHORIZED'], trust);
      }
    });
  }

  const whenBound: [string, object, string[]][] = [
    ['push', { type: 'push', level: 'inject', event: 'x' }, ['internal', 'project', 'external']],
    ['push a prompt', { type: 'push', level: 'inject', prompt: 'x' }, ['internal', 'project']],
    ['broadcast', { type: 'push', level: 'keep', event: 'x', broadcast: true }, ['internal', 'project']],
    ['query its own streams', { type: 'stream.query', queryId: 'q', streams: ['s'] }, ['internal', 'project', 'external']],
    ['query streams of others', { type: 'stream.query', queryId: 'q', streams: ['s@other'] }, ['internal']],
    ['add gates later', { type: 'hooks.update', onPreToolUse: [gate] }, ['internal', 'project']],
    ['add transform callbacks later', { type: 'hooks.update', transforms: { s: { action: 'callback' } } }, ['internal', 'project']],
    [
      'add static transforms (append) later',
      { type: 'hooks.update', transforms: { s: { action: 'append', content: 'x' } } },
      ['internal', 'project', 'external'],
    ],
    ['change its tools later', { type: 'tools.update', tools: [] }, ['internal', 'project', 'external']],
    ['set context later', { type: 'context.update', context: 'x' }, ['internal', 'project']],
    ['filter its own stream', { type: 'filter.set', stream: 's', rules: [] }, ['internal', 'project', 'external']],
  ];
  for (const [what, message, allowed] of whenBound) {
    it(`to ${what}: ${allowed.join(', ')}`, () => {
      for (const [trust, make] of Object.entries(peers)) {
        const peer = make()
          .say(hello({ session: 'a', name: trust }))
          .say(message);
        assert.deepEqual(peer.errors, allowed.includes(trust) ? [] : ['UNAUTHORIZED'], trust);
      }
    });
  }

  it('to speak for a session that it is not bound to: nobody', () => {
    const scoped = [
      { type: 'push', level: 'keep', event: 'x' },
      { type: 'tools.update', tools: [] },
      { type: 'hooks.update' },
      { type: 'context.update', context: 'x' },
      { type: 'filter.set', rules: [] },
      { type: 'stream.query', queryId: 'q', streams: ['s'] },
      { type: 'session.ready' },
      { type: 'shutdown.ready' },
    ];
    const peer = fake.spawned('a').say(hello({ session: 'a' }));
    for (const message of scoped) {
      peer.forget().say({ ...message, sessionId: 'b' });
      assert.deepEqual(peer.errors, ['INVALID_SESSION'], message.type);
    }
  });

  it('of the file token: gates, transforms and context need the user’s consent for the name, once', async () => {
    const fields = {
      session: 'a',
      context: 'ctx',
      hooks: { onPreToolUse: [{ match: { tool: 'x' }, action: 'deny' }], transforms: { s: { action: 'append', content: 'more' } } },
    };
    const peer = fake.authenticated().say(hello({ ...fields, tools: [tool()] }));
    assert.deepEqual(fake.tools('a'), ['greet']);
    assert.deepEqual(fake.owner.all('consent/asked'), [{ provider: 'provider', sessionIds: ['a'], wants: ['hooks', 'context'] }]);
    const session = fake.gateway.sessions.get('a')!;
    const decide = () => fake.gateway.hooks.evaluate(session, { tool: 'x', args: {} });
    assert.equal((await decide()).decision, 'allow');
    assert.deepEqual(await fake.gateway.hooks.transform(session, {}), { sections: [], context: [], startup: [] });
    fake.gateway.consents.answer('provider', true);
    assert.equal((await decide()).decision, 'deny');
    assert.equal((await fake.gateway.hooks.transform(session, {})).context.length, 1);
    peer.connection.closed();
    fake.authenticated().say(hello(fields));
    assert.equal(fake.owner.all('consent/asked').length, 1);
    fake.gateway.consents.answer('provider', false);
    assert.equal((await decide()).decision, 'allow');
    fake.spawned('a').say(hello({ ...fields, name: 'spawned' }));
    assert.equal((await decide()).decision, 'deny');
  });
});

import assert from 'node:assert/strict';
import { FakeGateway, FakeOwner, type FakeProvider, hello, tool } from '../fakes/fakeGateway.ts';
import { Time } from '../../src/tap/wire/limits.ts';

describe('authentication', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());

  it('with a wrong token is an error that closes the connection; with a right one it succeeds', () => {
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

  it('with a spawn token ends with its session; with a paired one too, unless its holder is connected', async () => {
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

  it('shows a code to owners alone and gives a token for it', () => {
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

  it('can be revoked: the token is void, its connection is closed, and it may only pair again', () => {
    const page = 'http://page.example';
    const paired = [page, 'http://other.example'].map((origin) => {
      const peer = pair(origin).say({ type: 'auth.confirm', code: fake.owner.last('pairing/started').code });
      return peer.say(hello({ session: 'a', name: origin, instance: 'tab', tools: [tool(origin === page ? 'one' : 'two')] }));
    });
    const { token } = paired[0]!.last('sessions');
    const { reconnectToken } = paired[0]!.last('hello.ack');
    const { pairings, providers } = fake.gateway.status();
    assert.deepEqual(
      pairings.map(({ origin, name, connected }) => ({ origin, name, connected })),
      [page, 'http://other.example'].map((origin) => ({ origin, name: origin, connected: true })),
    );
    const { pairing } = providers.find(({ name }) => name === page)!;
    fake.gateway.revokePairing(pairing!);
    assert.ok(paired[0]!.closedWith);
    assert.deepEqual([fake.tools('a'), paired[1]!.closedWith], [['two'], undefined]);
    assert.deepEqual(fake.authenticated(token, page).errors, ['AUTH_FAILED']);
    const again = fake.peer({ origin: page }).say({ type: 'auth', reconnectToken, name: page, instance: 'tab' });
    assert.deepEqual(again.errors, ['AUTH_FAILED']);
    assert.equal(pair(page).last('auth.pairing').type, 'auth.pairing');
    assert.deepEqual(
      fake.gateway.status().pairings.map(({ origin }) => origin),
      ['http://other.example'],
    );
    fake.gateway.revokePairing('owner');
    fake.gateway.revokePairing('file');
    assert.equal(fake.internal().connection.state, 'AwaitHello', 'pairings alone can be revoked');
    assert.equal(fake.authenticated().connection.state, 'AwaitHello');
  });

  it('allows three tries for a code: a wrong one closes the connection, and the same origin may try again', () => {
    const page = 'http://page.example';
    const first = pair(page);
    const { code, pairingId } = fake.owner.last('pairing/started');
    const wrong = { type: 'auth.confirm', code: wrongOf(code) };
    assert.deepEqual([first.say(wrong).errors, first.closedWith?.code], [['AUTH_FAILED'], 4001]);
    const second = pair(page).say(wrong);
    assert.match(second.last('auth.pairing').prompt, /wrong; 2 more/);
    assert.match(second.last('error').message, /1 more/);
    const third = pair(page);
    assert.equal(third.say({ type: 'auth.confirm', code }).connection.state, 'AwaitHello');
    assert.equal(fake.owner.all('pairing/started').length, 1, 'the user was shown one code');
    assert.deepEqual(fake.owner.all('pairing/ended'), [{ pairingId, outcome: 'paired' }]);

    const other = 'http://other.example';
    const typeWrong = () => pair(other).say({ type: 'auth.confirm', code: wrongOf(fake.owner.last('pairing/started').code) });
    for (let at = 0; at < 3; at++) assert.deepEqual(typeWrong().errors, ['AUTH_FAILED']);
    assert.equal(fake.owner.last('pairing/ended').outcome, 'failed');
    pair(other);
    assert.equal(fake.owner.all('pairing/started').length, 3, 'then it is another code');
  });

  it('is kept for a peer that reconnects, and for no other origin', () => {
    const page = 'http://page.example';
    pair(page).connection.closed();
    const { code } = fake.owner.last('pairing/started');
    for (const origin of ['http://other.example', undefined]) {
      const stranger = pair(origin);
      if (fake.owner.last('pairing/started').code !== code)
        assert.deepEqual(stranger.say({ type: 'auth.confirm', code }).errors, ['AUTH_FAILED']);
    }
    assert.equal(pair(page).say({ type: 'auth.confirm', code }).connection.state, 'AwaitHello');
    assert.equal(fake.owner.all('pairing/started').length, 3);
  });

  it('ends after two minutes, and when the user denies it, also while its peer has gone', () => {
    const late = pair();
    fake.clock.advance(Time.pairingMs - 1);
    assert.equal(late.connection.state, 'AwaitPairing');
    fake.clock.advance(1);
    assert.ok(late.closedWith);
    const denied = pair();
    assert.ok(fake.gateway.pairings.deny(fake.owner.last('pairing/started').pairingId));
    assert.ok(denied.closedWith);
    pair().connection.closed();
    fake.clock.advance(Time.pairingMs);
    pair().connection.closed();
    fake.gateway.pairings.deny(fake.owner.last('pairing/started').pairingId);
    assert.deepEqual(
      fake.owner.all('pairing/ended').map(({ outcome }) => outcome),
      ['expired', 'denied', 'expired', 'denied'],
    );
    pair();
    assert.equal(fake.owner.all('pairing/started').length, 5, 'nothing of them is left');
  });

  it('takes five requests a minute over the whole gateway', () => {
    for (const origin of [undefined, 'http://a.example', undefined, 'http://b.example', 'http://c.example'])
      assert.deepEqual(pair(origin).errors, []);
    const sixth = pair();
    assert.deepEqual(sixth.errors, ['RATE_LIMITED']);
    assert.equal(sixth.connection.state, 'AwaitAuth');
    fake.clock.advance(60_000);
    assert.deepEqual(pair().errors, []);
  });

  it('cannot be used up by one site, by pages, or by programs', () => {
    const asked = (...origins: (string | undefined)[]) => origins.map((origin) => pair(origin).errors[0] ?? 'a code');
    assert.deepEqual(asked('https://evil.example', 'http://a.evil.example:8080', 'https://b.a.evil.example', 'https://EVIL.example'), [
      'a code',
      'a code',
      'RATE_LIMITED',
      'RATE_LIMITED',
    ]);
    assert.deepEqual(asked('null', 'null'), ['a code', 'RATE_LIMITED']);
    assert.deepEqual(asked('https://honest.example'), ['a code']);
    assert.deepEqual(asked('https://more.example'), ['RATE_LIMITED']);
    assert.deepEqual(asked(undefined), ['a code'], 'a program has one left');
    fake.clock.advance(60_000);
    assert.deepEqual(asked(...Array.from({ length: 5 }, () => undefined)), ['a code', 'a code', 'a code', 'a code', 'RATE_LIMITED']);
    assert.deepEqual(asked('https://honest.example'), ['a code'], 'and so has a page');
  });

  it('code works for its own connection alone', () => {
    const first = pair();
    const { code } = fake.owner.last('pairing/started');
    const second = pair();
    if (fake.owner.last('pairing/started').code !== code)
      assert.deepEqual(second.say({ type: 'auth.confirm', code }).errors, ['AUTH_FAILED']);
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

  it('of the file token: what is wanted beside, before the user has answered, is asked about too', () => {
    const peer = fake.authenticated().say(hello({ session: 'a', context: 'ctx' }));
    peer.say({ type: 'hooks.update', onPreToolUse: [{ match: { tool: 'x' }, action: 'deny' }] });
    assert.deepEqual(
      fake.owner.all('consent/asked').map(({ wants }) => [...wants].sort()),
      [['context'], ['context', 'hooks']],
    );
  });

  it('of the file token: gates, transforms and context need the user’s consent for the name, once', async () => {
    const fields = {
      session: 'a',
      context: 'ctx',
      hooks: { onPreToolUse: [{ match: { tool: 'x' }, action: 'deny' }], transforms: { s: { action: 'append', content: 'more' } } },
    };
    const peer = fake.authenticated().say(hello({ ...fields, tools: [tool()] }));
    assert.deepEqual(fake.tools('a'), ['greet']);
    assert.deepEqual(fake.owner.all('consent/asked'), [
      { provider: 'provider', sessionIds: ['a'], wants: ['hooks', 'transforms', 'context'] },
    ]);
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

  it('of the file token: the program reads what waits for consent, and what became of it', () => {
    const fields = { session: 'a', hooks: { onPreToolUse: [{ action: 'deny' }] }, tools: [] };
    const peer = fake.authenticated().say(hello(fields));
    const namesake = fake.authenticated().say(hello({ session: 'a', startup_context: 'x' }));
    const other = fake.authenticated().say(hello({ ...fields, name: 'other' }));
    const plain = fake.authenticated().say(hello({ session: 'a', name: 'plain', tools: [tool()] }));
    const spawned = fake.spawned('a').say(hello(fields));
    assert.deepEqual(peer.last('hello.ack').consent, { decision: 'asked', wants: ['hooks'] });
    assert.deepEqual(namesake.last('hello.ack').consent, { decision: 'asked', wants: ['context'] });
    for (const free of [plain, spawned]) assert.equal(free.last('hello.ack').consent, undefined);
    fake.gateway.consents.answer('provider', true);
    assert.deepEqual(peer.all('consent.updated'), [{ type: 'consent.updated', decision: 'allowed', wants: ['hooks'] }]);
    assert.deepEqual(namesake.all('consent.updated'), [{ type: 'consent.updated', decision: 'allowed', wants: ['context'] }]);
    fake.gateway.consents.answer('provider', true, true);
    assert.equal(peer.all('consent.updated').length, 1, 'nothing has changed');
    assert.deepEqual(fake.authenticated().say(hello(fields)).last('hello.ack').consent, { decision: 'allowed', wants: ['hooks'] });
    peer.say({ type: 'hooks.update', onPreToolUse: [] });
    assert.deepEqual(peer.last('consent.updated'), { type: 'consent.updated', decision: 'allowed', wants: [] });
    peer.say({ type: 'context.update', sessionId: 'a', context: 'x' });
    assert.deepEqual(peer.last('consent.updated').wants, ['context']);
    fake.gateway.forgetConsent('provider');
    assert.deepEqual(peer.last('consent.updated'), { type: 'consent.updated', decision: 'asked', wants: ['context'] });
    fake.gateway.consents.answer('other', false);
    assert.deepEqual(other.last('consent.updated'), { type: 'consent.updated', decision: 'denied', wants: ['hooks'] });
    for (const free of [plain, spawned]) assert.deepEqual(free.all('consent.updated'), []);
    peer.connection.closed();
    assert.deepEqual(
      fake.gateway
        .status()
        .providers.map(({ name, awaitsConsent, wants }) => [name, awaitsConsent, wants])
        .slice(0, 2),
      [
        ['provider', true, ['context']],
        ['other', false, ['hooks']],
      ],
    );
  });

  it('of the file token: of decisions that owners remember the denial counts, whichever comes first, until the user decides again', () => {
    const { consents } = fake.gateway;
    for (const remembered of [
      [true, false],
      [false, true],
    ]) {
      fake.authenticated().say(hello({ session: 'a', hooks: { onPreToolUse: [{ match: { tool: 'x' }, action: 'deny' }] } }));
      for (const allow of remembered) consents.answer('provider', allow, true);
      assert.equal(consents.isGiven('provider'), false, String(remembered));
      assert.deepEqual(fake.owner.last('consent/decided'), { provider: 'provider', allow: false });
      consents.answer('provider', true);
      assert.equal(consents.isGiven('provider'), true);
      fake.gateway.forgetConsent('provider');
    }
    consents.answer('provider', true, true);
    assert.equal(consents.isGiven('provider'), true);
  });

  it('of the file token: what the user decided is told to all owners, and can be forgotten; then it is asked again', async () => {
    fake.authenticated().say(hello({ session: 'a', hooks: { onPreToolUse: [{ match: { tool: 'x' }, action: 'deny' }] } }));
    const asked = { provider: 'provider', sessionIds: ['a'], wants: ['hooks'] };
    const late = new FakeOwner('a second window');
    fake.gateway.attach(late);
    assert.deepEqual(late.all('consent/asked'), [asked], 'it connected before the user decided');
    fake.gateway.consents.answer('provider', true);
    for (const owner of [fake.owner, late]) assert.deepEqual(owner.all('consent/decided'), [{ provider: 'provider', allow: true }]);
    assert.deepEqual(fake.gateway.status().consents, [{ provider: 'provider', decision: 'allowed', wants: ['hooks'] }]);
    fake.gateway.forgetConsent('provider');
    assert.deepEqual(late.last('consent/decided'), { provider: 'provider' });
    assert.deepEqual(late.all('consent/asked'), [asked, asked]);
    const evaluated = await fake.gateway.hooks.evaluate(fake.gateway.sessions.get('a')!, { tool: 'x', args: {} });
    assert.equal(evaluated.decision, 'allow', 'its rule is not in force');
    const owner = new FakeOwner();
    fake.gateway.consents.answer('provider', false);
    fake.gateway.attach(owner);
    assert.deepEqual(owner.events, []);
  });
});

/** The tables of the provider interface: which messages each state allows, and what each error means for the connection. */
import assert from 'node:assert/strict';
import { atRest } from '../fakes/eventually.ts';
import { FakeGateway, type FakeProvider, hello, tool } from '../fakes/fakeGateway.ts';
import type { ProviderMessageType } from '../../src/tap/wire/providerMessages.ts';
import { Limit, Time } from '../../src/tap/wire/limits.ts';

/** Each message is valid, so only the state can refuse it. */
const messages: Record<ProviderMessageType, object> = {
  auth: { token: 'wrong' },
  'auth.confirm': { code: 'wrong' },
  hello: { name: 'provider', protocolVersion: 2, session: 'a' },
  goodbye: {},
  'session.ready': { sessionId: 'a' },
  'tool.result': { id: 'c', data: 1 },
  'tool.progress': { id: 'c', message: 'm' },
  'tool.ask': { id: 'c', askId: 'a', question: { message: 'm', requestedSchema: {} } },
  'gate.result': { callId: 'c', decision: 'allow' },
  'transform.result': { callId: 'c', content: '' },
  push: { level: 'keep', event: 'e' },
  'tools.update': { tools: [] },
  'hooks.update': {},
  'context.update': { context: 'c' },
  'filter.set': { rules: [] },
  'stream.query': { queryId: 'q', streams: ['s'] },
  'shutdown.ready': { sessionId: 'a' },
};
const types = Object.keys(messages) as ProviderMessageType[];
const answers: ProviderMessageType[] = ['tool.result', 'tool.progress', 'tool.ask', 'gate.result', 'transform.result'];

describe('the states of a connection', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  /** Bound, with a pending call of this id. */
  const bound = () => fake.spawned('a').say(hello({ tools: [tool()] }));

  const table: [state: string, enter: () => FakeProvider, legal: readonly ProviderMessageType[]][] = [
    ['AwaitAuth', () => fake.peer(), ['auth']],
    ['AwaitPairing', () => (fake.clock.advance(60_000), fake.peer().say({ type: 'auth', mode: 'pair' })), ['auth.confirm']],
    ['AwaitHello', () => fake.authenticated(), ['hello']],
    ['Bound', bound, types.filter((type) => type !== 'auth' && type !== 'auth.confirm')],
    [
      'Rebinding',
      () => {
        fake.authenticated().say(hello({ session: 'a', tools: [tool()] }));
        return fake.authenticated().say(hello({ session: 'a', tools: [tool()] }));
      },
      [],
    ],
    ['Unbound', () => bound().say(hello({ session: 'nowhere' })), ['hello', 'goodbye']],
  ];
  for (const [state, enter, legal] of table) {
    it(`${state} allows ${legal.length > 3 ? 'all but what authenticates' : legal.join(' and ') || 'nothing'}`, () => {
      for (const type of types) {
        const peer = enter().forget();
        assert.equal(peer.connection.state, state);
        peer.say({ type, ...messages[type] });
        const refused = peer.all('error').filter(({ code }) => code === 'UNAUTHORIZED');
        if (legal.includes(type)) {
          assert.deepEqual(refused, [], type);
        } else if (answers.includes(type)) {
          assert.deepEqual(peer.heard, [], `${type}: what it answers may have ended with the state before`);
        } else {
          assert.equal(refused[0]?.replyTo, type, type);
          assert.ok(refused[0].message.includes(state));
          assert.deepEqual([peer.connection.state, peer.closedWith], [state, undefined], type);
        }
        peer.connection.closed();
      }
    });
  }

  it('name the next step in what they refuse', () => {
    const told = (peer: FakeProvider, type: ProviderMessageType) => peer.say({ type, ...messages[type] }).last('error').message;
    assert.equal(told(fake.peer(), 'hello'), 'hello is not allowed in the state AwaitAuth: send auth with your token first');
    assert.match(told(fake.peer().say({ type: 'auth', mode: 'pair' }), 'hello'), /: send auth\.confirm with the code that your user reads/);
    assert.match(told(fake.authenticated(), 'push'), /: send hello first/);
    assert.match(told(fake.authenticated(), 'auth'), /: send hello first/);
    const wrong = fake.peer().say({ type: 'hello', name: 'p' }).last('error').message;
    assert.equal(
      wrong,
      'protocolVersion: must be the number 2; and send auth with your token first',
      'also of one that is wrong in itself',
    );
    assert.equal(fake.authenticated().say({ type: 'hello', name: 'p' }).last('error').message, 'protocolVersion: must be the number 2');
    const peer = bound();
    assert.match(told(peer, 'auth'), /: you have authenticated already/);
    assert.match(told(peer.say(hello({ session: 'nowhere' })), 'push'), /: send hello with a session/);
    const late = fake.peer();
    fake.clock.advance(Time.authMs);
    assert.match(late.last('error').message, /^no auth within 5 s: send it with your token as the first message/);
    const lost = fake
      .authenticated()
      .say(hello({ session: 'nowhere' }))
      .last('error').message;
    assert.equal(lost, 'Session "nowhere" does not exist, or is not for this token: name one of the last list of sessions, or "all"');
    assert.match(fake.external().say(hello()).last('error').message, /must name its session: one of the last list of sessions/);
    assert.match(
      fake
        .authenticated()
        .say(hello({ protocolVersion: 3 }))
        .last('error').message,
      /version 2, not 3: send protocolVersion 2$/,
    );
    void fake.gateway.sessions.end(fake.gateway.sessions.get('a')!);
    assert.match(fake.authenticated().say(hello()).last('error').message, /no session yet: wait for the next list of sessions/);
  });

  it('AwaitAuth and AwaitPairing end after two messages that lead nowhere', () => {
    const ways: [enter: () => FakeProvider, message: object | string][] = [
      [() => fake.peer(), '{'],
      [() => fake.peer(), { type: 'nonsense' }],
      [() => fake.peer(), { type: 'tool.result', id: 'c', data: 1 }],
      [() => (fake.clock.advance(60_000), fake.peer().say({ type: 'auth', mode: 'pair' })), { type: 'hello' }],
    ];
    for (const [enter, message] of ways) {
      const peer = enter();
      const closes = [1, 2].map(() => peer.say(message).closedWith?.code);
      assert.deepEqual(closes, [undefined, 4001], JSON.stringify(message));
    }
    const slow = fake.peer().say({ type: 'nonsense' }).say({ type: 'auth', token: fake.gateway.grants.fileToken });
    for (let at = 0; at < 20; at++) slow.say({ type: 'nonsense' });
    assert.deepEqual([slow.connection.state, slow.closedWith], ['AwaitHello', undefined]);
  });

  it('AwaitAuth and AwaitPairing read no frame above 64 KiB', () => {
    const long = { type: 'auth', token: fake.gateway.grants.fileToken, more: 'x'.repeat(Limit.bytesBeforeAuth) };
    for (const peer of [fake.peer(), fake.peer().say({ type: 'auth', mode: 'pair' })]) {
      peer.say(long);
      assert.deepEqual([peer.errors, peer.closedWith?.code], [['PAYLOAD_TOO_LARGE'], 4001]);
    }
    const fits = { ...long, more: 'x'.repeat(Limit.bytesBeforeAuth - 200) };
    assert.equal(fake.peer().say(fits).connection.state, 'AwaitHello');
    assert.deepEqual(bound().say({ type: 'push', level: 'keep', event: 'e', metadata: { long } }).errors, [], 'a known peer may say more');
  });

  it('Disconnected ignores all messages', () => {
    const peer = bound().forget();
    peer.connection.closed();
    for (const type of types) peer.say({ type, ...messages[type] });
    assert.deepEqual([peer.heard, peer.connection.state, fake.tools('a')], [[], 'Disconnected', []]);
  });

  it('end in Unbound when a rebind fails, and go on to Bound with the next', () => {
    const peer = bound().say(hello({ session: 'nowhere' }));
    assert.equal(peer.connection.state, 'Unbound');
    fake.session('b');
    assert.deepEqual(
      peer.last('sessions.updated').active.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(peer.say(hello()).connection.state, 'Bound');
  });

  it('send the list to nobody who has not authenticated', () => {
    const silent = fake.peer();
    const pairing = fake.peer().say({ type: 'auth', mode: 'pair' });
    const known = fake.authenticated();
    fake.session('b');
    fake.clock.advance(1000);
    assert.deepEqual([silent.heard.length, pairing.heard.length, known.all('sessions').length], [0, 1, 2]);
  });

  it('catch up with a list that has changed while an older peer was pinged', async () => {
    fake.authenticated().say(hello({ session: 'a', tools: [tool()] }));
    const second = fake.authenticated().say(hello({ session: 'a', tools: [tool()] }));
    assert.equal(second.connection.state, 'Rebinding');
    fake.session('b');
    await atRest();
    assert.equal(second.connection.state, 'AwaitHello');
    fake.clock.advance(1000);
    assert.equal(second.last('sessions').active.length, 2);
  });
});

describe('errors', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a', { agentTools: ['shell'] });
  });
  afterEach(() => fake.dispose());

  interface Case {
    code: string;
    peer(): FakeProvider;
    wrong: object | string;
    /** Fields of the error besides code and message. */
    about: { replyTo?: string; requestId?: string; sessionId?: string };
    /** How the peer goes on; when absent, the connection is closed. */
    recovery?: { after?: () => void; say: object; hears: string };
  }
  const bound = (fields: object = {}) => fake.spawned('a').say(hello({ name: 'bound', tools: [tool()], ...fields }));
  const update = { type: 'tools.update', requestId: 'r', sessionId: 'a' };
  const again = { type: 'tools.update', requestId: 'next', tools: [tool('other')] };
  const cases: Case[] = [
    { code: 'AUTH_FAILED', peer: () => fake.peer(), wrong: { type: 'auth', token: 'wrong' }, about: { replyTo: 'auth' } },
    { code: 'UNSUPPORTED_VERSION', peer: () => fake.authenticated(), wrong: hello({ protocolVersion: 1 }), about: { replyTo: 'hello' } },
    {
      code: 'INVALID_SESSION',
      peer: () => fake.authenticated(),
      wrong: hello({ session: 'b' }),
      about: { replyTo: 'hello' },
      recovery: { after: () => fake.session('b'), say: hello({ session: 'b' }), hears: 'hello.ack' },
    },
    {
      code: 'DUPLICATE_INSTANCE',
      peer: () => (bound({ instance: 'i' }), fake.spawned('a')),
      wrong: hello({ name: 'bound', instance: 'i' }),
      about: { replyTo: 'hello' },
      recovery: { say: hello({ name: 'bound', instance: 'j' }), hears: 'hello.ack' },
    },
    {
      code: 'TOOL_CONFLICT',
      peer: () => bound(),
      wrong: { ...update, tools: [tool('shell')] },
      about: { replyTo: 'tools.update', requestId: 'r', sessionId: 'a' },
      recovery: { say: again, hears: 'ack' },
    },
    {
      code: 'PAYLOAD_TOO_LARGE',
      peer: () => bound(),
      wrong: { ...update, tools: [], remove: Array.from({ length: Limit.tools + 1 }, String) },
      about: { replyTo: 'tools.update', requestId: 'r' },
      recovery: { say: again, hears: 'ack' },
    },
    {
      code: 'RATE_LIMITED',
      peer: () => bound().say({ ...update, requestId: 'first', tools: [] }),
      wrong: { ...update, tools: [] },
      about: { replyTo: 'tools.update', requestId: 'r', sessionId: 'a' },
      recovery: { after: () => fake.clock.advance(1000), say: again, hears: 'ack' },
    },
    {
      code: 'UNAUTHORIZED',
      peer: () => fake.external().say(hello({ session: 'a' })),
      wrong: { type: 'context.update', requestId: 'r', sessionId: 'a', context: 'c' },
      about: { replyTo: 'context.update', requestId: 'r', sessionId: 'a' },
      recovery: { say: again, hears: 'ack' },
    },
    {
      code: 'INVALID_JSON',
      peer: () => bound(),
      wrong: { ...update, tools: 'all' },
      about: { replyTo: 'tools.update', requestId: 'r' },
      recovery: { say: again, hears: 'ack' },
    },
    { code: 'INVALID_JSON', peer: () => bound(), wrong: '{"type":', about: {}, recovery: { say: again, hears: 'ack' } },
    {
      code: 'UNKNOWN_TYPE',
      peer: () => bound(),
      wrong: { type: 'tools.replace', requestId: 'r' },
      about: { replyTo: 'tools.replace', requestId: 'r' },
      recovery: { say: again, hears: 'ack' },
    },
  ];
  for (const { code, peer: make, wrong, about, recovery } of cases) {
    it(`${code} ${recovery ? 'leaves the peer as it was' : 'ends the connection'}${typeof wrong === 'string' ? ', also for what is no JSON' : ''}`, () => {
      const peer = make();
      const ack = peer.all('hello.ack').at(-1);
      peer.forget().say(wrong);
      const { message, ...error } = peer.last('error');
      assert.ok(message.length > 5);
      assert.deepEqual(error, { type: 'error', code, ...about, ...(ack && { providerId: ack.providerId }) });
      assert.equal(peer.heard.length, 1);
      if (!recovery) {
        assert.equal(peer.closedWith?.code, 4001);
        return;
      }
      assert.equal(peer.closedWith, undefined);
      recovery.after?.();
      peer.forget().say(recovery.say);
      fake.settle();
      assert.deepEqual([peer.errors, peer.heard.filter(({ type }) => type === recovery.hears).length > 0], [[], true]);
    });
  }
});

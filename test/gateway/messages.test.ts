/** The messages of the gateway: each with exactly its fields, and when it is sent. */
import assert from 'node:assert/strict';
import { atRest } from '../fakes/eventually.ts';
import { FakeGateway, type FakeProvider, hello, tool } from '../fakes/fakeGateway.ts';
import { type GatewayMessage, gatewayMessages, type GatewayMessageType } from '../../src/tap/wire/gatewayMessages.ts';
import { Limit } from '../../src/tap/wire/limits.ts';

const opaque: Record<string, RegExp> = {
  token: /^ext-[\w-]{43}$/,
  reconnectToken: /^tok-[\w-]{43}$/,
  providerId: /^p-[0-9a-f]{12}$/,
  id: /^tool-[0-9a-f-]{36}-[\w-]{22}$/,
  callId: /^(gate|transform)-[0-9a-f-]{36}-[\w-]{22}$/,
  ts: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
};
/** Random values are checked for their format and left out of the comparison. */
const masked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (typeof part !== 'string' || !opaque[key] || (key === 'id' && !part.startsWith('tool-'))) return part;
    assert.match(part, opaque[key]);
    return '…';
  }) as unknown;

describe('the messages of the gateway', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  const session = () => fake.gateway.sessions.get('a')!;
  const rules = {
    onPreToolUse: [{ match: { tool: 'shell' }, action: 'gate', gateId: 'g' }],
    transforms: { s: { action: 'callback' } },
  };
  const bound = (fields: object = {}) => fake.spawned('a').say(hello({ tools: [tool()], ...fields }));
  const say = (message: object) => (peer: FakeProvider) => (peer.say(message), fake.settle());
  const info = { id: 'a', label: 'label of a', cwd: '/code/a' };

  const table: Record<
    GatewayMessageType,
    [when: string, peer: () => FakeProvider, cause: (peer: FakeProvider) => void, message: object][]
  > = {
    'auth.pairing': [
      [
        'pairing is asked for',
        () => fake.peer(),
        say({ type: 'auth', mode: 'pair' }),
        { prompt: 'Enter the pairing code that is shown in your session' },
      ],
    ],
    sessions: [
      [
        'a token was right',
        () => fake.peer(),
        (peer) => peer.say({ type: 'auth', token: fake.gateway.grants.issueSpawnToken('a') }),
        { active: [info] },
      ],
      [
        'the code was right',
        () => fake.peer().say({ type: 'auth', mode: 'pair' }),
        (peer) => peer.say({ type: 'auth.confirm', code: fake.owner.last('pairing/started').code }),
        { token: '…', active: [{ id: 'a', label: 'label of a' }] },
      ],
    ],
    'sessions.updated': [
      ['a session comes', () => bound(), () => void fake.session('b'), { active: [info, { id: 'b', label: 'label of b' }] }],
      ['a session ends', () => bound(), () => void fake.gateway.sessions.end(session()), { active: [] }],
    ],
    'hello.ack': [
      [
        'a core client says hello',
        () => fake.spawned('a'),
        say(hello()),
        { protocolVersion: 2, providerId: '…', sessionId: 'a', persistDir: '', isForAll: false },
      ],
      [
        'an advanced client says hello',
        () => fake.spawned('a'),
        say(hello({ instance: 'i' })),
        { protocolVersion: 2, providerId: '…', sessionId: 'a', reconnectToken: '…', persistDir: '', isForAll: false },
      ],
      [
        'an external client says hello',
        () => fake.external(),
        say(hello({ session: 'a' })),
        { protocolVersion: 2, providerId: '…', sessionId: 'a' },
      ],
      [
        'one for several sessions says hello',
        () => (fake.session('b'), fake.internal()),
        say(hello()),
        { protocolVersion: 2, providerId: '…', persistDir: '' },
      ],
      [
        'a program with the file token wants rules, which the user has to allow',
        () => fake.authenticated(),
        say(hello({ hooks: rules })),
        {
          protocolVersion: 2,
          providerId: '…',
          sessionId: 'a',
          reconnectToken: '…',
          persistDir: '',
          consent: { decision: 'asked', wants: ['hooks', 'transforms'] },
        },
      ],
    ],
    'consent.updated': [
      [
        'the user has answered',
        () => fake.authenticated().say(hello({ hooks: rules })),
        () => fake.gateway.consents.answer('provider', false),
        { decision: 'denied', wants: ['hooks', 'transforms'] },
      ],
      [
        'the user has forgotten the answer',
        () => (fake.gateway.consents.answer('provider', true), fake.authenticated().say(hello({ context: 'c' }))),
        () => fake.gateway.forgetConsent('provider'),
        { decision: 'asked', wants: ['context'] },
      ],
      [
        'it wants more than before',
        () => fake.authenticated().say(hello({ context: 'c' })),
        say({ type: 'hooks.update', onPreToolUse: [{ action: 'deny' }] }),
        { decision: 'asked', wants: ['hooks', 'context'] },
      ],
    ],
    ack: [
      [
        'tools change',
        () => bound(),
        say({ type: 'tools.update', requestId: 'r', tools: [] }),
        { requestId: 'r', sessionId: 'a', revision: 1 },
      ],
      ['hooks change', () => bound(), say({ type: 'hooks.update', requestId: 'r' }), { requestId: 'r', sessionId: 'a', revision: 1 }],
      [
        'the context changes',
        () => bound(),
        say({ type: 'context.update', requestId: 'r', context: 'c' }),
        { requestId: 'r', sessionId: 'a', revision: 1 },
      ],
      [
        'a filter is set',
        () => bound(),
        say({ type: 'filter.set', requestId: 'r', rules: [] }),
        { requestId: 'r', sessionId: 'a', revision: 1 },
      ],
    ],
    error: [
      [
        'a message is wrong',
        () => bound(),
        say({ type: 'tools.update', requestId: 'r', sessionId: 'b', tools: [] }),
        {
          code: 'INVALID_SESSION',
          message: 'this provider is not bound to session "b"',
          replyTo: 'tools.update',
          requestId: 'r',
          sessionId: 'b',
          providerId: '…',
        },
      ],
    ],
    'tool.call': [
      [
        'a tool is called',
        () => bound(),
        () => void fake.call('a', 'greet', { n: 1 }),
        { id: '…', sessionId: 'a', tool: 'greet', args: { n: 1 } },
      ],
    ],
    'tool.cancel': [
      ['a call is cancelled', () => bound(), () => fake.call('a', 'greet').cancel('why'), { id: '…', sessionId: 'a', reason: 'why' }],
      [
        'a call takes too long',
        () => bound(),
        () => (fake.call('a', 'greet'), fake.clock.advance(60_000)),
        { id: '…', sessionId: 'a', reason: 'timeout' },
      ],
    ],
    'tool.answer': [
      [
        'a tool asks where nobody can be asked',
        () => bound(),
        (peer) => {
          void fake.call('a', 'greet');
          const question = { message: 'Who?', requestedSchema: {} };
          peer.say({ type: 'tool.ask', id: peer.last('tool.call').id, askId: 'q', question });
        },
        { id: '…', askId: 'q', action: 'decline' },
      ],
    ],
    'gate.check': [
      [
        'a rule says gate',
        () => bound({ hooks: rules }),
        () => void fake.gateway.hooks.evaluate(session(), { tool: 'shell', args: { command: 'ls' } }),
        { gateId: 'g', callId: '…', sessionId: 'a', tool: 'shell', args: { command: 'ls' } },
      ],
    ],
    'transform.request': [
      [
        'a section has a callback',
        () => bound({ hooks: rules }),
        () => void fake.gateway.hooks.transform(session(), { s: 'base' }),
        { callId: '…', sessionId: 'a', section: 's', current: 'base' },
      ],
    ],
    'session.event': [
      [
        'something subscribed to happens',
        () => bound({ subscribe: ['assistant.intent'] }),
        () => fake.gateway.sessionEvent(session(), 'assistant.intent', { intent: 'x' }, false),
        { sessionId: 'a', event: 'assistant.intent', data: { intent: 'x' } },
      ],
    ],
    'session.lifecycle': [
      ['a provider is bound', () => fake.spawned('a'), say(hello()), { sessionId: 'a', state: 'started' }],
      [
        'the session becomes idle',
        () => bound(),
        () => [false, true].forEach((idle) => fake.gateway.updateSession(session(), { idle })),
        { sessionId: 'a', state: 'idle' },
      ],
      [
        'the session ends',
        () => bound(),
        () => void fake.gateway.sessions.end(session(), 500),
        { sessionId: 'a', state: 'shutdown.pending', deadline: 500 },
      ],
    ],
    'stream.history': [
      [
        'a stream is read',
        () => bound().say({ type: 'push', level: 'keep', event: 'e', stream: 's', metadata: { n: 1 } }),
        say({ type: 'stream.query', queryId: 'q', streams: ['s', 's@provider', 'none'] }),
        { queryId: 'q', streams: { 's@provider': [{ ts: '…', event: 'e', metadata: { n: 1 } }], 'none@provider': [] } },
      ],
    ],
  };

  for (const [type, rows] of Object.entries(table) as [GatewayMessageType, (typeof table)[GatewayMessageType]][]) {
    for (const [when, make, cause, message] of rows) {
      it(`${type}: when ${when}`, async () => {
        const peer = make().forget();
        cause(peer);
        await atRest();
        const heard = peer.last(type) as GatewayMessage & { persistDir?: string };
        if (heard.persistDir !== undefined) {
          assert.ok(heard.persistDir.startsWith(`${fake.home}/providers/`));
          heard.persistDir = '';
        }
        assert.deepEqual(masked(heard), { type, ...message });
        for (const every of peer.heard) assert.deepEqual(gatewayMessages[every.type].parse(every), every);
      });
    }
  }

  it('have unique ids', () => {
    const one = bound({ name: 'one', tools: [tool('one')], hooks: rules });
    const two = bound({ name: 'two', tools: [tool('two')], hooks: rules });
    for (const name of ['one', 'one', 'two']) fake.call('a', name);
    void fake.gateway.hooks.evaluate(session(), { tool: 'shell', args: {} });
    void fake.gateway.hooks.transform(session(), {});
    const ids = [one, two].flatMap((peer) => [
      ...peer.all('tool.call').map(({ id }) => id),
      ...peer.all('gate.check').map(({ callId }) => callId),
      ...peer.all('transform.request').map(({ callId }) => callId),
      peer.last('hello.ack').providerId,
    ]);
    assert.equal(ids.length, 8); // the second transform waits for the first
    assert.equal(new Set(ids).size, ids.length);
  });
});

describe('session events', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  const events: [event: string, data: Record<string, unknown>][] = [
    ['user.message', { content: 'fix it' }],
    ['assistant.message', { content: 'yes', toolRequests: [{ name: 'shell', args: { command: 'ls' } }] }],
    ['tool.execution_complete', { tool: 'shell', provider: 'p', args: {}, result: { type: 'failure', output: 'no' }, durationMs: 5 }],
    ['assistant.intent', { intent: 'fixing' }],
  ];
  for (const [event, data] of events) {
    it(`${event} reaches who subscribed to it, as the owner told it`, () => {
      const peers = events.map(([name]) => fake.spawned('a').say(hello({ name, subscribe: [name] })));
      fake.gateway.sessionEvent(fake.gateway.sessions.get('a')!, event, data, false);
      const heard = peers.map((peer) => peer.all('session.event').length);
      assert.deepEqual(
        heard,
        events.map(([name]) => (name === event ? 1 : 0)),
      );
      const peer = peers[events.findIndex(([name]) => name === event)]!;
      assert.deepEqual(peer.last('session.event'), { type: 'session.event', sessionId: 'a', event, data });
    });
  }

  it('stay in their session', () => {
    fake.session('b');
    const peer = fake.spawned('b').say(hello({ subscribe: ['user.message'] }));
    fake.gateway.sessionEvent(fake.gateway.sessions.get('a')!, 'user.message', { content: 'x' }, true);
    assert.deepEqual(peer.all('session.event'), []);
  });
});

describe('limits while bound', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());

  it("hold for the sum of a provider's schemas, however slowly they are added", () => {
    const peer = fake.spawned('a').say(hello({ session: 'a' }));
    const add = (at: number) => {
      // Many values and little code, so that a busy machine compiles it within the time limit.
      const properties = { choice: { enum: Array.from({ length: 1600 }, (_, n) => `${at}_${n}`) } };
      peer.say({ type: 'tools.update', tools: [tool(`t${at}`, { parameters: { type: 'object', properties } })], remove: [] });
      fake.clock.advance(60_000);
    };
    for (let at = 0; at < 3; at++) add(at);
    assert.deepEqual(peer.errors, []);
    for (let at = 3; at < 10; at++) add(at);
    assert.deepEqual([...new Set(peer.errors)], ['PAYLOAD_TOO_LARGE']);
    const kept = fake.tools('a');
    assert.ok(kept.length >= 3 && kept.length < 10, `${kept.length}`);
    peer.say({ type: 'tools.update', remove: [kept[0]] });
    peer.forget();
    add(9);
    assert.deepEqual([peer.errors, fake.tools('a').at(-1)], [[], 't9']);
  });

  it('hold for the sum of updates: tools, and sections with a transform', () => {
    const section = (at: number) => [`s${at}`, { action: 'append', content: 'x' }];
    const transforms = (from: number, to: number) => Object.fromEntries(Array.from({ length: to - from }, (_, at) => section(from + at)));
    const peer = fake.spawned('a').say(hello({ hooks: { transforms: transforms(0, Limit.transforms - 1) } }));
    peer.say({ type: 'hooks.update', transforms: transforms(Limit.transforms - 1, Limit.transforms) });
    peer.say({ type: 'tools.update', tools: Array.from({ length: Limit.tools }, (_, at) => tool(`t${at}`)) });
    assert.deepEqual(peer.errors, []);
    peer.say({ type: 'hooks.update', transforms: transforms(Limit.transforms, Limit.transforms + 1) });
    peer.say({ type: 'tools.update', tools: [tool('more')], remove: [] });
    assert.deepEqual(peer.errors, ['PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE']);
    assert.equal(fake.tools('a').length, Limit.tools);
    peer.say({ type: 'hooks.update', transforms: { s0: null } });
    peer.say({ type: 'hooks.update', transforms: transforms(Limit.transforms, Limit.transforms + 1) });
    peer.say({ type: 'tools.update', tools: [tool('more')], remove: ['t0'] });
    assert.equal(peer.errors.length, 2);
  });

  it('hold for streams, whether they were pushed to or filtered', () => {
    const peer = fake.spawned('a').say(hello());
    for (let at = 0; at < Limit.streams; at++) peer.say({ type: 'filter.set', stream: `s${at}`, rules: [] });
    assert.deepEqual(peer.errors, []);
    peer.say({ type: 'push', level: 'keep', event: 'e', stream: 'one more' });
    peer.say({ type: 'filter.set', stream: 'one more', rules: [] });
    assert.deepEqual(peer.errors, ['PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE']);
    peer.say({ type: 'push', level: 'keep', event: 'e', stream: 's0' });
    assert.equal(peer.errors.length, 2);
  });

  it('hold for the entries of a query, the newest first', () => {
    const peer = fake.spawned('a').say(hello());
    for (let at = 0; at < Limit.streamEntries; at++) {
      fake.clock.advance(200);
      peer.say({ type: 'push', level: 'keep', event: `${at}` });
    }
    const read = (last?: number) => {
      peer.say({ type: 'stream.query', queryId: 'q', streams: ['provider'], last });
      return peer.last('stream.history').streams['provider@provider']!.map(({ event }) => event);
    };
    assert.deepEqual([read().length, read(3)], [10, ['199', '198', '197']]);
    assert.equal(read(Limit.queryLast).length, Limit.queryLast);
  });
});

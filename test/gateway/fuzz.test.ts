/** Sends any JSON in any field of any message, from peers of every trust. It is answered or refused, and never causes an internal error. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FakeGateway, type FakeProvider, hello, tool } from '../fakes/fakeGateway.ts';
import { providerMessages, type ProviderMessageType } from '../../src/tap/wire/providerMessages.ts';

const types = (Object.keys(providerMessages) as ProviderMessageType[]).filter((type) => type !== 'goodbye');
const keep = { action: 'append', content: 'x' };
/** Values that are valid or nearly valid, by field. Other fields get any value. */
const likely: Record<string, unknown[]> = {
  token: ['wrong'],
  mode: ['pair'],
  code: ['000000'],
  name: ['provider', '__proto__', 'tap'],
  instance: ['i', 'constructor'],
  protocolVersion: [2],
  reconnectToken: [null, 'tok-x'],
  session: ['a', 'b', 'all', 'nowhere'],
  sessionId: ['a', 'a', 'b', 'nowhere'],
  tools: [[], [tool()], [tool('__proto__'), tool('constructor')], [tool('t', { parameters: { $ref: '#' } })]],
  remove: [[], ['greet'], ['__proto__']],
  hooks: [{}, { onPreToolUse: [{ action: 'deny' }] }, { transforms: { s: { action: 'callback' }, safety: keep } }],
  onPreToolUse: [
    [],
    [{ action: 'gate', gateId: 'g' }],
    [{ action: 'gate', gateId: 'g', match: { args: '(a+)+$' } }],
    [{ action: 'context', content: 'c', match: { file: '*' } }],
  ],
  transforms: [{}, { s: null }, { s: { action: 'callback' } }, { __proto: keep, constructor: keep }],
  subscribe: [[], ['user.message']],
  concurrency: [{ max: 1 }, { max: 1, scope: 'tool' }],
  metadata: [{}, { title: 't' }],
  id: ['never'],
  callId: ['never'],
  decision: ['allow', 'deny'],
  level: ['keep', 'surface', 'inject'],
  event: ['e'],
  stream: ['s', '@', '__proto__'],
  broadcast: [true, false],
  rules: [[], [{ match: '.', outcome: 'inject' }], [{ match: '[', outcome: 'drop' }]],
  retryable: [true, false],
  queryId: ['q'],
  streams: [['s'], ['s@provider', '@', '__proto__']],
  last: [1, 100],
  requestId: ['r'],
  file: [{ path: '/etc/passwd', mimeType: 'm', size: 1, ttl: 1 }],
};
const field = (key: string) =>
  fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...(likely[key] ?? ['x'])) }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) });
const message = fc.constantFrom(...types).chain((type) => {
  const { type: _, ...shape } = providerMessages[type].shape;
  const keys = Object.keys(shape);
  const all = Object.fromEntries(keys.map((key) => [key, field(key)]));
  const missing = fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: fc.subarray(keys) });
  return fc.tuple(fc.record(all), missing).map(([given, without]): Record<string, unknown> => {
    const rest = Object.entries(given).filter(([key]) => !without.includes(key));
    return { ...Object.fromEntries(rest), type };
  });
});
/** Answers mostly use ids that were asked. */
const answered = (peer: FakeProvider, given: Record<string, unknown>) => {
  const last = peer.heard.findLast((heard) => 'callId' in heard || heard.type === 'tool.call');
  return last && (given.id === 'never' || given.callId === 'never')
    ? { ...given, ...('id' in last ? { id: last.id } : { callId: last.callId }) }
    : given;
};

describe('any message', () => {
  it('is answered or refused, and the gateway keeps working', function () {
    this.timeout(60_000);
    const heard = new Set<string>();
    fc.assert(
      fc.property(
        fc.constantFrom('internal' as const, 'spawned' as const, 'external' as const, 'nobody' as const),
        fc.array(message, { minLength: 10, maxLength: 40, size: 'max' }),
        (who, messages) => {
          const fake = new FakeGateway();
          try {
            const session = fake.session('a');
            fake.session('b');
            const enter = () => {
              if (who === 'nobody') return fake.peer();
              const made = { internal: () => fake.internal(), spawned: () => fake.spawned('a'), external: () => fake.external() }[who]();
              return made.say(hello({ session: 'a', tools: [tool()] }));
            };
            const peers = [enter()];
            for (const given of messages) {
              if (peers.at(-1)!.connection.state === 'Disconnected') peers.push(enter());
              const peer = peers.at(-1)!;
              if (peer.connection.state === 'Unbound') peer.say(hello({ session: 'a', tools: [tool()] }));
              peer.say(answered(peer, given));
              fake.call('a', 'greet');
              void fake.gateway.hooks.evaluate(session, { tool: 'greet', args: { a: 1 } });
              void fake.gateway.hooks.transform(session, { s: 'x', safety: 'y' });
              fake.clock.advance(7000); // slower than the limit of rebinds
            }
            for (const peer of peers) {
              for (const { type } of peer.heard) heard.add(type);
              const ours = peer.all('error').filter(({ message: text }) => text.includes('could not be handled'));
              assert.deepEqual(ours, []);
            }
            const honest = fake.spawned('b').say(hello({ name: 'honest', tools: [tool('echo')] }));
            assert.deepEqual([honest.errors, fake.tools('b').includes('echo')], [[], true]);
          } finally {
            fake.dispose();
          }
        },
      ),
      { numRuns: 120 },
    );
    // The runs have reached the later states.
    const types = [
      'ack',
      'error',
      'gate.check',
      'hello.ack',
      'sessions',
      'stream.history',
      'tool.call',
      'tool.cancel',
      'transform.request',
    ];
    assert.deepEqual(
      types.filter((type) => !heard.has(type)),
      [],
    );
  });
});

/** The state machine of a connection against a model that knows nothing but the interface's table. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FakeGateway, hello, tool } from '../../test/fakes/fakeGateway.ts';
import type { ConnectionState } from './providerConnection.ts';

type Step =
  | 'auth right'
  | 'auth wrong'
  | 'auth pair'
  | 'confirm right'
  | 'confirm wrong'
  | 'hello good'
  | 'hello bad session'
  | 'hello bad version'
  | 'push'
  | 'tools.update'
  | 'tool.result never issued'
  | 'session.ready elsewhere'
  | 'shutdown.ready elsewhere'
  | 'goodbye'
  | 'unknown type'
  | 'no json'
  | 'no schema';
const steps: Step[] = [
  'auth right',
  'auth wrong',
  'auth pair',
  'confirm right',
  'confirm wrong',
  'hello good',
  'hello bad session',
  'hello bad version',
  'push',
  'tools.update',
  'tool.result never issued',
  'session.ready elsewhere',
  'shutdown.ready elsewhere',
  'goodbye',
  'unknown type',
  'no json',
  'no schema',
];

/** Most random beginnings end at the door; these lead further in. */
const starts = fc.constantFrom<Step[]>(
  [],
  ['auth pair'],
  ['auth right'],
  ['auth right', 'hello good'],
  ['auth right', 'hello good', 'hello bad session'],
);

interface Model {
  state: ConnectionState;
  triesLeft: number;
  /** Of `auth`, before it is known who is there. */
  errors: number;
  hellos: number;
  pairings: number;
}

/** What must come of it: the next state, and the code of the error if there is one. Changes the model. */
function expect(model: Model, step: Step): string | undefined {
  const before = model.state;
  const to = (state: ConnectionState, code?: string) => {
    model.state = state;
    return code;
  };
  const fail = (code: string) => {
    if (before === 'AwaitAuth' && ++model.errors >= 10) model.state = 'Disconnected';
    return code;
  };
  if (step === 'unknown type') return fail('UNKNOWN_TYPE');
  if (step === 'no json' || step === 'no schema') return fail('INVALID_JSON');
  const illegal = () => fail('UNAUTHORIZED');
  switch (before) {
    case 'AwaitAuth':
      if (step === 'auth right') return to('AwaitHello');
      if (step === 'auth wrong') return to('Disconnected', 'AUTH_FAILED');
      if (step !== 'auth pair') return step.startsWith('tool.result') ? undefined : illegal();
      if (++model.pairings > 5) return fail('RATE_LIMITED');
      model.triesLeft = 3;
      return to('AwaitPairing');
    case 'AwaitPairing':
      if (step === 'confirm right') return to('AwaitHello');
      if (step === 'confirm wrong') return to(--model.triesLeft > 0 ? 'AwaitPairing' : 'Disconnected', 'AUTH_FAILED');
      return step.startsWith('tool.result') ? undefined : 'UNAUTHORIZED';
    case 'AwaitHello':
    case 'Unbound':
    case 'Bound':
      if (step.startsWith('hello')) {
        if (++model.hellos > 11) return 'RATE_LIMITED';
        if (step === 'hello good') return to('Bound');
        if (step === 'hello bad version') return to('Disconnected', 'UNSUPPORTED_VERSION');
        return to(before === 'AwaitHello' ? 'AwaitHello' : 'Unbound', 'INVALID_SESSION');
      }
      if (step === 'goodbye') return before === 'AwaitHello' ? 'UNAUTHORIZED' : to('Disconnected');
      if (before !== 'Bound') return step.startsWith('tool.result') ? undefined : 'UNAUTHORIZED';
      if (step === 'push' || step === 'tools.update') return undefined;
      if (step.startsWith('tool.result')) return 'INVALID_JSON';
      return step.includes('elsewhere') ? 'INVALID_SESSION' : 'UNAUTHORIZED';
    default:
      return undefined;
  }
}

describe('the state machine of a connection', () => {
  it('goes as the table says, whatever comes in whatever order', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(starts, fc.array(fc.constantFrom(...steps), { maxLength: 40 }), (start, rest) => {
        const sequence = [...start, ...rest];
        const fake = new FakeGateway();
        try {
          fake.session('a');
          const peer = fake.peer();
          const codes = () => fake.owner.all('pairing/started').at(-1)?.code ?? '000000';
          const frames: Record<Step, () => object | string> = {
            'auth right': () => ({ type: 'auth', token: fake.gateway.grants.fileToken }),
            'auth wrong': () => ({ type: 'auth', token: 'wrong' }),
            'auth pair': () => ({ type: 'auth', mode: 'pair' }),
            'confirm right': () => ({ type: 'auth.confirm', code: codes() }),
            'confirm wrong': () => ({ type: 'auth.confirm', code: codes() === '000000' ? '000001' : '000000' }),
            'hello good': () => hello({ session: 'a', tools: [tool()] }),
            'hello bad session': () => hello({ session: 'nowhere' }),
            'hello bad version': () => hello({ session: 'a', protocolVersion: 3 }),
            push: () => ({ type: 'push', level: 'keep', event: 'x' }),
            'tools.update': () => ({ type: 'tools.update', tools: [tool('other')] }),
            'tool.result never issued': () => ({ type: 'tool.result', id: 'never', data: 1 }),
            'session.ready elsewhere': () => ({ type: 'session.ready', sessionId: 'b' }),
            'shutdown.ready elsewhere': () => ({ type: 'shutdown.ready', sessionId: 'b' }),
            goodbye: () => ({ type: 'goodbye' }),
            'unknown type': () => ({ type: 'nonsense' }),
            'no json': () => '{',
            'no schema': () => ({ type: 'push', level: 'loud' }),
          };
          const model: Model = { state: 'AwaitAuth', triesLeft: 0, errors: 0, hellos: 0, pairings: 0 };
          for (const step of sequence) {
            fake.clock.advance(110); // slower than the limit of pushes
            if (model.state === 'AwaitAuth' && peer.connection.state === 'Disconnected') return; // the 5 s are over
            peer.forget().say(frames[step]());
            seen.add(model.state);
            const code = expect(model, step);
            assert.deepEqual([peer.connection.state, peer.errors], [model.state, code === undefined ? [] : [code]], `after ${step}`);
            const isBound = model.state === 'Bound';
            assert.ok(isBound || fake.tools('a').length === 0, 'tools of a peer that is not bound');
            if (model.state === 'Disconnected') {
              peer.say(frames['hello good']());
              assert.equal(fake.gateway.connections.size, 0);
              return;
            }
          }
        } finally {
          fake.dispose();
        }
      }),
      { numRuns: 300 },
    );
    assert.deepEqual([...seen].sort(), ['AwaitAuth', 'AwaitHello', 'AwaitPairing', 'Bound', 'Unbound']);
  });
});

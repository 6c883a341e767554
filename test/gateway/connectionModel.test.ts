/**
 * Compares the state machine of a connection with a model that is written from the tables of the interface alone, for random sequences of
 * messages and events.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atRest } from '../fakes/eventually.ts';
import { FakeGateway, type FakeProvider, hello, tool } from '../fakes/fakeGateway.ts';
import type { GatewayMessageType } from '../../src/tap/wire/gatewayMessages.ts';
import type { ConnectionState } from '../../src/gateway/connections/providerState.ts';
import { runs } from '../support/runs.ts';

const STEP_MS = 110; // slower than the limit of pushes

/** What a peer sends, and the answer that it gets when it is bound: a code, none, or (`external`) one that depends on its trust. */
const whenBound = {
  'auth.confirm': [{ type: 'auth.confirm', code: 'x' }, 'UNAUTHORIZED'],
  'session.ready': [{ type: 'session.ready', sessionId: 'c' }, 'INVALID_SESSION'],
  'shutdown.ready elsewhere': [{ type: 'shutdown.ready', sessionId: 'c' }, 'INVALID_SESSION'],
  'tool.result never issued': [{ type: 'tool.result', id: 'never', data: 1 }, 'INVALID_JSON'],
  'tool.progress': [{ type: 'tool.progress', id: 'never', message: 'm' }, undefined],
  'tool.ask': [{ type: 'tool.ask', id: 'never', askId: 'a', question: { message: 'm', requestedSchema: {} } }, undefined],
  'gate.result': [{ type: 'gate.result', callId: 'never', decision: 'allow' }, 'INVALID_JSON'],
  'transform.result': [{ type: 'transform.result', callId: 'never', content: '' }, 'INVALID_JSON'],
  push: [{ type: 'push', level: 'keep', event: 'e' }, undefined],
  'push elsewhere': [{ type: 'push', level: 'keep', event: 'e', sessionId: 'c' }, 'INVALID_SESSION'],
  'tools.update': [{ type: 'tools.update', tools: [tool()] }, undefined],
  'tools.update in the way': [{ type: 'tools.update', tools: [tool('shell')] }, 'TOOL_CONFLICT'],
  'hooks.update': [{ type: 'hooks.update', onPreToolUse: [{ action: 'deny' }] }, 'external'],
  'context.update': [{ type: 'context.update', context: 'c' }, 'external'],
  'filter.set': [{ type: 'filter.set', rules: [] }, undefined],
  'stream.query': [{ type: 'stream.query', queryId: 'q', streams: ['s'] }, undefined],
  'stream.query of others': [{ type: 'stream.query', queryId: 'q', streams: ['s@other'] }, 'UNAUTHORIZED'],
} as const;
const answers: readonly string[] = ['tool.result never issued', 'tool.progress', 'tool.ask', 'gate.result', 'transform.result'];
/** Refused in every state. */
const wrong = { 'unknown type': 'UNKNOWN_TYPE', 'no JSON': 'INVALID_JSON', 'no schema': 'INVALID_JSON' } as const;
const hellos = ['hello a', 'hello b', 'hello nowhere', 'hello version 3', 'hello in the way'] as const;
const others = ['auth right', 'auth wrong', 'auth pair', 'confirm right', 'confirm wrong', 'goodbye'] as const;
/** Events outside the connection. */
const events = [
  'a call',
  'a ends, all are ready',
  'a ends at its deadline',
  'the rival dies',
  '5 s pass',
  '2 min pass',
  'the wire breaks',
] as const;
type Said = keyof typeof whenBound | keyof typeof wrong | (typeof hellos)[number] | (typeof others)[number];
type Step = Said | (typeof events)[number];
const steps = [...Object.keys(whenBound), ...Object.keys(wrong), ...hellos, ...others, ...events] as Step[];

/** Most random sequences fail early; these lead to later states and to the limits. */
const starts = fc.constantFrom<Step[]>(
  [],
  [],
  [],
  ['auth pair'],
  ['auth right'],
  ['auth pair', 'confirm right', 'hello a'],
  ['auth right', 'hello a'],
  ['auth right', 'hello b'],
  ['auth right', ...Array.from({ length: 10 }, (): Step => 'hello a')],
  ['auth right', 'hello a', 'hello nowhere'],
  ['auth right', 'hello in the way'],
  ['auth right', 'the rival dies', 'hello in the way'],
  ['auth pair', 'confirm right', 'the rival dies', 'hello in the way'],
);

class Model {
  state: ConnectionState['kind'] = 'AwaitAuth';
  isExternal = false;
  boundTo: string | undefined;
  /** The session of a paired token, once it has chosen one. */
  home: string | undefined;
  rival: 'alive' | 'dead' | 'gone' = 'alive';
  now = 0;
  #deadline = 5_000;
  /** Frames since it connected, or since it is being paired. */
  #frames = 0;
  #hasSaidHello = false;
  #rebinds: number[] = [];

  /** The code of the error that a step must cause. A peer that has not authenticated has two messages. */
  after(step: Step): string | undefined {
    const before = this.state;
    const code = this.#after(step);
    if ((events as readonly string[]).includes(step) || (before !== 'AwaitAuth' && before !== 'AwaitPairing')) return code;
    if (this.state !== before) this.#frames = 0;
    else if (++this.#frames >= 2) this.#to('Disconnected');
    return code;
  }

  #after(step: Step): string | undefined {
    if (step in wrong) return wrong[step as keyof typeof wrong];
    switch (step) {
      case 'a call':
        return undefined;
      case 'the wire breaks':
        return this.#to('Disconnected');
      case 'the rival dies':
        if (this.rival === 'alive') this.rival = 'dead';
        return undefined;
      case 'a ends, all are ready':
        this.rival = 'gone';
        if (this.boundTo === 'a') this.#to('Unbound');
        return undefined;
      case 'a ends at its deadline':
        this.rival = 'gone';
        return this.boundTo === 'a' ? this.#to('Disconnected') : undefined;
      case '5 s pass':
        return this.pass(5_000);
      case '2 min pass':
        return this.pass(120_000);
    }
    switch (this.state) {
      case 'AwaitAuth':
        if (step === 'auth right') return this.#to('AwaitHello');
        if (step === 'auth wrong') return this.#to('Disconnected', 'AUTH_FAILED');
        if (step !== 'auth pair') return this.#illegal(step);
        this.#deadline = this.now + 120_000;
        return this.#to('AwaitPairing');
      case 'AwaitPairing':
        this.isExternal = step === 'confirm right';
        if (step === 'confirm right') return this.#to('AwaitHello');
        if (step !== 'confirm wrong' && step !== 'auth.confirm') return this.#illegal(step);
        return this.#to('Disconnected', 'AUTH_FAILED');
      case 'AwaitHello':
        return step.startsWith('hello') ? this.#hello(step as (typeof hellos)[number]) : this.#illegal(step);
      case 'Unbound':
        if (step === 'goodbye') return this.#to('Disconnected');
        return step.startsWith('hello') ? this.#hello(step as (typeof hellos)[number]) : this.#illegal(step);
      case 'Bound': {
        if (step === 'goodbye') return this.#to('Disconnected');
        if (step.startsWith('hello')) return this.#hello(step as (typeof hellos)[number]);
        const [, code] = whenBound[step as keyof typeof whenBound] ?? [{}, 'UNAUTHORIZED'];
        return code === 'external' ? (this.isExternal ? 'UNAUTHORIZED' : undefined) : code;
      }
      default:
        return undefined;
    }
  }

  /** Time passes. A peer that has not authenticated by its deadline is closed. */
  pass(ms: number): string | undefined {
    this.now += ms;
    const isLate = (this.state === 'AwaitAuth' || this.state === 'AwaitPairing') && this.now >= this.#deadline;
    return isLate ? this.#to('Disconnected', 'AUTH_FAILED') : undefined;
  }

  #hello(step: (typeof hellos)[number]): string | undefined {
    this.#rebinds = this.#rebinds.filter((time) => time > this.now - 60_000);
    if (this.#hasSaidHello && this.#rebinds.length >= 10) return 'RATE_LIMITED';
    if (this.#hasSaidHello) this.#rebinds.push(this.now);
    this.#hasSaidHello = true;
    const failed = (code: string) => this.#to(this.state === 'AwaitHello' ? 'AwaitHello' : 'Unbound', code);
    if (step === 'hello version 3') return this.#to('Disconnected', 'UNSUPPORTED_VERSION');
    const session = { 'hello a': 'a', 'hello b': 'b', 'hello nowhere': 'c', 'hello in the way': 'a' }[step];
    if (session === 'c' || (this.home !== undefined && this.home !== session)) return failed('INVALID_SESSION');
    if (step === 'hello in the way' && this.rival !== 'gone') {
      // A peer of the same name with another token is never pinged.
      if (this.isExternal || this.rival === 'alive') return failed('TOOL_CONFLICT');
      this.rival = 'gone';
    }
    this.#to('Bound');
    this.boundTo = session;
    if (this.isExternal) this.home = session;
    return undefined;
  }

  #to(state: ConnectionState['kind'], code?: string): string | undefined {
    this.state = state;
    this.boundTo = undefined;
    return code;
  }

  #illegal(step: Step): string | undefined {
    return answers.includes(step) ? undefined : 'UNAUTHORIZED';
  }
}

/** The messages that a peer may get in a state. */
const mayHear: Partial<Record<ConnectionState['kind'], readonly GatewayMessageType[]>> = {
  AwaitAuth: ['error'],
  AwaitPairing: ['error', 'auth.pairing'],
  AwaitHello: ['error', 'sessions'],
  Unbound: ['error', 'sessions.updated', 'session.lifecycle', 'tool.cancel'],
};

/** The gateway, the peer under test, and another of the same name with a tool that the first may want. */
class World {
  readonly fake = new FakeGateway();
  readonly peer: FakeProvider;
  readonly rival: FakeProvider;

  constructor() {
    this.fake.session('a', { agentTools: ['shell'] });
    this.fake.session('b', { agentTools: ['shell'] });
    this.rival = this.fake.authenticated().say(hello({ session: 'a', tools: [tool('taken')] }));
    this.peer = this.fake.peer();
  }

  async do(step: Step): Promise<void> {
    const { fake, peer, rival } = this;
    const frame = this.#frame(step);
    if (frame !== undefined) {
      peer.say(frame);
      if (peer.connection.state !== 'Rebinding') return;
      assert.deepEqual(peer.forget().say({ type: 'goodbye' }).errors, ['UNAUTHORIZED'], 'nothing is legal now');
      peer.forget();
      await atRest();
      return;
    }
    switch (step) {
      case 'a call': {
        const call = fake.call('a', 'greet');
        const asked = peer.all('tool.call').at(-1);
        if (asked) peer.say({ type: 'tool.result', id: asked.id, data: 1 });
        assert.equal(await call.code(), fake.tools('a').includes('greet') ? 'ok' : 'NOT_FOUND');
        return;
      }
      case 'the wire breaks':
        return peer.connection.closed();
      case 'the rival dies':
        rival.alive = false;
        return;
      case '5 s pass':
        return fake.clock.advance(5_000);
      case '2 min pass':
        return fake.clock.advance(120_000);
      case 'a ends, all are ready':
      case 'a ends at its deadline': {
        const isReady = step === 'a ends, all are ready';
        const ended = fake.gateway.sessions.end(fake.gateway.sessions.get('a')!, 50);
        for (const one of [peer, rival])
          if (isReady && fake.gateway.sessions.get('a') && boundTo(one, fake) === 'a') one.say({ type: 'shutdown.ready', sessionId: 'a' });
        fake.clock.advance(isReady ? 0 : 50);
        await ended;
        fake.session('a', { agentTools: ['shell'] });
        return;
      }
    }
  }

  #frame(step: Step): object | string | undefined {
    if (step in whenBound) return whenBound[step as keyof typeof whenBound][0];
    const code = this.fake.owner.all('pairing/started').at(-1)?.code ?? '000000';
    const fields = (session: string, name = 'greet') => hello({ session, tools: [tool(name)] });
    const frames: Partial<Record<Step, object | string>> = {
      'unknown type': { type: 'nonsense' },
      'no JSON': '{',
      'no schema': { type: 'push', level: 'loud' },
      'auth right': { type: 'auth', token: this.fake.gateway.grants.fileToken },
      'auth wrong': { type: 'auth', token: 'wrong' },
      'auth pair': { type: 'auth', mode: 'pair' },
      'confirm right': { type: 'auth.confirm', code },
      'confirm wrong': { type: 'auth.confirm', code: code === '000000' ? '000001' : '000000' },
      'hello a': fields('a'),
      'hello b': fields('b'),
      'hello nowhere': fields('c'),
      'hello version 3': { ...fields('a'), protocolVersion: 3 },
      'hello in the way': fields('a', 'taken'),
      goodbye: { type: 'goodbye' },
    };
    return frames[step];
  }
}

/** Every message and event in every lasting state. What is random only now and then comes to some of them. */
const examples = [[], ['auth pair'], ['auth right'], ['auth right', 'hello a'], ['auth right', 'hello a', 'a ends, all are ready']].flatMap(
  (way) => steps.map((step): [Step[], Step[]] => [way as Step[], [step]]),
);

function boundTo({ connection }: FakeProvider, fake: FakeGateway): string | undefined {
  return fake.gateway.sessions.all.find(({ bindings }) => [...bindings].some(({ provider }) => provider.link === connection.link))?.id;
}

describe('the state machine of a connection', () => {
  it('follows the tables for any sequence of messages and events', async function () {
    this.timeout(60_000);
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(starts, fc.array(fc.constantFrom(...steps), { maxLength: 40 }), async (start, rest) => {
        const world = new World();
        const { fake, peer } = world;
        const model = new Model();
        try {
          for (const step of [...start, ...rest]) {
            fake.clock.advance(STEP_MS);
            const late = model.pass(STEP_MS);
            if (late === undefined) {
              peer.forget();
              const before = model.state;
              seen.add(`${before}: ${step}`);
              const code = model.after(step);
              await world.do(step);
              assert.deepEqual([peer.connection.state, peer.errors], [model.state, code === undefined ? [] : [code]], `${before}: ${step}`);
              const heard = new Set([...(mayHear[before] ?? []), ...(mayHear[model.state] ?? [])]);
              if (mayHear[before] && mayHear[model.state])
                assert.ok(
                  peer.heard.every(({ type }) => heard.has(type)),
                  JSON.stringify(peer.heard),
                );
              if (before === 'Bound' && model.state === 'Bound') assert.deepEqual(peer.all('sessions'), []);
            }
            assert.equal(boundTo(peer, fake), model.boundTo, step);
            assert.equal(model.boundTo !== undefined, model.state === 'Bound');
            if (model.state !== 'Disconnected') continue;
            peer.forget().say(hello({ session: 'a' }));
            assert.deepEqual(
              [peer.connection.state, peer.heard, fake.gateway.connections.has(peer.connection)],
              ['Disconnected', [], false],
            );
            return;
          }
        } finally {
          fake.dispose();
        }
      }),
      { examples, numRuns: examples.length + runs(1000) },
    );
    // Every message and event was tried in every lasting state.
    for (const state of ['AwaitAuth', 'AwaitPairing', 'AwaitHello', 'Bound', 'Unbound'])
      assert.deepEqual(
        steps.filter((step) => !seen.has(`${state}: ${step}`)),
        [],
        state,
      );
  });
});

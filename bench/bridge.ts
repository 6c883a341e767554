/**
 * What the bridge adds to the gateway: announcing many tools to many sessions, and a call that an agent makes. Host and gateway are processes
 * of their own; the window's side and the provider are here. The same provider is measured with an owner that only listens and calls.
 */
import { AgentHostClient } from '../src/ahp/index.ts';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { withTimeout } from '../src/base/errors.ts';
import type { Event } from '../src/base/event.ts';
import { nullLogger } from '../src/base/log.ts';
import { Bridge } from '../src/extension/bridge/bridge.ts';
import { ModelHostSession } from '../src/extension/bridge/hosted/modelHostSession.ts';
import { type OwnedSession, OwnerClient, type OwnerEndpoint } from '../src/tap/owner/ownerClient.ts';
import type { ProviderHandle } from '../src/tap/provider/providerApi.ts';
import { createProvider } from '../src/tap/provider/providerNode.ts';
import { MemoryStorage } from '../test/fakes/memoryStorage.ts';
import type { CallCosts, HostAddress } from './bridgeHost.ts';
import type { Figure, Middle } from './gatewayMiddle.ts';
import { report } from './measure.ts';
import { relayedCall } from './relayedCall.ts';
import { nextMessage, startChild } from './startChild.ts';

const SESSIONS = 20;
const TOOLS = 100;
const CALLS = 200;
const ROUNDS = 5;
/** Of calls, until the engine has compiled what happens for one in all three processes. */
const WARM_ROUNDS = 10;
/** Processes wait for each other's places on a busy machine, so the fastest of many count. */
const CALL_ROUNDS = 15;
const RELAYED_CALLS = 5_000;
const WAIT_MS = 60_000;
/** The gateway's own tools are offered too. */
const OWN_PREFIX = 'tap_';

/** The bridge announces 200 ms after the last change. Here that pause would hide what is measured. */
const impatient: Clock = { ...systemClock, setTimer: (callback, ms) => systemClock.setTimer(callback, ms === 200 ? 0 : ms) };

async function until(event: Event<unknown>, what: string, holds: () => boolean): Promise<void> {
  let listening: { dispose(): void } | undefined;
  const held = new Promise<void>((resolve) => {
    const look = () => holds() && resolve();
    listening = event(look);
    look();
  });
  await withTimeout(held, WAIT_MS, what).finally(() => listening?.dispose());
}

const lentOf = (tools: readonly { name: string }[] = []) => tools.filter(({ name }) => !name.startsWith(OWN_PREFIX)).length;
const best = (values: number[]) => Math.min(...values);
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Sessions that are told how many tools there are. */
interface Told {
  /** Resolves when each has been told of so many. */
  have(count: number): Promise<unknown>;
}

class Bench {
  #sessions = 0;

  constructor(
    private readonly gateway: Middle,
    private readonly client: AgentHostClient,
  ) {}

  get endpoint(): OwnerEndpoint {
    return { url: this.gateway.url, token: this.gateway.secret };
  }

  provider(tools: string[]): ProviderHandle {
    const parameters = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    return createProvider('bench', {
      url: this.gateway.url,
      token: this.gateway.token,
      session: 'all',
      tools: tools.map((name) => ({ name, description: 'a tool', parameters })),
      onToolCall: () => 'Hello, Alice!',
    });
  }

  /** Sessions of an owner without an agent host. */
  plain(count: number): Told & { sessions: OwnedSession[]; dispose(): void } {
    const owner = new OwnerClient({ name: 'bench', find: async () => this.endpoint, logger: nullLogger });
    const told = new Map<string, number>();
    owner.onEvent(({ event, params }) => event === 'tools/changed' && told.set(params.sessionId, lentOf(params.tools)));
    const ids = Array.from({ length: count }, (_, at) => `plain-${at}`);
    const sessions = ids.map((sessionId) => owner.addSession({ sessionId, label: sessionId }));
    return {
      sessions,
      have: (wanted) => until(owner.onEvent, 'tools at the owner', () => ids.every((id) => told.get(id) === wanted)),
      dispose: () => owner.dispose(),
    };
  }

  /** Sessions of the agent host, which a window has open. */
  async bridged(count: number): Promise<Told & { uris: string[]; dispose(): void }> {
    const { client } = this;
    const host = { openSession: (uri: string) => new ModelHostSession(client, uri), isRunning: () => false };
    const bridge = new Bridge({
      host: () => host,
      findGateway: async () => this.endpoint,
      ask: () => Promise.resolve({ action: 'decline' }),
      storage: new MemoryStorage(),
      logger: nullLogger,
      clock: impatient,
    });
    bridge.setOn(true, '');
    const uris = Array.from({ length: count }, () => `bench:/${++this.#sessions}`);
    await Promise.all(uris.map((session) => client.command('createSession', { channel: session, provider: 'bench' })));
    const watched = uris.map((uri) => client.session(uri));
    for (const uri of uris) bridge.open({ hostId: 'host', uri });
    return {
      uris,
      have: (wanted) =>
        Promise.all(
          watched.map((session) =>
            until(session.onDidChange, 'tools at the host', () => {
              const [lender] = session.confirmed?.activeClients ?? [];
              return lender !== undefined && lentOf(lender.tools) === wanted;
            }),
          ),
        ),
      dispose() {
        bridge.dispose();
        for (const session of watched) session.dispose();
      },
    };
  }

  /** Milliseconds from the start of a provider until all sessions have its tools. */
  async announcing(told: Told): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await told.have(0);
      const start = performance.now();
      const provider = this.provider(Array.from({ length: TOOLS }, (_, at) => `tool_${at}`));
      await told.have(TOOLS);
      times.push(performance.now() - start);
      provider.close();
    }
    await told.have(0);
    return best(times);
  }
}

async function plainCalls(session: OwnedSession): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < CALLS; at++) {
    const start = performance.now();
    const outcome = await session.call('greet', { name: 'Alice' });
    if (!outcome.ok) throw new Error(outcome.error);
    times.push(performance.now() - start);
  }
  return times;
}

export async function run(): Promise<void> {
  const [host, gateway] = await Promise.all([startChild<HostAddress>('bridgeHost.ts'), startChild<Middle>('gatewayMiddle.ts', 'gateway')]);
  const client = await AgentHostClient.connect({ ...host.said, dialects: ['v1'] });
  const bench = new Bench(gateway.said, client);

  const plain = bench.plain(SESSIONS);
  const alone = await bench.announcing(plain);
  plain.dispose();
  const few = await bench.bridged(1);
  const one = await bench.announcing(few);
  few.dispose();
  const many = await bench.bridged(SESSIONS);
  const all = await bench.announcing(many);
  many.dispose();
  report(`bridge: announcing ${TOOLS} tools to ${SESSIONS} sessions ÷ the gateway telling their owner`, all / alone);
  report(`bridge: announcing ${TOOLS} tools to ${SESSIONS} sessions ÷ to one session`, all / one);

  const [caller, lent] = [bench.plain(1), await bench.bridged(1)];
  const provider = bench.provider(['greet']);
  await Promise.all([caller.have(1), lent.have(1)]);
  const [session] = caller.sessions;
  const [uri] = lent.uris;
  if (!session || uri === undefined) throw new Error('there is no session');
  const watched = client.chat(uri);
  const usage = async () => {
    gateway.process.send('cpu' satisfies Figure);
    const cpu = await nextMessage<number>(gateway.process, 'the processor time of the gateway');
    const { user, system } = process.cpuUsage();
    return cpu + (user + system) / 1000;
  };
  const own = { ms: [] as number[], cpu: [] as number[] };
  const agents = { ms: [] as number[], cpu: [] as number[] };
  for (let round = 0; round < WARM_ROUNDS + CALL_ROUNDS; round++) {
    const atStart = await usage();
    const direct = await plainCalls(session);
    const between = await usage();
    watched.send(String(CALLS));
    const called = await nextMessage<CallCosts>(host.process, 'the calls of the agent');
    await until(watched.onDidChange, 'the end of the turn', () => watched.confirmed?.turns.length === round + 1);
    const atEnd = await usage();
    if (round < WARM_ROUNDS) continue;
    own.ms.push(median(direct));
    own.cpu.push(between - atStart);
    agents.ms.push(median(called.times));
    agents.cpu.push(atEnd - between + called.cpu);
  }
  const target = { atMost: 2.5 };
  report('bridge: a call agent → provider → agent ÷ the gateway’s call alone, median', best(agents.ms) / best(own.ms), target);
  report('bridge: the same in processor time of all processes', best(agents.cpu) / best(own.cpu), target);

  const relayed = await relayedCall(RELAYED_CALLS);
  report('bridge: a call agent → provider → agent ÷ a bare relay of as many frames', best(agents.ms) / relayed);
  report('bridge: a bare relay of the frames of such a call ÷ the gateway’s call alone', relayed / best(own.ms));

  provider.close();
  caller.dispose();
  lent.dispose();
  client.close();
  await host.stop();
  await gateway.stop();
}

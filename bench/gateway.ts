/**
 * What the gateway costs compared with a plain relay of the same frames: latency of a call, calls per second, registration of many
 * providers, and its memory for each. Gateway and relay are processes of their own. Both ends of the connections are here, and are the same
 * for both.
 */
import { WebSocket } from 'ws';
import { withTimeout } from '../src/base/errors.ts';
import { Limit } from '../src/tap/wire/limits.ts';
import { OWNER_PROTOCOL_VERSION } from '../src/tap/wire/owner/ownerMessages.ts';
import type { Figure, Middle } from './gatewayMiddle.ts';
import { report, reportSize } from './measure.ts';
import { type Child, nextMessage, startChild } from './startChild.ts';

const CALLS = 4000;
const PARALLEL = 64;
const ROUNDS = 3;
const PROVIDERS = Limit.connections;
const TOOLS = Limit.tools;
const WAIT_MS = 60_000;

type Frame = Record<string, unknown> & { type?: string; id?: string | number; method?: string };

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const args = { name: 'Alice' };
const helloOf = (name: string, tools: object[]) => ({ type: 'hello', protocolVersion: 2, name, session: 'a', tools });
const sessions = { type: 'sessions', active: [{ id: 'a', label: 'bench' }] };
const ack = { type: 'hello.ack', protocolVersion: 2, providerId: `p-${'0'.repeat(12)}`, sessionId: 'a', persistDir: '/tmp/providers/p' };
const started = { type: 'session.lifecycle', sessionId: 'a', state: 'started' };

/** One end of a connection. */
class End {
  readonly #waiting = new Map<string | number, (frame: Frame) => void>();

  static async open(url: string, secret = ''): Promise<End> {
    const socket = new WebSocket(url, { perMessageDeflate: false, headers: secret ? { Authorization: `Bearer ${secret}` } : {} });
    const opened = new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    await withTimeout(opened, WAIT_MS, 'opening a connection');
    return new End(socket);
  }

  constructor(
    private readonly socket: WebSocket,
    public onFrame: (frame: Frame) => void = () => undefined,
  ) {
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame;
      if (frame.type === 'error') throw new Error(JSON.stringify(frame));
      const key = frame.type === undefined || frame.type === 'tool.result' ? frame.id : frame.type;
      const waiting = key === undefined ? undefined : this.#waiting.get(key);
      if (!waiting || key === undefined) return this.onFrame(frame);
      this.#waiting.delete(key);
      waiting(frame);
    });
  }

  say(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }
  /** The next frame of this type, or with this id. */
  next(key: string | number): Promise<Frame> {
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }
  close(): Promise<unknown> {
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.close();
    return withTimeout(closed, WAIT_MS, 'closing a connection');
  }
}

/** The gateway or the relay, with both ends of its connections. */
class Bench {
  #calls = 0;

  static async start(kind: 'gateway' | 'relay'): Promise<Bench> {
    const child = await startChild<Middle>('gatewayMiddle.ts', kind);
    const middle = child.said;
    const caller = await End.open(`${middle.url}${middle.path}`, middle.secret);
    const bench = new Bench(kind, child, caller);
    if (kind === 'gateway') {
      await bench.#request('initialize', { protocolVersion: OWNER_PROTOCOL_VERSION, name: 'bench' });
      await bench.#request('session/register', { sessionId: 'a', label: 'bench' });
    } else {
      // With the relay, the caller sends what the gateway would send.
      caller.onFrame = ({ type }) => {
        if (type === 'auth') caller.say(sessions);
        if (type === 'hello') [ack, started].forEach((frame) => caller.say(frame));
      };
    }
    return bench;
  }

  private constructor(
    private readonly kind: 'gateway' | 'relay',
    private readonly child: Child<Middle>,
    private readonly caller: End,
  ) {}

  async provider(name: string, tools: object[]): Promise<End> {
    const end = await End.open(this.child.said.url);
    end.onFrame = ({ type, id }) => type === 'tool.call' && end.say({ type: 'tool.result', id, data: 'Hello, Alice!' });
    const listed = end.next('sessions');
    end.say({ type: 'auth', token: this.child.said.token });
    await withTimeout(listed, WAIT_MS, 'auth');
    const acknowledged = end.next('hello.ack');
    end.say(helloOf(name, tools));
    await withTimeout(acknowledged, WAIT_MS, 'hello');
    return end;
  }

  /** One call and its result. */
  call(): Promise<unknown> {
    const callId = `tool-00000000-0000-0000-0000-${String(++this.#calls).padStart(12, '0')}`;
    if (this.kind === 'gateway') return this.#request('tool/call', { sessionId: 'a', callId, tool: 'greet', args });
    const answer = this.caller.next(callId);
    this.caller.say({ type: 'tool.call', id: callId, sessionId: 'a', tool: 'greet', args });
    return answer;
  }

  /** Milliseconds of consecutive calls, sorted. */
  async times(): Promise<number[]> {
    const times: number[] = [];
    for (let at = 0; at < CALLS; at++) {
      const start = performance.now();
      await this.call();
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  }

  /** Milliseconds per call with many calls in flight: elapsed, and CPU time of the process in the middle. */
  async cost(): Promise<{ ms: number; cpu: number }> {
    const cpu = await this.#ask('cpu');
    const start = performance.now();
    let left = CALLS;
    const one = async () => {
      while (left-- > 0) await this.call();
    };
    await Promise.all(Array.from({ length: PARALLEL }, one));
    const ms = (performance.now() - start) / CALLS;
    return { ms, cpu: ((await this.#ask('cpu')) - cpu) / CALLS };
  }

  /** Milliseconds until all are registered, and bytes of heap for each in the process in the middle. */
  async register(): Promise<{ ms: number; heap: number }> {
    const before = await this.#ask('heap');
    const ends: End[] = [];
    const start = performance.now();
    for (let at = 0; at < PROVIDERS; at++) {
      const tools = Array.from({ length: TOOLS }, (_, tool) => ({ name: `p${at}_t${tool}`, description: 'a tool', parameters: schema }));
      ends.push(await this.provider(`p${at}`, tools));
    }
    const ms = performance.now() - start;
    const heap = ((await this.#ask('heap')) - before) / PROVIDERS;
    await Promise.all(ends.map((end) => end.close()));
    return { ms, heap };
  }

  async stop(): Promise<void> {
    await this.caller.close();
    await this.child.stop();
  }

  async #request(method: string, params: object): Promise<Frame> {
    const id = ++this.#calls;
    const answer = this.caller.next(id);
    this.caller.say({ jsonrpc: '2.0', id, method, params });
    const frame = await answer;
    if (frame.error || (frame.result as { ok?: boolean } | null)?.ok === false) throw new Error(JSON.stringify(frame));
    return frame;
  }

  /** Of the process in the middle, so far. */
  #ask(figure: Figure): Promise<number> {
    const { process } = this.child;
    process.send(figure);
    return nextMessage(process, `asking for the ${figure}`);
  }
}

const percentile = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? NaN;
const best = (values: number[]) => Math.min(...values);

export async function run(): Promise<void> {
  const [relay, gateway] = [await Bench.start('relay'), await Bench.start('gateway')];
  const both = [relay, gateway] as const;
  const providers = [];
  for (const bench of both) providers.push(await bench.provider('bench', [{ name: 'greet', parameters: schema }]));
  for (const bench of both) await bench.times(); // Warm-up.

  // The two alternate, and the best round of each counts, because other load on the machine disturbs both.
  const figures = both.map(() => ({ median: [] as number[], p99: [] as number[], ms: [] as number[], cpu: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, bench] of both.entries()) {
      const times = await bench.times();
      figures[at]!.median.push(percentile(times, 0.5));
      figures[at]!.p99.push(percentile(times, 0.99));
      const { ms, cpu } = await bench.cost();
      figures[at]!.ms.push(ms);
      figures[at]!.cpu.push(cpu);
    }
  }
  const [bare, own] = figures as [(typeof figures)[0], (typeof figures)[0]];
  report('gateway: tool call there and back ÷ bare relay, median', best(own.median) / best(bare.median), { atMost: 1.5 });
  report('gateway: tool call there and back ÷ bare relay, p99', best(own.p99) / best(bare.p99), { atMost: 2 });
  report('gateway: calls a second ÷ bare relay', best(bare.ms) / best(own.ms), { atLeast: 0.6 });
  report('gateway: processor time of a call ÷ bare relay', best(own.cpu) / best(bare.cpu));
  for (const provider of providers) await provider.close();

  const [relayed, registered] = [await relay.register(), await gateway.register()];
  report(`gateway: registering ${PROVIDERS} providers of ${TOOLS} tools ÷ bare relay`, registered.ms / relayed.ms);
  report(`gateway: registering a provider of ${TOOLS} tools ÷ one relayed call`, registered.ms / PROVIDERS / best(bare.median));
  reportSize(`gateway: memory of a provider of ${TOOLS} tools`, registered.heap);
  for (const bench of both) await bench.stop();
}

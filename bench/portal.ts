/**
 * What the portal costs: requests compared with those of a bare server with the same library, one live event by the number of its readers,
 * and the memory of runs that have ended compared with what is kept of them on disk.
 */
import { Agent, request } from 'node:http';
import { Emitter } from '../src/base/event.ts';
import { systemClock } from '../src/base/clock.ts';
import { withTimeout } from '../src/base/errors.ts';
import { nullLogger } from '../src/base/log.ts';
import { validateEntry } from '../src/portal/entry/validateEntry.ts';
import { LiveQueues } from '../src/portal/live/liveQueues.ts';
import { LiveTokens } from '../src/portal/live/liveTokens.ts';
import { PortalRuns } from '../src/portal/portalRuns.ts';
import type { PersonAnswer } from '../src/portal/runs/personAnswer.ts';
import type { PortalSession, StartedTool, UnaskedCall } from '../src/portal/tasks/portalSession.ts';
import { SessionLeases } from '../src/portal/tasks/sessionLeases.ts';
import { report } from './measure.ts';
import type { LiveOrder, MeasuredServer } from './portalChild.ts';
import { type Child, startChild } from './startChild.ts';

const REQUESTS = 4000;
const PARALLEL = 32;
const ROUNDS = 3;
const EVENTS = 100;
const RUNS = 1000;
const WAIT_MS = 60_000;

/** A server with connections that stay open. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  constructor(private readonly server: Child<MeasuredServer>) {}

  get(path: string): Promise<string> {
    const { port, token } = this.server.said;
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}` };
      const sent = request({ host: '127.0.0.1', port, path, headers, agent: this.#agent }, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (body += chunk));
        response.on('end', () => (response.statusCode === 200 ? resolve(body) : reject(new Error(`${path}: ${response.statusCode}`))));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  order(order: LiveOrder): void {
    this.server.process.send(order);
  }

  /** In ms. */
  async requests(): Promise<number> {
    let left = REQUESTS;
    const start = performance.now();
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        while (left-- > 0) await this.get('/api/test');
      }),
    );
    return performance.now() - start;
  }

  /** Milliseconds from one event until all readers have it. */
  async liveEvent(readers: number, id: string): Promise<number> {
    this.order({ open: id });
    let waiting: { left: number; done: () => void } | undefined;
    let isOver = false;
    const reading = Array.from({ length: readers }, async () => {
      const { token } = JSON.parse(await this.get('/api/token')) as { token: string };
      while (!isOver) {
        const { responses } = JSON.parse(await this.get(`/api/copilot/job/${id}/live/${token}`)) as { responses: { error?: string }[] };
        const events = responses.filter(({ error }) => error === undefined).length;
        if (events > 1) throw new Error('a reader got more than the one event that was told');
        if (events === 1 && waiting && --waiting.left === 0) waiting.done();
      }
    });
    const one = async () => {
      const read = new Promise<void>((done) => (waiting = { left: readers, done }));
      this.order({ push: id });
      await Promise.race([withTimeout(read, WAIT_MS, 'reading an event'), Promise.all(reading)]);
    };
    // All connections are open then.
    await one();
    const start = performance.now();
    for (let event = 0; event < EVENTS; event++) await one();
    const each = (performance.now() - start) / EVENTS;
    isOver = true;
    this.order({ push: id });
    await Promise.all(reading);
    return each;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.server.stop();
  }
}

/** Bytes on the heap of runs that have ended, with their queues, for each byte that is kept of them. */
async function memoryOfRuns(): Promise<number> {
  const session = (id: string): PortalSession => ({
    id,
    model: 'm',
    onDidStartTool: new Emitter<StartedTool>().event,
    onDidAnswer: new Emitter<PersonAnswer>().event,
    onDidRunUnasked: new Emitter<UnaskedCall>().event,
    onDidAct: new Emitter<void>().event,
    ...{ used: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 }, isWaiting: false },
    send: async () => undefined,
    steer: async () => undefined,
    stop: () => undefined,
  });
  let sessions = 0;
  const tokens = new LiveTokens(systemClock);
  const queues = new LiveQueues<Record<string, unknown>>({ clock: systemClock, tokens, names: { notFound: '', closed: '' } });
  let kept = 0;
  const runs = new PortalRuns({
    context: {
      sessions: { start: async () => session(String(sessions++)) },
      ...{ leases: new SessionLeases(), clock: systemClock, logger: nullLogger },
    },
    keep: (_id, event) => void (kept += JSON.stringify(event).length),
    tell: (update) => (update.does === 'push' ? queues.push(update.id, update.response) : queues[update.does](update.id)),
  });
  const task = { model: { category: 'driving' }, prompt: ['Look at the last change, and say what is wrong.'], requireUserInput: false };
  const works = Array.from({ length: 5 }, () => ({ kind: 'Ref', taskId: 'look' }));
  const entry = {
    models: { driving: 'm' },
    promptVariables: {},
    tasks: { look: task },
    jobs: { five: { work: { kind: 'Seq', works } } },
    grid: [],
  };
  runs.installEntry(validateEntry(entry));
  const heap = () => (globalThis.gc?.(), process.memoryUsage().heapUsed);
  const before = heap();
  for (let run = 0; run < RUNS; run++) runs.startJob('five', `input ${run}`, '/work');
  while (runs.isRunning) await new Promise(setImmediate);
  const used = heap() - before;
  if (runs.jobStates().length !== RUNS) throw new Error('not all runs are there');
  queues.dispose();
  tokens.dispose();
  return used / kept;
}

export async function run(): Promise<void> {
  const [portal, bare] = await Promise.all(
    ['portal', 'bare'].map(async (kind) => new Client(await startChild<MeasuredServer>('portalChild.ts', kind))),
  );
  if (!portal || !bare) throw new Error('not started');
  let [portalBest, bareBest] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    bareBest = Math.min(bareBest, await bare.requests());
    portalBest = Math.min(portalBest, await portal.requests());
  }
  report('portal: requests a second ÷ a bare server', bareBest / portalBest);
  const events: Record<number, number> = {};
  for (const readers of [1, 10, 100]) events[readers] = await portal.liveEvent(readers, `job-${readers}`);
  const one = events[1] ?? NaN;
  report('portal: one live event, 10 readers ÷ 1', (events[10] ?? NaN) / one);
  report('portal: one live event, 100 readers ÷ 1', (events[100] ?? NaN) / one);
  await Promise.all([portal.stop(), bare.stop()]);
  report(`portal: memory of ${RUNS} finished runs ÷ their files`, await memoryOfRuns());
}

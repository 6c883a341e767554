/** The process of a measurement: prints the figures of `client.ts`, and ends. */
import { AgentHostClient } from '../src/ahp/client/agentHostClient.ts';
import type { ResourceModel } from '../src/ahp/client/model/resourceModel.ts';
import type { ResourceKind } from '../src/ahp/dialects/dialect.ts';
import type { ResourceState } from '../src/ahp/v1/commands.ts';
import { kindOfResource } from '../src/ahp/v1/reducers/reduceAll.ts';
import type { SessionState, Turn } from '../src/ahp/v1/session.ts';
import { BenchLine } from './benchLine.ts';
import { fastest, report } from './measure.ts';
import { BATCH, framesOf, partId, recordedTraces, SESSION, sessionWith, streamTrace, toolTrace, type Trace, TURN } from './traces.ts';

interface Opened {
  client: AgentHostClient;
  subscription: ResourceModel<ResourceKind>;
  line: BenchLine;
  /** Runs what the client has scheduled for the next tick, until nothing is left. */
  tick(): void;
}

async function open(resource: string, state: ResourceState): Promise<Opened> {
  const line = new BenchLine(new Map([[resource, state]]));
  const due: (() => void)[] = [];
  const tick = () => {
    for (let callback; (callback = due.shift());) callback();
  };
  const client = AgentHostClient.create({
    url: 'ws://127.0.0.1',
    transport: () => Promise.resolve(line),
    schedule: (callback) => due.push(callback),
  });
  const subscription = client.model(kindOfResource(resource), resource);
  while (subscription.status.kind !== 'live') {
    tick();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { client, subscription, line, tick };
}

const RUNS = 40;
/** A window runs for hours: the engine has compiled what it does with frames, which takes some thousand of them. Of processor time. */
const BUDGET_MS = 500;
/** The first trace is met before the engine has compiled what it needs of the others. */
const ROUNDS = 2;

/** In milliseconds. */
interface Cost {
  parse: number;
  feed: number;
}

function fasterOf(one: Cost, other: Cost): Cost {
  return { parse: Math.min(one.parse, other.parse), feed: Math.min(one.feed, other.feed) };
}

/**
 * Milliseconds of one pass over the frames: parsed alone, and through a new client that is opened outside the measured time. The two
 * alternate in the same batches, so that both meet the same load of the machine.
 */
async function measureFeed({ resource, initial, frames }: Trace, batch: number): Promise<Cost> {
  const best: Cost = { parse: Infinity, feed: Infinity };
  const end = processorMs() + BUDGET_MS;
  for (let run = 0; run < RUNS || processorMs() < end; run++) {
    const { client, subscription, line, tick } = await open(resource, initial);
    let events = 0;
    subscription.onDidChange(() => events++);
    // As flat strings that were never read, as a socket gives them.
    const parsed = fresh(frames);
    const fed = fresh(frames);
    const start = performance.now();
    // Parsed values are kept to the end of their batch, as a client that reduces in batches must do.
    let kept: unknown[] = [];
    inBatches(
      parsed,
      batch,
      (frame) => kept.push(JSON.parse(frame)),
      () => (kept = []),
    );
    const middle = performance.now();
    inBatches(fed, batch, (frame) => line.deliver(frame), tick);
    best.feed = Math.min(best.feed, performance.now() - middle);
    best.parse = Math.min(best.parse, middle - start);
    if (events === 0 && frames.length > 0) throw new Error(`${resource}: nothing was told`);
    client.close();
  }
  return best;
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const fresh = (frames: string[]) => frames.map((frame) => Buffer.from(frame).toString());

function inBatches(frames: string[], batch: number, take: (frame: string) => unknown, endOfBatch: () => void): void {
  for (let first = 0; first < frames.length; first += batch) {
    for (const frame of frames.slice(first, first + batch)) take(frame);
    endOfBatch();
  }
}

/** The frames with the sequence numbers that they would have if each trace were alone on its connection. */
function numbered(trace: Trace): Trace {
  return { ...trace, frames: framesOf(trace.actions) };
}

/** `atMost`: of what comes in batches. */
async function reportEndToEnd(name: string, traces: Trace[], atMost: number): Promise<void> {
  for (const batch of [BATCH, 1]) {
    const best = traces.map(() => ({ parse: Infinity, feed: Infinity }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, trace] of traces.entries()) best[at] = fasterOf(best[at] as Cost, await measureFeed(numbered(trace), batch));
    }
    const parse = best.reduce((sum, cost) => sum + cost.parse, 0);
    const feed = best.reduce((sum, cost) => sum + cost.feed, 0);
    if (batch === 1) report(`frame → change event singly ÷ JSON.parse: ${name}`, feed / parse);
    else report(`frame → change event in batches of ${batch} ÷ JSON.parse: ${name}`, feed / parse, { atMost });
  }
}

function deltaFrame(seq: number, part: number): string {
  const action = { type: 'session/delta', session: SESSION, turnId: TURN, partId: partId(part), content: ' word' };
  return JSON.stringify({ jsonrpc: '2.0', method: 'action', params: { action, serverSeq: seq } });
}

/** Milliseconds for one delta per tick, from the frame to the change event. */
async function costOfDelta(state: SessionState): Promise<number> {
  const { client, line, tick } = await open(SESSION, state);
  const part = (state.activeTurn?.responseParts.length ?? 1) - 1;
  let seq = 0;
  const cost = fastest(() => {
    line.deliver(deltaFrame(++seq, part));
    tick();
  });
  client.close();
  return cost;
}

function withMessage(characters: number): SessionState {
  const state = sessionWith(1);
  const [part] = state.activeTurn?.responseParts ?? [];
  if (part?.kind === 'markdown') part.content = 'x'.repeat(characters);
  return state;
}

function turns(count: number): Turn[] {
  return Array.from({ length: count }, (_, index): Turn => ({
    id: partId(index),
    userMessage: { text: `Question ${index}` },
    responseParts: [
      { kind: 'reasoning', id: `r${index}`, content: 'Let me think about that for a moment. '.repeat(5) },
      { kind: 'markdown', id: `m${index}`, content: 'An answer with some words and `code` in it. '.repeat(20) },
    ],
    usage: { inputTokens: 1000, outputTokens: 200 },
    state: 'complete',
  }));
}

const withTurns = (count: number): SessionState => ({ ...sessionWith(1), turns: turns(count) });

/** Milliseconds from subscribing to the live state, for a session with so many turns. */
async function costOfOpening(count: number, runs = 15): Promise<number> {
  const state = withTurns(count);
  let best = Infinity;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    const { client } = await open(SESSION, state);
    best = Math.min(best, performance.now() - start);
    client.close();
  }
  return best;
}

/** Bytes of heap that stay in use after `make` while its result is held. */
async function heapOf(make: () => Promise<unknown>): Promise<number> {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const held = await make();
  globalThis.gc();
  const after = process.memoryUsage().heapUsed;
  if (held === undefined) throw new Error('nothing was made');
  return after - before;
}

async function measure(): Promise<void> {
  const recorded = recordedTraces();
  if (recorded.length > 0) await reportEndToEnd('recorded', recorded, 2.5);
  for (const parts of [1, 20, 400]) await reportEndToEnd(`stream, ${parts} parts`, [streamTrace(parts, 50 * BATCH)], 1.2);
  await reportEndToEnd('tools, 60 calls', [toolTrace(60)], 2.5);

  report('one delta: message of 1 MB ÷ of 10 kB', (await costOfDelta(withMessage(1_000_000))) / (await costOfDelta(withMessage(10_000))));
  report('one delta: turn of 1,000 parts ÷ of 10', (await costOfDelta(sessionWith(1000))) / (await costOfDelta(sessionWith(10))));
  report('one delta: session of 5,000 turns ÷ of 50', (await costOfDelta(withTurns(5000))) / (await costOfDelta(withTurns(50))));
  report('opening a session: 5,000 turns ÷ 50 (100 times the text)', (await costOfOpening(5000)) / (await costOfOpening(50)));

  const text = JSON.stringify(turns(1000));
  const heap = await heapOf(() => open(SESSION, withTurns(1000)));
  report('memory of 1,000 turns in the client ÷ their JSON text', heap / text.length);
}

process.send?.('measuring');
await measure();
process.exit();

/** How often the main threads of a browser are busy in one piece, by the time that they have the processor: other programs do not count. */
import type { Browser } from 'playwright-core';

/** The work that the main thread of a page did in one piece. */
interface Tasks {
  /** That took 50 ms of the processor and more. */
  count: number;
  /** In ms. */
  longest: number;
  /** With the time in which other programs ran. */
  byClock: { count: number; longest: number };
}

/** An event of the browser's trace, with times in µs. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const TASK = 'RunTask';
const LONG_US = 50_000;

/** Prints what the pages of the browser do meanwhile. */
export async function reportLongTasks(browser: Browser, what: string, work: () => Promise<unknown>): Promise<void> {
  await browser.startTracing(undefined, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  console.log(JSON.stringify({ name: `long tasks ${what}`, ...tasksIn(traceEvents) }));
}

/** Of the main threads of all pages: a workbench, its webviews. */
function tasksIn(events: readonly TraceEvent[]): Tasks {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf));
  const tasks = events.filter((event) => event.name === TASK && main.has(threadOf(event)));
  // A trace without the time of the processor would have none that is long.
  if (!tasks.some(({ tdur }) => tdur !== undefined)) throw new Error('the trace of the browser holds no tasks, or not how long they took');
  const long = (of: (event: TraceEvent) => number) => ({
    count: tasks.filter((event) => of(event) >= LONG_US).length,
    longest: Math.round(Math.max(...tasks.map(of)) / 1000),
  });
  return { ...long(({ tdur = 0 }) => tdur), byClock: long(({ dur = 0 }) => dur) };
}

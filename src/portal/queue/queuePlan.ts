/** Which of the runs that are queued may begin, and what the others wait for. */
import type { RunLimits } from '../entry/entry.ts';
import { isQueued, type JobState } from '../runs/jobState.ts';
import type { TaskState } from '../runs/taskState.ts';
import { limitedSlots, type RunSlot, slotsOfTask } from './runSlots.ts';

const MAX_NAMED = 3;

/** By the ids of the runs that are queued, in the order in which they were: what one waits for. Undefined: it may begin. */
export type QueuePlan = ReadonlyMap<string, string | undefined>;

interface Holder {
  /** As it is named to the user. */
  name: string;
  /** It is queued too, and was before. */
  isQueued: boolean;
}

/** What there is. */
export interface Counted {
  runs: readonly JobState[];
  /** Those that run or ran alone. */
  tasks: readonly TaskState[];
}

/** What is before a run in the queue keeps its place there: later ones do not overtake it where both need the same. */
export function queuePlan({ runs, tasks }: Counted, limits: RunLimits, now: number): QueuePlan {
  const running = runs.filter((run) => run.status === 'Executing' && !isQueued(run));
  // Those of one moment stay in their order.
  const waiting = runs.filter(isQueued).sort((a, b) => a.queue.since - b.queue.since);
  const holders = new Map<string, Holder[]>();
  const hold = (slots: readonly RunSlot[], holder: Holder) => {
    for (const { key } of slots) holders.set(key, [...(holders.get(key) ?? []), holder]);
  };
  for (const run of running) hold(limitedSlots(limits, run), { name: nameOf(run), isQueued: false });
  for (const task of tasks) {
    if (task.status === 'Executing')
      hold(slotsOfTask(limits, task), { name: `task ${task.taskId.slice(0, 8)} (${task.taskName})`, isQueued: false });
  }
  const plan = new Map<string, string | undefined>();
  for (const run of waiting) {
    const { notBefore } = run.queue;
    if (notBefore !== undefined && notBefore > now) {
      plan.set(run.jobId, `waits until ${localTime(notBefore)}`);
      continue;
    }
    const slots = limitedSlots(limits, run);
    const full = slots.find(({ key, limit }) => (holders.get(key)?.length ?? 0) >= limit);
    plan.set(run.jobId, full && waitsFor(full, holders.get(full.key) ?? []));
    hold(slots, { name: nameOf(run), isQueued: full !== undefined });
  }
  return plan;
}

function waitsFor({ limit, words }: RunSlot, holders: readonly Holder[]): string {
  const named = holders.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = holders.length > MAX_NAMED ? ` and ${holders.length - MAX_NAMED} more` : '';
  const before = holders.every((holder) => holder.isQueued) ? ', before it in the queue' : '';
  if (holders.length === 1) return `waits for ${named[0]} ${words}${before}`;
  const ends = holders.length - limit + 1;
  if (ends > 1) return `waits until ${ends} of these ${words} have ended: ${named.join(', ')}${more}${before}`;
  return `waits for one of these ${words}, of which there may be ${limit}: ${named.join(', ')}${more}${before}`;
}

function nameOf({ jobId, definition }: JobState): string {
  return `run ${jobId.slice(0, 8)} (${definition.jobName})`;
}

/** At this computer, without seconds. */
function localTime(at: number): string {
  return new Date(at).toLocaleString('sv-SE').slice(0, 16);
}

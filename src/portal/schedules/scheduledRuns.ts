/**
 * Starts jobs at the times of their schedules. What a portal is to have started until when is kept, so that it can say what it has missed. The id
 * of a run is made of the job and its time: of several portals with one store the first one starts it, and to the others it exists already.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { englishOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { replaceFile, type Write } from '../../base/node/wholeFile.ts';
import { english } from '../../base/text/phrase.ts';
import { runReasons } from '../../views/portal/records/runReasons.ts';
import type { Entry } from '../entry/entry.ts';
import { lastTime, nextTime, type Schedule } from '../entry/jobSchedule.ts';

/** A timer of a process that had slept, or was busy, may be late by so much. */
const LATE_MS = 60_000;
/** The clock of the computer may be set anew, and timers have a limit. */
const LOOK_MS = 3_600_000;
/** Between two tries of what cannot be started. */
const RETRY_MS = 60_000;
/** So many missed times are counted at most. */
const MAX_MISSED = 1_000;

/** Of a job, as it is listed. Times are in ms since the epoch. */
export interface ListedSchedule extends Schedule {
  next?: number;
  /** The last time at which it started, or should have, and the run. */
  last?: { at: number; jobId?: string; problem?: string };
  /** What was missed since the last start: how often, at most a thousand times, and when last. */
  missedTimes?: { count: number; last: number };
}

/** Of a job, with the times that it had then: with others nothing was missed. */
const keptPlan = z.object({
  cron: z.string(),
  timeZone: z.string().optional(),
  /** What came until then was started, or missed. */
  until: z.number(),
  /** When it started last, and the run. */
  last: z.object({ at: z.number(), jobId: z.string() }).optional(),
});
type KeptPlan = z.infer<typeof keptPlan>;
const kept = z.object({ jobs: z.record(z.string(), keptPlan) });

export interface ScheduledRunsOptions {
  /** Starts a job with this id. `JobExists`: another portal has. */
  start(request: { jobName: string; userInput: string; folder: string; jobId: string }): Promise<StartOutcome>;
  isRunning(jobId: string): boolean;
  /** Absent: nothing is known of the time before. */
  file?: string | undefined;
  write?: Write | undefined;
  clock: Clock;
  logger: Logger;
}

export type StartOutcome = { jobId: string } | { error: string };

interface Planned {
  readonly schedule: Schedule;
  /** What came until then was started, was missed, or is `due`. */
  until: number;
  /** The time of a run that has not started yet. */
  due?: number;
  last?: ListedSchedule['last'];
  missedTimes?: ListedSchedule['missedTimes'];
  isStarting?: boolean;
}

type EarlierPlan = Pick<Planned, 'until' | 'last'> & { readonly schedule: Pick<Schedule, 'cron' | 'timeZone'> };

export class ScheduledRuns implements Disposable {
  readonly #options: ScheduledRunsOptions;
  #planned: ReadonlyMap<string, Planned> = new Map();
  /** Of an earlier process, until there is an entry. */
  #kept: ReadonlyMap<string, EarlierPlan>;
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(options: ScheduledRunsOptions) {
    this.#options = options;
    this.#kept = options.file === undefined ? new Map() : read(options.file, options.logger);
  }

  /** What came between the last look of a portal and now was missed. A schedule that is new, or has other times, begins now. */
  install({ jobs }: Entry): void {
    const now = this.#options.clock.now();
    const planned = new Map<string, Planned>();
    for (const [name, { schedule }] of Object.entries(jobs)) {
      if (!schedule) continue;
      const before = this.#planned.get(name) ?? this.#kept.get(name);
      const isSame = before?.schedule.cron === schedule.cron && before.schedule.timeZone === schedule.timeZone;
      const plan = isSame ? { ...before, until: Math.min(now, before.until) } : { until: now, ...(before?.last && { last: before.last }) };
      planned.set(name, { ...plan, schedule });
    }
    this.#kept = new Map();
    this.#planned = planned;
    this.#look();
  }

  listed(jobName: string): ListedSchedule | undefined {
    const planned = this.#planned.get(jobName);
    if (!planned) return undefined;
    const { schedule, until, last, missedTimes } = planned;
    const next = nextTime(schedule, Math.max(until, this.#options.clock.now()));
    return { ...schedule, ...(next !== undefined && { next }), ...(last && { last }), ...(missedTimes && { missedTimes }) };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  #look(): void {
    this.#timer?.dispose();
    if (this.#isDisposed) return;
    const { clock } = this.#options;
    const now = clock.now();
    let next = now + LOOK_MS;
    for (const [name, planned] of this.#planned) {
      this.#lookAt(name, planned, now);
      if (planned.due !== undefined) void this.#start(name, planned.due);
      next = Math.min(next, nextTime(planned.schedule, now) ?? next, planned.due === undefined ? next : now + RETRY_MS);
    }
    this.#keep();
    if (this.#planned.size > 0) this.#timer = clock.setTimer(() => this.#look(), next - now);
  }

  #lookAt(name: string, planned: Planned, now: number): void {
    const { schedule, until } = planned;
    planned.until = now;
    let onTime: number | undefined;
    for (const at of timesBetween(schedule, Math.max(until, now - LATE_MS), now)) onTime = at;
    let missed: ListedSchedule['missedTimes'];
    for (const at of timesBetween(schedule, until, onTime === undefined ? now : onTime - 1)) {
      missed = { count: (missed?.count ?? 0) + 1, last: at };
      if (missed.count < MAX_MISSED) continue;
      missed.last = lastTime(schedule, onTime ?? now) ?? at;
      break;
    }
    const makesUp = missed !== undefined && schedule.missed === 'run';
    if (missed) {
      planned.missedTimes = missed;
      const times = missed.count === 1 ? 'once' : `${missed.count} times`;
      const then = onTime !== undefined || makesUp ? 'It starts now.' : 'That is not made up for.';
      this.#options.logger.warn(`The job “${name}” was to start ${times} while the portal did not run, or slept. ${then}`);
    }
    planned.due = onTime ?? (makesUp ? missed?.last : undefined) ?? planned.due;
  }

  /** What cannot be started now, because the store is away, is tried again until its next time. */
  async #start(name: string, at: number): Promise<void> {
    const { logger, isRunning, start } = this.#options;
    const before = this.#planned.get(name);
    if (!before || before.isStarting) return;
    before.isStarting = true;
    const { schedule, last } = before;
    const jobId = runIdOf(name, at);
    let problem: string | undefined;
    let isLater = false;
    if (last?.jobId !== undefined && isRunning(last.jobId)) {
      problem = english(runReasons.stillRuns());
    } else {
      try {
        const outcome = await start({ jobName: name, userInput: schedule.userInput ?? '', folder: schedule.folder, jobId });
        if ('error' in outcome && outcome.error !== 'JobExists') problem = outcome.error;
      } catch (error) {
        problem = englishOf(error);
        isLater = true;
      }
    }
    before.isStarting = false;
    // The entry may have been loaded again meanwhile.
    const planned = this.#planned.get(name);
    if (!planned) return;
    planned.isStarting = false;
    const begun = problem === undefined ? jobId : last?.jobId;
    planned.last = { at, ...(begun !== undefined && { jobId: begun }), ...(problem !== undefined && { problem }) };
    if (!isLater && planned.due === at) delete planned.due;
    if (problem === undefined) delete planned.missedTimes;
    else logger.warn(`The job “${name}” did not start by its schedule: ${problem}`);
    // Meanwhile its next time may have come.
    if (planned.due !== undefined && planned.due !== at) this.#look();
    else this.#keep();
  }

  #keep(): void {
    const { file, write, logger } = this.#options;
    if (file === undefined) return;
    const jobs = [...this.#planned].map(([name, { schedule, until, due = until + 1, last }]): [string, KeptPlan] => [
      name,
      {
        cron: schedule.cron,
        ...(schedule.timeZone !== undefined && { timeZone: schedule.timeZone }),
        until: due - 1,
        ...(last?.jobId !== undefined && { last: { at: last.at, jobId: last.jobId } }),
      },
    ]);
    try {
      const text = JSON.stringify({ jobs: Object.fromEntries(jobs) } satisfies z.infer<typeof kept>);
      replaceFile(file, Buffer.from(text), { sync: false, ...(write && { write }) });
    } catch (error) {
      // The next portal says of some times that they were missed.
      logger.warn(`${file} could not be written: ${englishOf(error)}`);
    }
  }
}

/** After `from`, up to `to` and that included. */
function* timesBetween(schedule: Schedule, from: number, to: number): Iterable<number> {
  for (let at = nextTime(schedule, from); at !== undefined && at <= to; at = nextTime(schedule, at)) yield at;
}

/** A UUID of version 8, which is the same at every portal. */
function runIdOf(jobName: string, at: number): string {
  const hex = sha256(JSON.stringify([jobName, at]));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function read(file: string, logger: Logger): ReadonlyMap<string, EarlierPlan> {
  try {
    const { jobs } = kept.parse(JSON.parse(readFileSync(file, 'utf8')));
    return new Map(Object.entries(jobs).map(([name, { until, last, ...schedule }]) => [name, { schedule, until, ...(last && { last }) }]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      logger.warn(`${file} cannot be read, so it is not known what was to start before: ${englishOf(error)}`);
    return new Map();
  }
}

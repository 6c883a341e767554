/** Lets the runs that are queued begin, each at its time and in order. They are kept with the runs, so this has nothing of its own to keep. */
import type { Clock } from '../../base/clock.ts';
import { englishOf } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { RunLimits } from '../entry/entry.ts';
import { isQueued, type JobState } from '../runs/jobState.ts';
import type { TaskState } from '../runs/taskState.ts';
import { type QueuePlan, queuePlan } from './queuePlan.ts';

/** A timer of a process that had slept, or was busy, may be late by so much. */
const LATE_MS = 60_000;
/** The clock of the computer may be set anew, and timers have a limit. */
const LOOK_MS = 3_600_000;
/** Between two tries of what could not begin. */
const RETRY_MS = 10_000;

export interface RunQueueOptions {
  runs: { jobStates(): JobState[]; taskStates(): TaskState[]; readonly onDidPublish: Event<string> };
  /** False: it is not queued any more, or another portal has seen that it may not begin yet. */
  begin(jobId: string, how: { isLate: boolean }): boolean | Promise<boolean>;
  clock: Clock;
  logger: Logger;
}

export class RunQueue implements Disposable {
  readonly #options: RunQueueOptions;
  readonly #disposables = new DisposableStore();
  /** Absent: the portal has no entry yet. */
  #limits: RunLimits | undefined;
  /** Of runs whose time has come: whether nobody was there then. */
  readonly #due = new Map<string, boolean>();
  #timer: Disposable | undefined;
  #isAsked = false;
  #isBeginning = false;
  /** Something has changed since it was looked which runs may begin. */
  #isAskedAgain = false;
  #isDisposed = false;

  constructor(options: RunQueueOptions) {
    this.#options = options;
    this.#disposables.add(options.runs.onDidPublish(() => this.#lookSoon()));
  }

  /** From then on runs begin. */
  install(limits: RunLimits = {}): void {
    this.#limits = limits;
    this.#lookSoon();
  }

  /** What each run waits for now, in words. Undefined for one that is not queued. */
  reasons(): (state: JobState) => string | undefined {
    let plan: QueuePlan | undefined;
    return (state) => {
      if (!isQueued(state)) return undefined;
      if (!this.#limits) return 'waits until the portal has its jobs';
      plan ??= this.#plan(this.#limits);
      return plan.get(state.jobId) ?? 'begins now';
    };
  }

  mayBegin(jobId: string): boolean {
    if (!this.#limits) return false;
    const plan = this.#plan(this.#limits);
    return plan.has(jobId) && plan.get(jobId) === undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#disposables.dispose();
  }

  #plan(limits: RunLimits): QueuePlan {
    const { runs, clock } = this.#options;
    return queuePlan({ runs: runs.jobStates(), tasks: runs.taskStates() }, limits, clock.now());
  }

  /** Once for all that happens in one go. */
  #lookSoon(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    queueMicrotask(() => {
      this.#isAsked = false;
      this.#look();
    });
  }

  #look(): void {
    if (this.#isDisposed || !this.#limits) return;
    const { runs, clock } = this.#options;
    const waiting = runs.jobStates().filter(isQueued);
    this.#timer?.dispose();
    this.#timer = undefined;
    if (waiting.length === 0) return this.#due.clear();
    const now = clock.now();
    let next = now + LOOK_MS;
    for (const { jobId, queue } of waiting) {
      const { notBefore = queue.since } = queue;
      if (notBefore > now) next = Math.min(next, notBefore);
      else if (!this.#due.has(jobId)) this.#due.set(jobId, queue.notBefore !== undefined && now - notBefore > LATE_MS);
    }
    this.#timer = clock.setTimer(() => this.#look(), next - now);
    void this.#beginAll();
  }

  /** One after the other, because each that begins may be in the way of the next one. */
  async #beginAll(): Promise<void> {
    this.#isAskedAgain = this.#isBeginning;
    if (this.#isBeginning || !this.#limits) return;
    this.#isBeginning = true;
    const { begin, clock, logger } = this.#options;
    try {
      do {
        this.#isAskedAgain = false;
        for (const [jobId, reason] of this.#plan(this.#limits)) {
          // While those before it began, others may have taken its place. One that may begin only since then is found by the next look.
          if (reason !== undefined || this.#isDisposed || !this.mayBegin(jobId)) continue;
          const isLate = this.#due.get(jobId) ?? false;
          if ((await begin(jobId, { isLate })) && isLate)
            logger.warn(`Run ${jobId} begins late: no portal ran at the time at which it was to begin.`);
        }
      } while (this.#isAskedAgain);
    } catch (error) {
      if (this.#isDisposed) return;
      logger.warn(`A run that is queued could not begin, and is tried again: ${englishOf(error)}`);
      this.#timer?.dispose();
      this.#timer = clock.setTimer(() => this.#look(), RETRY_MS);
    } finally {
      this.#isBeginning = false;
    }
  }
}

/** When an emitter runs: at once, and then as its interval says. Runs that are missed, while another one lasts or the computer sleeps, are not made up for. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { EmitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import { intervalMs } from '../../tap/wire/emitters/intervals.ts';

export type Schedule =
  | { readonly kind: 'continuous' | 'oneTime' | 'idle' }
  /** Times between runs, of which the last one stays. */
  | { readonly kind: 'timed'; readonly delaysMs: readonly number[] };

export function scheduleOf({ command, runInterval, maxRuns }: Pick<EmitterSpec, 'command' | 'runInterval' | 'maxRuns'>): Schedule {
  if (runInterval === 'idle') return { kind: 'idle' };
  if (runInterval === undefined) return { kind: command !== undefined && maxRuns === undefined ? 'continuous' : 'oneTime' };
  return { kind: 'timed', delaysMs: [runInterval].flat().map((word) => intervalMs(word) as number) };
}

export interface RunPlanOptions {
  readonly schedule: Schedule;
  readonly maxRuns: number | undefined;
  readonly clock: Clock;
  run(): void;
}

export class RunPlan {
  #runs = 0;
  #isRunning = false;
  #next: { readonly at: number; readonly timer: Disposable } | undefined;

  constructor(private readonly options: RunPlanOptions) {}

  /** Those that have begun. */
  get runs(): number {
    return this.#runs;
  }

  get nextRunInMs(): number | undefined {
    return this.#next && Math.max(0, this.#next.at - this.options.clock.now());
  }

  get isOver(): boolean {
    const { schedule, maxRuns } = this.options;
    const last = schedule.kind === 'continuous' || schedule.kind === 'oneTime' ? 1 : (maxRuns ?? Infinity);
    return !this.#isRunning && this.#runs >= last;
  }

  get schedule(): EmitterStatus['runSchedule'] {
    return this.options.schedule.kind;
  }

  /** False while it runs. The next run comes after the whole interval then. */
  runNow(): boolean {
    if (this.#isRunning) return false;
    this.stop();
    this.#isRunning = true;
    this.#runs++;
    this.options.run();
    return true;
  }

  /** The run has ended, or was none: the session was busy. */
  ended(wasRun = true): void {
    this.#isRunning = false;
    if (!wasRun) this.#runs--;
    const { schedule, clock } = this.options;
    if (this.isOver || schedule.kind !== 'timed') return;
    const delayMs = schedule.delaysMs[Math.min(Math.max(this.#runs, 1), schedule.delaysMs.length) - 1] as number;
    this.#next = { at: clock.now() + delayMs, timer: clock.setTimer(() => this.runNow(), delayMs) };
  }

  /** No run begins by itself any more. */
  stop(): void {
    this.#next?.timer.dispose();
    this.#next = undefined;
  }
}

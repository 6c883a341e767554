/** Runs a command as its plan says. */
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { ChildEnd } from '../../base/process/childGroup.ts';
import type { EmitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import { CommandRun } from './commandRun.ts';
import type { LineTime } from './lineTime.ts';
import { RunPlan, scheduleOf } from './runPlan.ts';
import type { RunTrace } from './runTrace.ts';

const TEXT_LENGTH = 1000;

/** What commands and prompts have in common. */
export interface Runner {
  readonly state: EmitterStatus['state'];
  readonly plan: Pick<RunPlan, 'runs' | 'nextRunInMs' | 'schedule'>;
  readonly pid: number | undefined;
  /** How the last run has ended, or why there is none. */
  readonly lastEnd: string | undefined;
  /** Nothing comes of it until the user speaks. */
  readonly isPaused: boolean;
  /** Once more from the beginning where it is over. Says why not. */
  runNow(): string | undefined;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

export interface RunnerHost {
  readonly clock: Clock;
  /** Its state has changed. */
  changed(): void;
  /** It is over by itself. */
  over(why: string, level: 'keep' | 'surface'): void;
}

export interface CommandHost extends RunnerHost {
  readonly time: LineTime;
  /** The folder for the next run. Throws when it is gone, or lies outside of the session's by now. */
  folder(): string;
  line(text: string, from: 'stdout' | 'stderr', trace: RunTrace): void;
  /** A run is about to begin. */
  trace(run: number, isContinuous: boolean): RunTrace;
  /** A run is over. */
  ran(run: { run: number; startedAt: number; end: ChildEnd }): void;
}

export class CommandEmitter implements Runner {
  #plan: RunPlan;
  #state: EmitterStatus['state'] = 'stopped';
  #run: CommandRun | undefined;
  #lastEnd: string | undefined;
  readonly isPaused = false;

  constructor(
    private readonly spec: EmitterSpec & { readonly command: string },
    private readonly host: CommandHost,
  ) {
    this.#plan = this.#newPlan();
  }

  get state(): EmitterStatus['state'] {
    return this.#state;
  }
  get plan(): RunPlan {
    return this.#plan;
  }
  get pid(): number | undefined {
    return this.#run?.pid;
  }
  get lastEnd(): string | undefined {
    return this.#lastEnd;
  }

  runNow(): string | undefined {
    if (this.#run) return 'it runs at the moment';
    if (this.#state !== 'waiting') this.#plan = this.#newPlan();
    this.#plan.runNow();
    return undefined;
  }

  async stop(): Promise<void> {
    this.#plan.stop();
    const { state } = this;
    if (state === 'running' || state === 'waiting') this.#enter('stopped');
    this.#run?.stop();
    await this.#run?.ended;
  }

  #newPlan(): RunPlan {
    const { clock } = this.host;
    return new RunPlan({ schedule: scheduleOf(this.spec), maxRuns: this.spec.maxRuns, clock, run: () => this.#begin() });
  }

  #begin(): void {
    const { command, includeStderr = false } = this.spec;
    const { clock, time } = this.host;
    const trace = this.host.trace(this.#plan.runs, this.#plan.schedule === 'continuous');
    let run;
    try {
      run = new CommandRun({
        command,
        cwd: this.host.folder(),
        includeStderr,
        clock,
        time,
        traceparent: trace.traceparent,
        line: (text, from) => this.host.line(text, from, trace),
        passed: () => trace.passed(),
      });
    } catch (error) {
      trace.notBegun();
      return this.#fail(messageOf(error));
    }
    this.#run = run;
    const startedAt = clock.now();
    this.#enter('running');
    void run.ended.then((end) => {
      this.#run = undefined;
      trace.ended(end);
      this.host.ran({ run: this.#plan.runs, startedAt, end });
      this.#ended(end);
    });
  }

  #ended({ kind, problem, ...end }: ChildEnd): void {
    this.#lastEnd = problem.slice(0, TEXT_LENGTH);
    if (this.#state === 'stopped') return this.host.changed();
    if (kind === 'notStarted') return this.#fail(problem);
    this.#plan.ended();
    if (!this.#plan.isOver) return this.#enter('waiting');
    this.#enter('ended');
    const isExpected = this.#plan.schedule !== 'continuous' && 'code' in end && end.code === 0;
    this.host.over(this.#lastEnd, isExpected ? 'keep' : 'surface');
  }

  #fail(why: string): void {
    this.#plan.stop();
    this.#lastEnd = why.slice(0, TEXT_LENGTH);
    this.#enter('failed');
    this.host.over(this.#lastEnd, 'surface');
  }

  #enter(state: EmitterStatus['state']): void {
    this.#state = state;
    this.host.changed();
  }
}

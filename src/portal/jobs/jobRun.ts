/** One run of a job, or one more attempt of it. */
import { messageOf } from '../../base/errors.ts';
import { own } from '../entry/own.ts';
import type { RefWork } from '../entry/work.ts';
import { budgetReason } from '../limits/limits.ts';
import { difference, noUsage, sum, type Usage } from '../limits/usage.ts';
import type { JobDefinition } from '../runs/jobDefinition.ts';
import { answers, type JobState, reduceJob, succeededTasks, usedBy } from '../runs/jobState.ts';
import type { JobEvent, RunEvent, StepKey, TaskEvent } from '../runs/runEvents.ts';
import type { TaskContext } from '../tasks/taskContext.ts';
import { type TaskOutcome, TaskRun } from '../tasks/taskRun.ts';
import { Stopped } from '../tasks/stopping.ts';
import { LOOP_CAP, LoopCapError, runWork } from '../work/runWork.ts';

export interface JobContext extends TaskContext {
  /** Ids that cannot be guessed, for the tasks of the job. */
  readonly newId: () => string;
}

export interface JobRequest {
  jobId: string;
  definition: JobDefinition;
  userInput: string;
  workingDirectory: string;
  loopCap?: number;
}

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;
type JobStatus = 'Executing' | 'Succeeded' | 'Failed' | 'Stopped';

/** Runs at once. `record` gets each event of the job and its tasks in order, and none after the end; when it throws, the job fails. */
export class JobRun {
  readonly #context: JobContext;
  readonly #request: JobRequest;
  readonly #record: (event: RunEvent) => void;
  readonly #answers: ReadonlyMap<StepKey, boolean>;
  readonly #succeeded: Set<string>;
  readonly #running = new Map<StepKey, { workId: number; run: TaskRun }>();
  /** Since it was started or continued, by task. */
  readonly #used = new Map<string, Usage>();
  #status: JobStatus = 'Executing';
  #settle: (status: Exclude<JobStatus, 'Executing'>) => void = () => undefined;

  readonly jobId: string;
  /** Resolves when the job has ended; with a stop, at once. Never rejects. */
  readonly ended: Promise<Exclude<JobStatus, 'Executing'>>;

  private constructor(
    context: JobContext,
    request: JobRequest,
    record: (event: RunEvent) => void,
    first: WithoutTime<JobEvent> | undefined,
    before?: JobState,
  ) {
    this.#context = context;
    this.#request = request;
    this.#record = record;
    this.#answers = before ? answers(before) : new Map();
    this.#succeeded = before ? succeededTasks(before) : new Set();
    // Another portal may have begun this attempt.
    if (before) this.#used.set('', difference(usedBy(before), before.usedBefore ?? noUsage));
    this.jobId = request.jobId;
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    void this.#run(first);
  }

  static start(context: JobContext, request: JobRequest, record: (event: RunEvent) => void): JobRun {
    const { jobId, definition, userInput, workingDirectory } = request;
    return new JobRun(context, request, record, { type: 'jobStarted', jobId, definition, userInput, workingDirectory });
  }

  /**
   * Goes on with a job that failed, was stopped or was interrupted. `state` is made of the events that were recorded before. Steps that have
   * an answer do not run again, except those of `redo`: by default the ones whose failure failed the job.
   */
  static continue(
    context: JobContext,
    state: JobState,
    { redo, ...options }: { loopCap?: number; redo?: StepKey[] },
    record: (event: RunEvent) => void,
  ): JobRun {
    if (state.status === 'Executing' || (state.status === 'Succeeded' && !redo))
      throw new Error(`a job that is ${state.status} cannot be continued`);
    const event = { type: 'jobContinued', redo: redo ?? state.failedSteps } as const;
    const { jobId, definition, userInput, workingDirectory } = state;
    const redone = reduceJob(state, { at: 0, ...event });
    return new JobRun(context, { jobId, definition, userInput, workingDirectory, ...options }, record, event, redone);
  }

  /**
   * Runs a job whose start or continuation is recorded already. `isTakenOver`: another portal ran it and is gone; what was cut off runs again, and
   * steps that have an answer do not.
   */
  static resume(
    context: JobContext,
    state: JobState,
    { isTakenOver, ...options }: { loopCap?: number; isTakenOver: boolean },
    record: (event: RunEvent) => void,
  ): JobRun {
    const { jobId, definition, userInput, workingDirectory } = state;
    const request = { jobId, definition, userInput, workingDirectory, ...options };
    const first = isTakenOver ? ({ type: 'jobTakenOver' } as const) : undefined;
    return new JobRun(context, request, record, first, first ? reduceJob(state, { at: 0, ...first }) : state);
  }

  get status(): JobStatus {
    return this.#status;
  }

  get runningWorkIds(): number[] {
    return Array.from(this.#running.values(), ({ workId }) => workId);
  }

  /** The tasks that run. Stopping one of them fails the job. */
  get runningTasks(): TaskRun[] {
    return Array.from(this.#running.values(), ({ run }) => run);
  }

  /** Stops every task and its sessions. After this there is no event. */
  stop(): void {
    if (this.#status === 'Executing') this.#end('Stopped', { type: 'jobStopped' });
  }

  async #run(first: WithoutTime<JobEvent> | undefined): Promise<void> {
    // The caller has the run before its first event.
    await Promise.resolve();
    try {
      if (first) this.#tell(first);
      const { definition, loopCap = LOOP_CAP } = this.#request;
      const runner = { loopCap, runStep: (ref: RefWork<number>, step: StepKey) => this.#runStep(ref, step) };
      const { succeeded, failedSteps } = await runWork(definition.work, runner);
      if (succeeded) this.#end('Succeeded', { type: 'jobSucceeded' });
      else this.#end('Failed', { type: 'jobFailed', reason: 'its work failed', failedSteps });
    } catch (error) {
      if (this.#status !== 'Executing') return;
      const cap = error instanceof LoopCapError ? { loopCap: error.cap } : {};
      this.#end('Failed', { type: 'jobFailed', reason: messageOf(error), failedSteps: [], ...cap });
    }
  }

  async #runStep(ref: RefWork<number>, step: StepKey): Promise<boolean> {
    const known = this.#answers.get(step);
    if (known !== undefined) return known;
    if (this.#status !== 'Executing') throw new Stopped();
    const { definition, userInput } = this.#request;
    const { taskId: taskName, workIdInJob: workId, modelOverride } = ref;
    const task = own(definition.tasks, taskName);
    if (!task) throw new Error(`the definition of the job has no task ${JSON.stringify(taskName)}`);
    const place = task.host === undefined ? undefined : own(definition.hosts ?? {}, task.host);
    const workingDirectory = place?.folder ?? this.#request.workingDirectory;
    const taskId = this.#context.newId();
    this.#tell({ type: 'workStarted', workId, step, taskId, taskName });
    const run = new TaskRun(
      this.#context,
      {
        ...{ taskId, taskName, task, models: definition.models, userInput, workingDirectory },
        ...(modelOverride && { modelOverride }),
        hasSucceeded: (name) => this.#succeeded.has(name),
      },
      (event) => this.#recordOfTask(event),
    );
    this.#running.set(step, { workId, run });
    const outcome = await run.ended;
    return this.#stepEnded(outcome, { workId, step, taskId, taskName });
  }

  #stepEnded(outcome: TaskOutcome, step: { workId: number; step: StepKey; taskId: string; taskName: string }): boolean {
    const { taskName, ...place } = step;
    this.#running.delete(step.step);
    const succeeded = outcome.status === 'Succeeded';
    if (succeeded) this.#succeeded.add(taskName);
    else this.#succeeded.delete(taskName);
    // A task that a user stopped has no answer, so the job cannot go on.
    const crashError = outcome.status === 'Stopped' ? 'the task was stopped' : outcome.crashError;
    this.#tell({ type: 'workStopped', ...place, succeeded, ...(crashError !== undefined && { crashError }) });
    if (crashError !== undefined) throw new Error(`the task ${JSON.stringify(taskName)} crashed: ${crashError}`);
    return succeeded;
  }

  #recordOfTask(event: TaskEvent): void {
    this.#record(event);
    if (event.type !== 'taskUsage' || this.#status !== 'Executing') return;
    this.#used.set(event.taskId, event.used);
    const reason = budgetReason(this.#request.definition.budget, sum(this.#used.values()));
    if (reason === undefined) return;
    this.#record({ at: this.#context.clock.now(), type: 'jobUsedUp', reason });
    this.stop();
  }

  #tell(event: WithoutTime<JobEvent>): void {
    // A stop may come from the receiver of the event, too.
    if (this.#status !== 'Executing') throw new Stopped();
    this.#record({ at: this.#context.clock.now(), ...event });
    if (this.#status !== 'Executing') throw new Stopped();
  }

  /** Settles first, so that whatever the receiver of the events does, the job has ended. */
  #end(status: Exclude<JobStatus, 'Executing'>, event: WithoutTime<JobEvent>): void {
    this.#status = status;
    const tasks = this.runningTasks;
    this.#running.clear();
    for (const task of tasks) task.stop();
    try {
      this.#record({ at: this.#context.clock.now(), ...event });
    } catch (error) {
      this.#context.logger.error(`job ${this.jobId}: its end was not recorded: ${messageOf(error)}`);
    }
    this.#settle(status);
  }
}

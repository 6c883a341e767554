/** One run of a job, or one more attempt of it. */
import { englishOf, WordedError } from '../../base/errors.ts';
import type { Words } from '../../base/text/phrase.ts';
import { runReasons } from '../../views/portal/records/runReasons.ts';
import { own } from '../entry/own.ts';
import { worktreePolicy } from '../entry/folders/worktreePolicy.ts';
import type { RefWork } from '../entry/work.ts';
import { budgetReason } from '../limits/taskLimits.ts';
import { difference, noUsage, sum, type Usage } from '../limits/usage.ts';
import type { JobDefinition } from '../runs/jobDefinition.ts';
import { editOf } from '../runs/goingOn.ts';
import { answers, type JobState, reduceJob, succeededTasks, usedBy } from '../runs/jobState.ts';
import type { JobEvent, RunEvent, StepKey, TaskEvent, WithoutTime } from '../runs/runEvents.ts';
import type { TaskContext } from '../tasks/taskContext.ts';
import { type TaskOutcome, TaskRun } from '../tasks/taskRun.ts';
import { Stopped } from '../tasks/stopping.ts';
import { LOOP_CAP, LoopCapError, runWork } from '../work/runWork.ts';
import type { RunWorktrees } from '../worktrees/runWorktrees.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';

export interface JobContext extends TaskContext {
  /** Resolves when no agent of a run that has ended works in the folder, or on the run itself, any more, or after a time. Never rejects. */
  readonly othersStopped?: (jobId: string, folder: string) => Promise<void>;
  /** Why a run cannot work in its folder, which is asked when it was queued before it begins. In words for the user. */
  readonly folderProblem?: (folder: string) => Promise<Words | undefined>;
  /** Ids that cannot be guessed, for the tasks of the job. */
  readonly newId: () => string;
  /** Absent: jobs that want work trees fail. */
  readonly worktrees?: { ofRun(options: Parameters<Worktrees['ofRun']>[0]): RunFolders };
}

type RunFolders = Pick<RunWorktrees, 'folderOf' | 'join' | 'finish'>;

export interface JobRequest {
  jobId: string;
  definition: JobDefinition;
  userInput: string;
  workingDirectory: string;
  loopCap?: number;
}

type Continued = Extract<JobEvent, { type: 'jobContinued' }>;
type JobStatus = 'Executing' | 'Succeeded' | 'Failed' | 'Stopped' | 'Paused';

/** Runs at once. `record` gets each event of the job and its tasks in order, and none after the end; when it throws, the job fails. */
export class JobRun {
  readonly #context: JobContext;
  readonly #request: JobRequest;
  readonly #record: (event: RunEvent) => void;
  readonly #answers: ReadonlyMap<StepKey, boolean>;
  readonly #succeeded: Set<string>;
  readonly #worktrees: RunFolders | undefined;
  readonly #edits: Pick<JobState, 'edits'>;
  readonly #running = new Map<StepKey, { workId: number; run: TaskRun; isSkipped?: true }>();
  /** It was started some time ago, and no step has. */
  readonly #wasQueued: boolean;
  /** Nothing new is to be started. */
  #isPausing: boolean;
  /** Steps that would have started since. Each is let go on when the pause is withdrawn. */
  #held: (() => void)[] = [];
  /** Since it was started or continued, by task. */
  readonly #used = new Map<string, Usage>();
  #status: JobStatus = 'Executing';
  /** Tasks that were stopped with the job. */
  #left: readonly TaskRun[] = [];
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
    this.#edits = before ?? {};
    this.#isPausing = before?.pausing !== undefined;
    this.#wasQueued = before?.queue !== undefined && before.steps.length === 0;
    this.#succeeded = before ? succeededTasks(before) : new Set();
    // Another portal may have begun this attempt.
    if (before) this.#used.set('', difference(usedBy(before), before.usedBefore ?? noUsage));
    this.jobId = request.jobId;
    this.#worktrees = this.#ownWorktrees(before);
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
    { redo, by, skipped, edit, ...options }: { loopCap?: number; redo?: StepKey[] } & Pick<Continued, 'by' | 'skipped' | 'edit'>,
    record: (event: RunEvent) => void,
  ): JobRun {
    if (state.status === 'Executing' || (state.status === 'Succeeded' && !redo))
      throw new Error(`a job that is ${state.status} cannot be continued`);
    const more = { ...(by !== undefined && { by }), ...(skipped && { skipped }), ...(edit && { edit }) };
    const event = { type: 'jobContinued', redo: redo ?? state.failedSteps, ...more } as const;
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

  /** Resolves when no agent of the job works any more, or after a time. Never rejects. */
  async stopped(): Promise<void> {
    await Promise.all([...this.runningTasks, ...this.#left].map((task) => task.stopped()));
  }

  get runningWorkIds(): number[] {
    return Array.from(this.#running.values(), ({ workId }) => workId);
  }

  /** The tasks that run. Stopping one of them fails the job. */
  get runningTasks(): TaskRun[] {
    return Array.from(this.#running.values(), ({ run }) => run);
  }

  /** Stops every task and its sessions. After this there is no event. `by`: who does it, in words. */
  stop(by?: string): void {
    this.#end('Stopped', { type: 'jobStopped', ...(by !== undefined && { by }) });
  }

  /** What runs goes on to its end, and nothing new is started. Throws when that cannot be recorded. */
  pause(by: string): void {
    if (this.#isPausing) return;
    this.#tell({ type: 'jobPausing', by });
    this.#isPausing = true;
  }

  /** False: it is not about to pause. Throws when that cannot be recorded. */
  withdrawPause(by: string): boolean {
    if (this.#status !== 'Executing' || !this.#isPausing) return false;
    this.#tell({ type: 'jobPauseWithdrawn', by });
    this.#isPausing = false;
    for (const goOn of this.#held.splice(0)) goOn();
    return true;
  }

  /** Stops a step that runs: it counts as done. False when it does not run. Throws when that cannot be recorded. */
  skip(step: StepKey, by: string): boolean {
    const found = this.#running.get(step);
    if (found?.run.status !== 'Executing') return false;
    const { workId, run } = found;
    this.#tell({ type: 'workSkipped', workId, step, taskId: run.taskId, by });
    found.isSkipped = true;
    run.stop();
    return true;
  }

  /** The task of a step that runs. */
  taskOf(step: StepKey): TaskRun | undefined {
    return this.#running.get(step)?.run;
  }

  async #run(first: WithoutTime<JobEvent> | undefined): Promise<void> {
    // The caller has the run before its first event.
    await Promise.resolve();
    try {
      if (first) this.#tell(first);
      const { definition, loopCap = LOOP_CAP, workingDirectory } = this.#request;
      const trees = this.#worktrees;
      if (definition.worktree && !trees) throw new WordedError(runReasons.noPlace());
      const problem = this.#wasQueued ? await this.#context.folderProblem?.(workingDirectory) : undefined;
      if (problem !== undefined) throw new WordedError(problem);
      await this.#context.othersStopped?.(this.jobId, workingDirectory);
      // All may have an answer already, and then no step would notice.
      this.#check();
      const { succeeded, failedSteps } = await runWork(definition.work, {
        loopCap,
        runStep: (ref, step, branches) => this.#runStep(ref, step, branches),
        join: async (branches) => trees?.join(branches),
      });
      if (succeeded) await trees?.finish();
      if (succeeded) this.#end('Succeeded', { type: 'jobSucceeded' });
      else this.#end('Failed', { type: 'jobFailed', reason: 'its work failed', failedSteps });
    } catch (error) {
      const cap = error instanceof LoopCapError ? { loopCap: error.cap } : {};
      this.#end('Failed', { type: 'jobFailed', reason: englishOf(error), failedSteps: [], ...cap });
    }
  }

  #ownWorktrees(before: JobState | undefined): RunFolders | undefined {
    const { jobId, definition, workingDirectory } = this.#request;
    if (!definition.worktree) return undefined;
    return this.#context.worktrees?.ofRun({
      ...{ runId: jobId, jobName: definition.jobName, folder: workingDirectory, policy: worktreePolicy(definition.worktree) },
      states: before?.worktrees ?? [],
      hasWork: this.#answers.size > 0,
      record: (event) => this.#tell(event),
      check: () => this.#check(),
    });
  }

  async #runStep(ref: RefWork<number>, step: StepKey, branches: readonly StepKey[]): Promise<boolean> {
    const known = this.#answers.get(step);
    if (known !== undefined) return known;
    const { definition } = this.#request;
    const { taskId: taskName, workIdInJob: workId, modelOverride } = ref;
    const given = own(definition.tasks, taskName);
    if (!given) throw new Error(`the definition of the job has no task ${JSON.stringify(taskName)}`);
    const { prompt, userInput = this.#request.userInput } = editOf(this.#edits, workId);
    const task = prompt === undefined ? given : { ...given, prompt: [prompt] };
    const place = task.host === undefined ? undefined : own(definition.hosts ?? {}, task.host);
    // What is only to be paused may be at a portal that has no such folder.
    while (this.#isPausing) await this.#letGoOn();
    const tree = await this.#worktrees?.folderOf(branches);
    // After every other wait, so that nothing starts once a pause is recorded.
    while (this.#isPausing) await this.#letGoOn();
    this.#check();
    const workingDirectory = tree ?? place?.folder ?? this.#request.workingDirectory;
    const taskId = this.#context.newId();
    this.#tell({ type: 'workStarted', workId, step, taskId, taskName });
    const run = new TaskRun(
      this.#context,
      {
        ...{ taskId, taskName, task, models: definition.models, userInput, workingDirectory },
        ...(modelOverride && { modelOverride }),
        ...(definition.drivingSessionRetries && { drivingSessionRetries: definition.drivingSessionRetries }),
        hasSucceeded: (name) => this.#succeeded.has(name),
      },
      (event) => this.#recordOfTask(event),
    );
    this.#running.set(step, { workId, run });
    const outcome = await run.ended;
    // Its agent may work on after a skip or a limit, and nothing is to come beside that.
    if (outcome.status !== 'Succeeded') await run.stopped();
    this.#check();
    return this.#stepEnded(outcome, { workId, step, taskId, taskName });
  }

  #stepEnded(outcome: TaskOutcome, step: { workId: number; step: StepKey; taskId: string; taskName: string }): boolean {
    const { taskName, ...place } = step;
    const { isSkipped = false } = this.#running.get(step.step) ?? {};
    this.#running.delete(step.step);
    const succeeded = isSkipped || outcome.status === 'Succeeded';
    if (succeeded) this.#succeeded.add(taskName);
    else this.#succeeded.delete(taskName);
    if (isSkipped) {
      this.#pauseIfAtRest();
      return true;
    }
    // A task that a user stopped has no answer, so the job cannot go on.
    const crashError = outcome.status === 'Stopped' ? 'the task was stopped' : outcome.crashError;
    this.#tell({ type: 'workStopped', ...place, succeeded, ...(crashError !== undefined && { crashError }) });
    if (crashError !== undefined) throw new Error(`the task ${JSON.stringify(taskName)} crashed: ${crashError}`);
    this.#pauseIfAtRest();
    return succeeded;
  }

  /** Resolves when a pause is withdrawn, or never: the job has ended then. */
  #letGoOn(): Promise<void> {
    const goesOn = new Promise<void>((resolve) => this.#held.push(resolve));
    this.#pauseIfAtRest();
    return goesOn;
  }

  /** What is held cannot end without a step that starts, so the job is at rest once nothing runs. */
  #pauseIfAtRest(): void {
    if (this.#isPausing && this.#held.length > 0 && this.#running.size === 0) this.#end('Paused', { type: 'jobPaused' });
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
    this.#check();
    this.#record({ at: this.#context.clock.now(), ...event });
    this.#check();
  }

  #check(): void {
    if (this.#status !== 'Executing') throw new Stopped();
  }

  /** The first end counts. Settles first, so that whatever the receiver of the events does, the job has ended. */
  #end(status: Exclude<JobStatus, 'Executing'>, event: WithoutTime<JobEvent>): void {
    if (this.#status !== 'Executing') return;
    this.#status = status;
    this.#left = this.runningTasks;
    this.#running.clear();
    for (const task of this.#left) task.stop();
    try {
      this.#record({ at: this.#context.clock.now(), ...event });
    } catch (error) {
      this.#context.logger.error(`job ${this.jobId}: its end was not recorded: ${englishOf(error)}`);
    }
    this.#settle(status);
  }
}

/** The tasks and jobs of a portal: what can be started, what runs, and what has run. It is all that an interface such as HTTP needs. */
import { english, type Phrase, phrase, type Words } from '../base/text/phrase.ts';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { englishOf } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { revisionOf } from '../base/node/sha256.ts';
import { type ChartGraph, generateChartNodes } from './chart/generateChartNodes.ts';
import type { Entry, GridRow, Job } from './entry/entry.ts';
import { withoutAsking } from './entry/approve.ts';
import { own } from './entry/own.ts';
import { writesAtOnce } from './entry/folders/writesAtOnce.ts';
import type { Task } from './entry/task.ts';
import { type JobContext, JobRun } from './jobs/jobRun.ts';
import { listedPaths, type ResultError, resultError } from './result/runResult.ts';
import { type JobDefinition, jobDefinition } from './runs/jobDefinition.ts';
import { type ContinueError, howToGoOn, type SkipError, skipping } from './runs/goingOn.ts';
import { cutOff, isQueued, type JobState, reduceJob } from './runs/jobState.ts';
import { type LiveUpdate, liveUpdates } from './runs/liveUpdates.ts';
import { SOMEBODY } from './runs/personAnswer.ts';
import type { ResultChange } from './runs/resultChange.ts';
import { isEnd, isEndOf, isTaskEvent, lastOfRun, type RunEvent, type StepKey } from './runs/runEvents.ts';
import { reduceTask, type TaskState } from './runs/taskState.ts';
import { limitedSlots, type RunPlace } from './queue/runSlots.ts';
import type { PortalSession } from './tasks/portalSession.ts';
import { SessionBusyError } from './tasks/sessionLeases.ts';
import type { TaskContext } from './tasks/taskContext.ts';
import { TaskRun } from './tasks/taskRun.ts';
import type { Worktrees } from './worktrees/worktrees.ts';

const MAX_ENDED_RUNS = 1000;

/** What is said before a job starts, and the same for people of other languages. Absent: nothing. */
interface Warnings {
  warnings?: string[];
  words?: Phrase[];
}

/**
 * By the names of its tasks. `withoutAsking`: what they do so. `hosts`: the other agent hosts at which they run. `revision`: of all that a start
 * of it does.
 */
export type ListedJob = Omit<Job, 'schedule'> &
  Warnings & {
    withoutAsking?: Record<string, string>;
    hosts?: Record<string, string>;
    revision: string;
  };

/** What a session is used for. */
export interface SessionUse {
  taskName: string;
  jobId?: string;
  jobName?: string;
}

export interface StartOptions {
  /** Of the run. Absent: a new one. */
  jobId?: string;
  /** In ms since the epoch. It begins then, or later. */
  notBefore?: number;
}

export interface ContinueOptions {
  loopCap?: number;
  /** It runs again, and all that began after it had ended. */
  from?: StepKey;
  /** What a step that has run gets from now on. */
  edit?: { step: StepKey; userInput?: string; prompt?: string };
  /** Who does it, in words. */
  by?: string;
}

/** Who does what to a step, in words. */
export interface StepChange {
  step: StepKey;
  by: string;
}

export type SteerError = 'JobNotFound' | 'StepNotFound' | 'StepNotRunning' | 'SteerRefused';

export interface PortalRunsOptions {
  context: TaskContext;
  /**
   * Keeps an event of a run before anybody is told of it. When it throws, the run fails. With a promise the event is told once that resolves, which
   * must be in order; when it rejects, the run is not this portal's any more, and is stopped here without another event. `runId` is the id of the
   * job, or of the task when it runs alone.
   */
  keep: (runId: string, event: RunEvent) => void | Promise<void>;
  /** Hears of the events that were kept elsewhere: by an earlier process, or by another portal. */
  seen?: (runId: string, events: readonly RunEvent[]) => void;
  /** Removes what is kept of a run that has ended. Absent: that cannot be done here. */
  remove?: (runId: string) => void;
  /** Absent: jobs that want work trees fail. */
  worktrees?: Worktrees;
  /** `keep` returns promises, so an agent gets nothing to do before they have resolved. */
  keepsLater?: boolean;
  /** Why a run that was queued cannot begin in its folder. */
  folderProblem?: (folder: string) => Promise<Words | undefined>;
  /** Tells the readers of the live interface. */
  tell: (update: LiveUpdate) => void;
  /** Nothing that is started begins earlier. In ms since the epoch. */
  notBefore?: number | undefined;
  /** Of more runs that have ended, the oldest are forgotten here. */
  maxEndedRuns?: number;
}

export class PortalRuns implements Disposable {
  readonly #options: PortalRunsOptions;
  #entry: Entry | undefined;
  /** Tasks that run alone. */
  readonly #tasks = new Map<string, TaskRun>();
  readonly #jobs = new Map<string, JobRun>();
  readonly #taskStates = new Map<string, TaskState>();
  readonly #jobStates = new Map<string, JobState>();
  /** Ids of runs that have ended, in the order in which they did. */
  readonly #ended = new Set<string>();
  /** Of runs whose last events are not kept yet: when they are. */
  readonly #unsettled = new Map<string, Promise<void>>();
  /** Runs that have ended, and agents of which may still work. */
  readonly #leaving = new Set<{ runId: string; folder: string | undefined; left: Promise<void> }>();
  /** Of runs that run here: ends what is recorded of them. */
  readonly #cuts = new Map<string, () => void>();
  readonly #didPublish = new Emitter<string>();
  /** The state of the run with this id has changed. */
  readonly onDidPublish = this.#didPublish.event;
  readonly #didForget = new Emitter<string>();
  /** The run with this id is not known any more: it was deleted, or is one of the oldest. */
  readonly onDidForget = this.#didForget.event;

  constructor(options: PortalRunsOptions) {
    this.#options = options;
  }

  /** What runs goes on by the entry with which it was started. */
  installEntry(entry: Entry): void {
    this.#entry = entry;
    for (const name of Object.keys(entry.jobs))
      for (const warning of this.warningsOf(name).warnings ?? [])
        this.#options.context.logger.warn(`the job ${JSON.stringify(name)}: ${warning}`);
  }

  get isRunning(): boolean {
    return [...this.#tasks.values(), ...this.#jobs.values()].some(({ status }) => status === 'Executing');
  }

  /** `withoutAsking`: what its own sessions do so, in words that follow its name. */
  listTasks(): { name: string; requireUserInput: boolean; host?: string; withoutAsking?: string }[] {
    const { tasks = {} } = this.#entry ?? {};
    const unasked = withoutAsking(tasks) ?? {};
    return Object.entries(tasks).map(([name, { requireUserInput, host }]) => {
      const said = own(unasked, name);
      return { name, requireUserInput, ...(host !== undefined && { host }), ...(said !== undefined && { withoutAsking: said }) };
    });
  }

  listJobs(): { grid: GridRow[]; jobs: Record<string, ListedJob>; chart: Record<string, ChartGraph> } {
    const { grid = [], jobs = {} } = this.#entry ?? {};
    const listed = Object.entries(jobs).map(([name, { schedule: _when, ...job }]) => {
      const definition = this.#entry && jobDefinition(this.#entry, name);
      const tasks = definition?.tasks ?? {};
      const unasked = withoutAsking(tasks);
      const hosts = Object.entries(tasks).flatMap(([task, { host }]) => (host === undefined ? [] : [[task, host] as const]));
      const more = {
        ...(unasked && { withoutAsking: unasked }),
        ...(hosts.length > 0 && { hosts: Object.fromEntries(hosts) }),
        ...this.warningsOf(name),
      };
      return [name, { ...job, ...more, revision: revisionOf(definition ?? null) }] as const;
    });
    const charts = Object.entries(jobs).map(([name, { work }]) => [name, generateChartNodes(work)] as const);
    return { grid, jobs: Object.fromEntries(listed), chart: Object.fromEntries(charts) };
  }

  /** What is said before the job starts. */
  warningsOf(jobName: string): Warnings {
    const job = this.#entry && own(this.#entry.jobs, jobName);
    const words = job ? writesAtOnce(job, this.#entry?.tasks ?? {}) : [];
    return words.length === 0 ? {} : { warnings: words.map(english), words };
  }

  hasTask(taskName: string): boolean {
    return this.#entry !== undefined && own(this.#entry.tasks, taskName) !== undefined;
  }

  hasJob(jobName: string): boolean {
    return this.#entry !== undefined && own(this.#entry.jobs, jobName) !== undefined;
  }

  /** Whether a start needs input of the user, and has none. */
  lacksInput(kind: 'tasks' | 'jobs', name: string, userInput: string): boolean {
    const { requireUserInput = false } = (this.#entry && own<Task | Job>(this.#entry[kind], name)) ?? {};
    return requireUserInput && userInput.trim() === '';
  }

  /** What a run of the job goes by. `revision`: of the job as it was listed. Absent: as it is now. */
  definitionOf(jobName: string, revision?: string): JobDefinition | { error: 'JobNotFound' | 'JobChanged' } {
    const definition = this.#entry && jobDefinition(this.#entry, jobName);
    if (!definition) return { error: 'JobNotFound' };
    if (revision !== undefined && revision !== revisionOf(definition)) return { error: 'JobChanged' };
    return definition;
  }

  /** Runs a task in a session that stays alive. */
  startTask(
    taskName: string,
    userInput: string,
    session: PortalSession,
    taskId: string = randomUUID(),
  ): { taskId: string } | { error: 'TaskNotFound' | 'SessionBusy' } {
    const task = this.#entry && own(this.#entry.tasks, taskName);
    if (!this.#entry || !task) return { error: 'TaskNotFound' };
    try {
      const request = { taskId, taskName, task, models: this.#entry.models, userInput, borrowed: session };
      const { record, cut, context } = this.#writer(taskId);
      this.#follow(this.#tasks, taskId, new TaskRun(context, request, record), cut);
    } catch (error) {
      if (error instanceof SessionBusyError) return { error: 'SessionBusy' };
      throw error;
    }
    return { taskId };
  }

  /** How a run waits that is started now. Undefined: it begins at once. */
  queuedAtStart(run: RunPlace, notBefore?: number): { notBefore?: number } | undefined {
    const earliest = Math.max(notBefore ?? 0, this.#options.notBefore ?? 0);
    if (earliest > this.#now()) return { notBefore: earliest };
    return limitedSlots(this.#entry?.limits ?? {}, run).length > 0 ? {} : undefined;
  }

  /** Begins with a run that is queued. False: it is not, any more. */
  beginJob(jobId: string, { isLate }: { isLate: boolean }): boolean {
    if (!isQueued(this.#jobStates.get(jobId))) return false;
    const { record, cut, context } = this.#writer(jobId);
    record({ at: this.#now(), type: 'jobBegan', ...(isLate && { isLate }) });
    this.#follow(this.#jobs, jobId, JobRun.resume(context, this.#jobStates.get(jobId) as JobState, { isTakenOver: false }, record), cut);
    return true;
  }

  startJob(
    jobName: string,
    userInput: string,
    workingDirectory: string,
    revision?: string,
    { jobId = randomUUID(), notBefore }: StartOptions = {},
  ): { jobId: string } | { error: 'JobNotFound' | 'JobChanged' | 'JobExists' } {
    const definition = this.definitionOf(jobName, revision);
    if ('error' in definition) return definition;
    if (this.#jobStates.has(jobId)) return { error: 'JobExists' };
    const { record, cut, context } = this.#writer(jobId);
    const queued = this.queuedAtStart({ definition, workingDirectory }, notBefore);
    if (queued) {
      record({ at: this.#now(), type: 'jobStarted', jobId, definition, userInput, workingDirectory, queued });
      return { jobId };
    }
    this.#follow(this.#jobs, jobId, JobRun.start(context, { jobId, definition, userInput, workingDirectory }, record), cut);
    return { jobId };
  }

  /** Goes on with a job that has ended or is to pause, from the steps that failed, or from one that is named. */
  continueJob(jobId: string, options: ContinueOptions = {}): { jobId: string } | { error: ContinueError } {
    const { from, edit, loopCap, by } = options;
    const isWithdrawn = from === undefined && !edit && this.#jobs.get(jobId)?.withdrawPause(by ?? SOMEBODY);
    if (isWithdrawn) return { jobId };
    const how = howToGoOn(this.#jobStates.get(jobId), options);
    if ('error' in how) return how;
    this.#goOn(jobId, { ...how, ...(loopCap !== undefined && { loopCap }) });
    return { jobId };
  }

  /** Nothing new is started. What runs goes on to its end, and the job is paused then. One that is queued is paused at once. */
  pauseJob(jobId: string, by: string): { result: 'Pausing' } | { error: 'JobNotFound' | 'JobNotRunning' } {
    const state = this.#jobStates.get(jobId);
    if (!state) return { error: 'JobNotFound' };
    const job = this.#jobs.get(jobId);
    if (job?.status === 'Executing') job.pause(by);
    else if (this.#isHeld(jobId)) this.#pauseAtRest(state, (event) => this.#record(jobId, event), by);
    else return { error: 'JobNotRunning' };
    return { result: 'Pausing' };
  }

  /** A step that runs is stopped and counts as done, and so does one that has failed: the job goes on then. */
  skipStep(jobId: string, { step, by }: StepChange): { jobId: string } | { error: SkipError; message?: string } {
    const state = this.#jobStates.get(jobId);
    if (state && this.#jobs.get(jobId)?.skip(step, by)) return { jobId };
    const how = skipping(state, step);
    if ('error' in how) return how;
    this.#goOn(jobId, { ...how, by });
    return { jobId };
  }

  /** Tells the agent of a step that runs something. Resolves once its host has taken it. */
  async steerStep(
    jobId: string,
    { step, text, by }: StepChange & { text: string },
  ): Promise<{ result: 'Steered' } | { error: SteerError; message?: string }> {
    const state = this.#jobStates.get(jobId);
    if (!state) return { error: 'JobNotFound' };
    if (!state.steps.some((one) => one.step === step)) return { error: 'StepNotFound' };
    const task = this.#jobs.get(jobId)?.taskOf(step);
    if (!task) return { error: 'StepNotRunning' };
    const refusal = await task.steer(text, by);
    return refusal === undefined ? { result: 'Steered' } : { error: 'SteerRefused', message: refusal };
  }

  /**
   * Runs a job whose start or continuation is kept already, and that nobody runs. `isTakenOver`: another portal ran it and is gone. Resolves when it
   * does not run here any more.
   */
  async resumeJob(jobId: string, { pausedBy, ...options }: { loopCap?: number; isTakenOver: boolean; pausedBy?: string }): Promise<void> {
    const state = this.#jobStates.get(jobId);
    if (state?.status !== 'Executing') return;
    if (endOfCutOff(state) === 'jobStopped') return this.endRun(jobId, 'Stopped');
    const { record, cut, context } = this.#writer(jobId);
    const left = options.isTakenOver ? this.#cutOff(state, record) : state;
    if (pausedBy !== undefined) {
      // At once, because this portal may lack what the job needs to go on.
      this.#pauseAtRest(left, record, pausedBy);
      return this.#unsettled.get(jobId);
    }
    const run = JobRun.resume(context, left, options, record);
    this.#follow(this.#jobs, jobId, run, cut);
    await run.ended;
    await this.#unsettled.get(jobId);
  }

  /** Ends a run that another portal ran, which is gone. Resolves when that is kept, or cannot be. */
  async endRun(runId: string, as: 'Stopped' | 'Interrupted'): Promise<void> {
    const at = this.#now();
    const { record } = this.#writer(runId);
    const job = this.#jobStates.get(runId);
    if (job?.status === 'Executing') {
      this.#cutOff(job, record);
      record({ at, type: `job${as}` });
    }
    if (this.#taskStates.get(runId)?.status === 'Executing') record({ at, type: `task${as}`, taskId: runId });
    await this.#unsettled.get(runId);
  }

  /** Stops a task of a job, which fails the job. A task in a borrowed session is stopped with the session. */
  stopTask(taskId: string): { result: 'Closed' } | { error: 'TaskNotFound' | 'TaskCannotClose' } {
    if (this.#tasks.get(taskId)?.status === 'Executing') return { error: 'TaskCannotClose' };
    for (const job of this.#jobs.values()) {
      const task = job.runningTasks.find((one) => one.taskId === taskId);
      if (!task) continue;
      task.stop();
      return { result: 'Closed' };
    }
    return { error: 'TaskNotFound' };
  }

  stopJob(jobId: string, by?: string): { result: 'Closed' } | { error: 'JobNotFound' } {
    const job = this.#jobs.get(jobId);
    if (job?.status === 'Executing') job.stop(by);
    else if (this.#isHeld(jobId)) this.#record(jobId, { at: this.#now(), type: 'jobStopped', ...(by !== undefined && { by }) });
    else return { error: 'JobNotFound' };
    return { result: 'Closed' };
  }

  get canDelete(): boolean {
    return this.#options.remove !== undefined;
  }

  /** Removes a job that has ended, with its work trees. One in which something is not committed keeps it. */
  async deleteJob(
    jobId: string,
  ): Promise<{ result: 'Deleted' } | { error: 'JobNotFound' | 'JobNotEnded' | 'JobCannotDelete' } | ResultError<'WorktreeNotCommitted'>> {
    const state = this.#jobStates.get(jobId);
    if (!state) return { error: 'JobNotFound' };
    const isRunning = () => this.#jobStates.get(jobId)?.status === 'Executing' || this.#jobs.has(jobId) || this.#unsettled.has(jobId);
    if (isRunning()) return { error: 'JobNotEnded' };
    if (!this.#options.remove) return { error: 'JobCannotDelete' };
    const { worktrees = [], workingDirectory } = state;
    await this.#othersStopped(jobId);
    if (isRunning()) return { error: 'JobNotEnded' };
    const kept = (await this.#options.worktrees?.remove(jobId, workingDirectory, worktrees)) ?? [];
    if (kept.length > 0) {
      const why = phrase`The run has work that is not committed. Commit it or remove it first, in ${listedPaths(kept)}.`;
      return resultError('WorktreeNotCommitted', why);
    }
    // It may have been continued meanwhile.
    if (isRunning()) return { error: 'JobNotEnded' };
    this.#options.remove(jobId);
    this.#forget(jobId);
    this.#didPublish.fire(jobId);
    return { result: 'Deleted' };
  }

  /** Records what somebody has done with the result of a job, which may have ended. Rejects when it cannot be kept. */
  async noteResult(jobId: string, change: ResultChange): Promise<void> {
    if (!this.#jobStates.has(jobId)) return;
    this.#record(jobId, { type: 'resultChanged', at: this.#options.context.clock.now(), ...change });
    await this.#unsettled.get(jobId);
  }

  /** Whether the job runs at this portal. */
  isHere(jobId: string): boolean {
    return this.#jobs.get(jobId)?.status === 'Executing';
  }

  /** Also of jobs that have ended, while they are not forgotten. */
  jobState(jobId: string): JobState | undefined {
    return this.#jobStates.get(jobId);
  }

  jobStates(): JobState[] {
    return [...this.#jobStates.values()];
  }

  /** Of a task that runs or ran alone. The tasks of a job are in its state. */
  taskState(taskId: string): TaskState | undefined {
    return this.#taskStates.get(taskId);
  }

  /** Of tasks that run or ran alone. */
  taskStates(): TaskState[] {
    return [...this.#taskStates.values()];
  }

  /** Of the tasks that run, by the ids of their sessions. */
  sessionUses(): Map<string, SessionUse> {
    const uses = new Map<string, SessionUse>();
    const note = (task: TaskState | undefined, job?: Pick<SessionUse, 'jobId' | 'jobName'>) => {
      if (task?.status !== 'Executing') return;
      const running = task.sessions.filter(({ status }) => status === 'Running').map(({ sessionId }) => sessionId);
      for (const id of [...running, ...(task.borrowedSessionId === undefined ? [] : [task.borrowedSessionId])])
        uses.set(id, { taskName: task.taskName, ...job });
    };
    for (const task of this.#taskStates.values()) note(task);
    for (const { jobId, definition, status, steps } of this.#jobStates.values())
      if (status === 'Executing') for (const { task } of steps) note(task, { jobId, jobName: definition.jobName });
    return uses;
  }

  /** Events of a run that another portal has kept. */
  take(runId: string, events: readonly RunEvent[]): void {
    this.#options.seen?.(runId, events);
    for (const event of events) this.#publish(runId, event);
  }

  /** Shows a run as it is kept. It is told from the beginning when it has not ended. */
  show(runId: string, events: readonly RunEvent[]): void {
    const last = lastOfRun(events);
    if (!last || !isEndOf(runId, last)) return this.take(runId, events);
    this.#options.seen?.(runId, events);
    for (const event of events) {
      this.#reduce(runId, event);
      this.#didPublish.fire(runId);
    }
    this.#hasEnded(runId);
  }

  /** Ends the tasks that run alone. Resolves when that is kept, or cannot be. */
  async stopTasks(): Promise<void> {
    const ids = [...this.#tasks.keys()];
    for (const id of ids) this.#tasks.get(id)?.stop();
    await Promise.all(ids.map((id) => this.#unsettled.get(id)));
  }

  /** Stops these runs here, or all of them, without an event: they belong to another portal, or to none. */
  abandon(runIds: Iterable<string> = [...this.#cuts.keys()]): void {
    for (const runId of runIds) {
      this.#cuts.get(runId)?.();
      this.#cuts.delete(runId);
      (this.#jobs.get(runId) ?? this.#tasks.get(runId))?.stop();
    }
  }

  /** Takes up what an earlier process kept. A run that had begun, and that it did not end, is interrupted. True: this one was. */
  restore(runId: string, events: readonly RunEvent[]): boolean {
    this.#options.seen?.(runId, events);
    for (const event of events) this.#reduce(runId, event);
    if (isQueued(this.#jobStates.get(runId))) {
      for (const event of events) this.#tell(runId, event);
      return false;
    }
    const at = this.#now();
    const wasRunning = (this.#jobStates.get(runId) ?? this.#taskStates.get(runId))?.status === 'Executing';
    const job = this.#jobStates.get(runId);
    if (job?.status === 'Executing') this.#record(runId, { type: endOfCutOff(job), at });
    if (this.#taskStates.get(runId)?.status === 'Executing') this.#record(runId, { type: 'taskInterrupted', at, taskId: runId });
    this.#hasEnded(runId);
    return wasRunning;
  }

  /** Ids of sessions of the portal's own host for which the entry had approved something, of jobs that ended at that time or later. */
  approvedSessions(since: number): string[] {
    const jobs = [...this.#jobStates.values()].filter(({ endedAt = Infinity }) => endedAt >= since);
    const tasks = jobs.flatMap(({ steps }) => steps.flatMap(({ task }) => (task?.approve && task.host === undefined ? task : [])));
    return tasks.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId));
  }

  /** Whether a run had such a session at this other host, by the id of the session. */
  ranAt(host: string, isIt: (sessionId: string) => boolean): boolean {
    const has = (task: TaskState | undefined) => task?.host === host && task.sessions.some(({ sessionId }) => isIt(sessionId));
    const inJob = ({ steps }: JobState) => steps.some(({ task }) => has(task));
    return [...this.#taskStates.values()].some(has) || [...this.#jobStates.values()].some(inJob);
  }

  /** Stops everything. */
  dispose(): void {
    for (const run of [...this.#jobs.values(), ...this.#tasks.values()]) run.stop();
  }

  #now(): number {
    return this.#options.context.clock.now();
  }

  /** It is queued, and nobody else may let it begin. */
  #isHeld(jobId: string): boolean {
    return !this.#options.keepsLater && isQueued(this.#jobStates.get(jobId));
  }

  /** Nothing of it runs. */
  #pauseAtRest({ pausing }: JobState, record: (event: RunEvent) => void, by: string): void {
    if (!pausing) record({ at: this.#now(), type: 'jobPausing', by });
    record({ at: this.#now(), type: 'jobPaused' });
  }

  /** With a job that has ended. */
  #goOn(jobId: string, how: Parameters<typeof JobRun.continue>[2]): void {
    const { record, cut, context } = this.#writer(jobId);
    this.#follow(this.#jobs, jobId, JobRun.continue(context, this.#jobStates.get(jobId) as JobState, how, record), cut);
  }

  /** `cut`: from then on nothing is recorded of it. */
  #follow<T extends TaskRun | JobRun>(running: Map<string, T>, id: string, run: T, cut: () => void): void {
    running.set(id, run);
    this.#cuts.set(id, cut);
    this.#ended.delete(id);
    void run.ended.then(() => {
      this.#leave(id, run);
      // It may have been continued since.
      if (running.get(id) !== run) return;
      running.delete(id);
      this.#cuts.delete(id);
      this.#endedHere(id);
    });
  }

  /** Its agents may still write into the folder after its end. */
  #leave(runId: string, run: TaskRun | JobRun): void {
    const left = run.stopped().finally(() => this.#leaving.delete(leaving));
    const folder = this.#jobStates.get(runId)?.workingDirectory ?? this.#taskStates.get(runId)?.folder;
    const leaving = { runId, folder: folder && resolve(folder), left };
    this.#leaving.add(leaving);
  }

  /** What begins there would work beside them. */
  async #othersStopped(jobId: string, folder?: string): Promise<void> {
    const place = folder && resolve(folder);
    const others = [...this.#leaving].filter((one) => one.runId === jobId || (place !== undefined && one.folder === place));
    await Promise.all(others.map(({ left }) => left));
  }

  #writer(runId: string): { record: (event: RunEvent) => void; cut: () => void; context: JobContext } {
    let isCut = false;
    const record = (event: RunEvent) => {
      if (!isCut) this.#record(runId, event);
    };
    const settled = async () => this.#unsettled.get(runId);
    const { worktrees, keepsLater, folderProblem } = this.#options;
    const othersStopped = (jobId: string, folder: string) => this.#othersStopped(jobId, folder);
    return {
      record,
      cut: () => (isCut = true),
      context: {
        ...{ ...this.#options.context, newId: randomUUID, othersStopped },
        ...(worktrees && { worktrees }),
        ...(keepsLater && { settled }),
        ...(folderProblem && { folderProblem }),
      },
    };
  }

  /** Records it. Returns the state after it. */
  #cutOff(state: JobState, record: (event: RunEvent) => void): JobState {
    const events = cutOff(state, this.#now());
    for (const event of events) record(event);
    return events.reduce((left, event) => reduceJob(left, event) ?? left, state);
  }

  #record(runId: string, event: RunEvent): void {
    try {
      const kept = this.#options.keep(runId, event);
      if (kept) return this.#publishLater(runId, event, kept);
    } catch (error) {
      // What has ended has ended, and must not be shown as running.
      if (!isEnd(event)) throw error;
      this.#options.context.logger.error(`run ${runId}: its end was not kept: ${englishOf(error)}`);
    }
    this.#publish(runId, event);
  }

  #publishLater(runId: string, event: RunEvent, kept: Promise<void>): void {
    const settled = kept
      .then(
        () => this.#publish(runId, event),
        (error: unknown) => {
          if (this.#cuts.has(runId))
            this.#options.context.logger.error(`run ${runId} is stopped here, because it cannot be recorded: ${englishOf(error)}`);
          this.abandon([runId]);
        },
      )
      .then(() => {
        if (this.#unsettled.get(runId) === settled) this.#unsettled.delete(runId);
      });
    this.#unsettled.set(runId, settled);
  }

  /** What is kept becomes the state, and is told. */
  #publish(runId: string, event: RunEvent): void {
    this.#reduce(runId, event);
    this.#tell(runId, event);
    if (event.type === 'jobContinued') this.#ended.delete(runId);
    if (isEndOf(runId, event)) this.#endedHere(runId);
    this.#didPublish.fire(runId);
  }

  #tell(runId: string, event: RunEvent): void {
    for (const update of liveUpdates(event, runId)) {
      try {
        this.#options.tell(update);
      } catch (error) {
        this.#options.context.logger.error(`run ${runId}: a reader could not be told: ${englishOf(error)}`);
      }
    }
  }

  #reduce(runId: string, event: RunEvent): void {
    const job = reduceJob(this.#jobStates.get(runId), event);
    if (job) this.#jobStates.set(runId, job);
    else if (isTaskEvent(event)) {
      const task = reduceTask(this.#taskStates.get(runId), event);
      if (task) this.#taskStates.set(runId, task);
    }
  }

  /** Once it has ended and does not run here any more. A run that was abandoned goes on elsewhere. */
  #endedHere(id: string): void {
    const state = this.#jobStates.get(id) ?? this.#taskStates.get(id);
    if (state?.status !== 'Executing' && !this.#jobs.has(id) && !this.#tasks.has(id)) this.#hasEnded(id);
  }

  #hasEnded(id: string): void {
    this.#ended.add(id);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= (this.#options.maxEndedRuns ?? MAX_ENDED_RUNS)) break;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#ended.delete(id);
    this.#jobStates.delete(id);
    this.#taskStates.delete(id);
    this.#didForget.fire(id);
  }
}

/** How a job ends whose process was gone before it had ended. */
function endOfCutOff({ reason, pausing }: JobState): 'jobStopped' | 'jobPaused' | 'jobInterrupted' {
  // It had used up its budget, and was about to be stopped.
  if (reason !== undefined) return 'jobStopped';
  return pausing ? 'jobPaused' : 'jobInterrupted';
}

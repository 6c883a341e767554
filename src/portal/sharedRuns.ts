/** The runs of a portal that shares its store with others: any of them takes a start or a stop, and the owner of the run carries it out. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { englishOf, TimeoutError, withTimeout } from '../base/errors.ts';
import type { ContinueOptions, PortalRuns, StartOptions, StepChange } from './portalRuns.ts';
import type { JobDefinition } from './runs/jobDefinition.ts';
import { howToGoOn, skipping } from './runs/goingOn.ts';
import type { JobState } from './runs/jobState.ts';
import { SOMEBODY } from './runs/personAnswer.ts';
import type { ResultChange } from './runs/resultChange.ts';
import { type ClaimedRun, type SharedStore, StoreUnavailableError } from './store/sharedStore.ts';
import type { PortalSession } from './tasks/portalSession.ts';
import type { TaskContext } from './tasks/taskContext.ts';

/** A run that so many portals in a row did not survive is not given to another one. */
export const MAX_TAKEOVERS = 10;
/** A portal that is gone is missed after some seconds, and then a stop is carried out by another one. */
const STOP_WAIT_MS = 25_000;
/** Another agent host may be away, too. What it could not be told it is told later, by whoever it is. */
const END_ELSEWHERE_MS = 5_000;

/** Begins what is to be stopped where it is all that has not begun. The name of who wants it follows. */
const PAUSE = 'pause:';

export interface SharedRunsOptions {
  runs: PortalRuns;
  store: SharedStore;
  context: Pick<TaskContext, 'clock' | 'logger'>;
  /** The agent that runs the sessions. */
  agent: string;
  /** Names of other agent hosts. */
  hosts: ReadonlySet<string>;
  /** Ends what the session of a portal that is gone may still do at another agent host. */
  endElsewhere(host: string, sessionId: string, hasApproval: boolean): Promise<void>;
}

export class SharedRuns {
  readonly #options: SharedRunsOptions;
  readonly #runs: PortalRuns;
  readonly #store: SharedStore;
  /** Of runs that begin here: what was stopped meanwhile. */
  readonly #starting = new Map<string, string[]>();

  private constructor(options: SharedRunsOptions) {
    this.#options = options;
    this.#runs = options.runs;
    this.#store = options.store;
  }

  /** Shows what the store has, and takes part in it from then on. */
  static async open(options: SharedRunsOptions): Promise<SharedRuns> {
    const shared = new SharedRuns(options);
    const { runs, store } = options;
    await store.open({
      onRun: (runId, events) => runs.show(runId, events),
      onEvents: (runId, events) => runs.take(runId, events),
      onClaim: (run) => shared.#claimed(run),
      onStop: (runId, id) => {
        const starting = shared.#starting.get(runId);
        const pausedBy = pauserOf(id);
        if (starting) starting.push(id);
        else if (pausedBy !== undefined) runs.pauseJob(runId, pausedBy);
        else if (id === runId) runs.stopJob(runId);
        else runs.stopTask(id);
      },
      onLost: () => runs.abandon(),
      has: (need) => shared.#has(need),
    });
    return shared;
  }

  /** Why the store cannot be used now. */
  get problem(): string | undefined {
    return this.#store.problem;
  }

  /** What another portal has begun a moment ago may not be known here. */
  async catchUp(id: string): Promise<void> {
    if (!this.#runs.jobState(id) && !this.#runs.taskState(id)) await this.#store.catchUp(id);
  }

  async startJob(
    jobName: string,
    userInput: string,
    workingDirectory: string,
    revision?: string,
    { jobId = randomUUID(), notBefore }: StartOptions = {},
  ): Promise<ReturnType<PortalRuns['startJob']>> {
    const definition = this.#runs.definitionOf(jobName, revision);
    if ('error' in definition) return definition;
    const queued = this.#runs.queuedAtStart({ definition, workingDirectory }, notBefore);
    const given = { definition, userInput, workingDirectory, ...(queued && { queued }) };
    const first = { at: this.#now(), type: 'jobStarted', jobId, ...given } as const;
    const isNew = await this.#store.begin(jobId, first, this.#needsOf(definition, workingDirectory), { isQueued: queued !== undefined });
    return isNew ? { jobId } : { error: 'JobExists' };
  }

  /** Gives a run that is queued to the first portal that is free. `mayBegin`: asked when all is known that other portals have begun. */
  beginJob(jobId: string, { isLate }: { isLate: boolean }, mayBegin: () => boolean): Promise<boolean> {
    return this.#store.dequeue(jobId, { at: this.#now(), type: 'jobBegan', ...(isLate && { isLate }) }, mayBegin);
  }

  /** A pause that was asked for is not withdrawn: another portal may carry it out. */
  async continueJob(jobId: string, { loopCap, ...options }: ContinueOptions = {}): Promise<ReturnType<PortalRuns['continueJob']>> {
    await this.#caughtUp(jobId);
    const how = howToGoOn(this.#runs.jobState(jobId), options);
    if ('error' in how) return how;
    const event = { at: this.#now(), type: 'jobContinued', ...how } as const;
    return (await this.#store.reopen(jobId, event, loopCap)) ? { jobId } : { error: 'JobCannotContinue' };
  }

  async pauseJob(jobId: string, by: string): Promise<ReturnType<PortalRuns['pauseJob']>> {
    const paused = this.#runs.pauseJob(jobId, by);
    if (!('error' in paused) || this.#runs.jobState(jobId)?.status !== 'Executing') return paused;
    await this.#store.stop(jobId, `${PAUSE}${encodeURIComponent(by)}`);
    return { result: 'Pausing' };
  }

  /** A step that runs can be skipped at the portal that runs it. */
  async skipStep(jobId: string, { step, by }: StepChange): Promise<ReturnType<PortalRuns['skipStep']>> {
    if (this.#runs.isHere(jobId)) return this.#runs.skipStep(jobId, { step, by });
    await this.#caughtUp(jobId);
    const state = this.#runs.jobState(jobId);
    const how = skipping(state, step);
    if ('error' in how)
      return how.error === 'StepCannotSkip' && state?.status === 'Executing'
        ? { ...how, message: 'Another portal runs this job: skip the step there.' }
        : how;
    const event = { at: this.#now(), type: 'jobContinued', ...how, by } as const;
    return (await this.#store.reopen(jobId, event)) ? { jobId } : { error: 'StepCannotSkip' };
  }

  /** At the portal that runs it, as what waits for a person. */
  steerStep(jobId: string, change: StepChange & { text: string }): ReturnType<PortalRuns['steerStep']> {
    return this.#runs.steerStep(jobId, change);
  }

  /** The session is one of this portal, so the task can only run here. */
  async startTask(taskName: string, userInput: string, session: PortalSession): Promise<ReturnType<PortalRuns['startTask']>> {
    if (!this.#runs.hasTask(taskName)) return { error: 'TaskNotFound' };
    const taskId = randomUUID();
    await this.#store.beginOwn(taskId);
    const started = this.#runs.startTask(taskName, userInput, session, taskId);
    if ('error' in started) await this.#store.forget(taskId);
    return started;
  }

  async stopJob(jobId: string, by?: string): Promise<ReturnType<PortalRuns['stopJob']>> {
    const isRunning = () => this.#runs.jobState(jobId)?.status === 'Executing';
    if (!isRunning()) return { error: 'JobNotFound' };
    if ('error' in this.#runs.stopJob(jobId, by)) await this.#store.stop(jobId, jobId);
    await this.#until(() => !isRunning());
    return { result: 'Closed' };
  }

  /** Another portal may show it, and would go on with it. */
  deleteJob(jobId: string): ReturnType<PortalRuns['deleteJob']> {
    return this.#runs.deleteJob(jobId);
  }

  async noteResult(jobId: string, change: ResultChange): Promise<void> {
    if (this.#runs.isHere(jobId)) return this.#runs.noteResult(jobId, change);
    const isNoted = await this.#store.note(jobId, { at: this.#now(), type: 'resultChanged', ...change });
    if (!isNoted) throw new Error('another portal runs the job');
  }

  async stopTask(taskId: string): Promise<ReturnType<PortalRuns['stopTask']>> {
    if (this.#runs.taskState(taskId)?.status === 'Executing') return { error: 'TaskCannotClose' };
    const job = this.#runs.jobStates().find((state) => isRunning(state, taskId));
    if (!job) return { error: 'TaskNotFound' };
    if ('error' in this.#runs.stopTask(taskId)) await this.#store.stop(job.jobId, taskId);
    await this.#until(() => !isRunning(this.#runs.jobState(job.jobId), taskId));
    return { result: 'Closed' };
  }

  /** Other portals go on with the jobs that run here. */
  async handOver(): Promise<void> {
    await this.#runs.stopTasks();
    this.#runs.abandon();
    await this.#store.close();
  }

  async #claimed({ runId, isTakenOver, takeovers, stops, loopCap }: ClaimedRun): Promise<void> {
    const state = this.#runs.jobState(runId);
    const asked = [...stops];
    this.#starting.set(runId, asked);
    try {
      if (isTakenOver && state) await this.#endElsewhere(state);
    } finally {
      this.#starting.delete(runId);
    }
    const stopped = asked.filter((one) => pauserOf(one) === undefined);
    const pausedBy = asked.map(pauserOf).find((by) => by !== undefined);
    // Who stopped a task, of which the portal that ran it was gone before it could say so, has stopped the job: the task has no answer.
    if (stopped.length > 0 || state?.steps.some(({ redone, skipped, task }) => !redone && !skipped && task?.status === 'Stopped'))
      return this.#runs.endRun(runId, 'Stopped');
    // A task alone ran in a session of the portal that is gone.
    if (!state || takeovers > MAX_TAKEOVERS) return this.#runs.endRun(runId, 'Interrupted');
    return this.#runs.resumeJob(runId, {
      isTakenOver,
      ...(pausedBy !== undefined && { pausedBy }),
      ...(loopCap !== undefined && { loopCap }),
    });
  }

  async #endElsewhere({ steps }: JobState): Promise<void> {
    const left = steps.flatMap(({ task }) =>
      task?.status === 'Executing' && task.host !== undefined ? [{ ...task, host: task.host }] : [],
    );
    const ending = left.flatMap(({ host, approve, sessions }) =>
      sessions.filter(({ status }) => status === 'Running').map(({ sessionId }) => this.#options.endElsewhere(host, sessionId, !!approve)),
    );
    try {
      await withTimeout(Promise.all(ending), END_ELSEWHERE_MS, 'ending what was left at another agent host');
    } catch (error) {
      this.#options.context.logger.warn(`what a portal that is gone left at another agent host may still work: ${englishOf(error)}`);
    }
  }

  /** A portal must have all of it to run the job. */
  #needsOf({ tasks }: JobDefinition, workingDirectory: string): string[] {
    const hosts = new Set(Object.values(tasks).map(({ host }) => host));
    const places = Array.from(hosts, (host) => (host === undefined ? `folder ${workingDirectory}` : `host ${host}`));
    return [`agent ${this.#options.agent}`, ...places];
  }

  async #has(need: string): Promise<boolean> {
    const [, kind, what = ''] = /^(\S+) ([^]*)$/.exec(need) ?? [];
    if (kind === 'agent') return what === this.#options.agent;
    if (kind === 'host') return this.#options.hosts.has(what);
    if (kind !== 'folder') return false;
    return stat(what).then(
      (found) => found.isDirectory(),
      () => false,
    );
  }

  /** Another portal may have ended it a moment ago. */
  async #caughtUp(jobId: string): Promise<void> {
    if (this.#runs.jobState(jobId)?.status === 'Executing') await this.#store.catchUp();
  }

  async #until(isSo: () => boolean): Promise<void> {
    let listening: { dispose(): void } | undefined;
    const done = new Promise<void>((resolve) => {
      const look = () => isSo() && resolve();
      listening = this.#runs.onDidPublish(look);
      look();
    });
    try {
      await withTimeout(done, STOP_WAIT_MS, 'the stop');
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      throw new StoreUnavailableError(
        'The portal that runs it has not stopped it yet. It does once it can, or the one that takes over does.',
      );
    } finally {
      listening?.dispose();
    }
  }

  #now(): number {
    return this.#options.context.clock.now();
  }
}

/** Who wants a pause, of what the store tells as something to be stopped. */
function pauserOf(id: string): string | undefined {
  if (!id.startsWith(PAUSE)) return undefined;
  try {
    return decodeURIComponent(id.slice(PAUSE.length));
  } catch {
    return SOMEBODY;
  }
}

function isRunning(state: JobState | undefined, taskId: string): boolean {
  return state?.status === 'Executing' && state.steps.some((step) => step.taskId === taskId && step.status === 'Executing');
}

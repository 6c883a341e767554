/** The runs of a portal that shares its store with others: any of them takes a start or a stop, and the owner of the run carries it out. */
import { randomUUID } from 'node:crypto';
import { messageOf, TimeoutError, withTimeout } from '../base/errors.ts';
import type { PortalRuns } from './portalRuns.ts';
import type { JobState } from './runs/jobState.ts';
import { type ClaimedRun, type SharedStore, StoreUnavailableError } from './store/sharedStore.ts';
import type { PortalSession } from './tasks/portalSession.ts';
import type { TaskContext } from './tasks/taskContext.ts';

/** A run that so many portals in a row did not survive is not given to another one. */
export const MAX_TAKEOVERS = 10;
/** A portal that is gone is missed after some seconds, and then a stop is carried out by another one. */
const STOP_WAIT_MS = 25_000;

export interface SharedRunsOptions {
  runs: PortalRuns;
  store: SharedStore;
  context: Pick<TaskContext, 'clock' | 'logger'>;
  /** Ends what the session of a portal that is gone may still do at another agent host. */
  endElsewhere(host: string, sessionId: string, hasApproval: boolean): Promise<void>;
}

export class SharedRuns {
  readonly #options: SharedRunsOptions;
  readonly #runs: PortalRuns;
  readonly #store: SharedStore;

  private constructor(options: SharedRunsOptions) {
    this.#options = options;
    this.#runs = options.runs;
    this.#store = options.store;
  }

  /** Shows what the store has, and takes part in it from then on. */
  static async open(options: SharedRunsOptions): Promise<SharedRuns> {
    const shared = new SharedRuns(options);
    const { runs, store } = options;
    const kept = await store.open({
      onEvents: (runId, events) => runs.take(runId, events),
      onClaim: (run) => shared.#claimed(run),
      onStop: (runId, id) => void (id === runId ? runs.stopJob(runId) : runs.stopTask(id)),
      onLost: () => runs.abandon(),
    });
    for (const { runId, events } of kept) runs.show(runId, events);
    return shared;
  }

  async startJob(jobName: string, userInput: string, workingDirectory: string): Promise<ReturnType<PortalRuns['startJob']>> {
    const definition = this.#runs.jobDefinition(jobName);
    if (!definition) return { error: 'JobNotFound' };
    const jobId = randomUUID();
    await this.#store.begin(jobId, { at: this.#now(), type: 'jobStarted', jobId, definition, userInput, workingDirectory });
    return { jobId };
  }

  async continueJob(jobId: string, { loopCap }: { loopCap?: number } = {}): Promise<ReturnType<PortalRuns['continueJob']>> {
    const state = this.#runs.jobState(jobId);
    if (!state) return { error: 'JobNotFound' };
    if (state.status === 'Executing' || state.status === 'Succeeded') return { error: 'JobCannotContinue' };
    const event = { at: this.#now(), type: 'jobContinued', redo: state.failedSteps } as const;
    return (await this.#store.reopen(jobId, event, loopCap)) ? { jobId } : { error: 'JobCannotContinue' };
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

  async stopJob(jobId: string): Promise<ReturnType<PortalRuns['stopJob']>> {
    const isRunning = () => this.#runs.jobState(jobId)?.status === 'Executing';
    if (!isRunning()) return { error: 'JobNotFound' };
    if ('error' in this.#runs.stopJob(jobId)) await this.#store.stop(jobId, jobId);
    await this.#until(() => !isRunning());
    return { result: 'Closed' };
  }

  async stopTask(taskId: string): Promise<ReturnType<PortalRuns['stopTask']>> {
    if (this.#runs.taskState(taskId)?.status === 'Executing') return { error: 'TaskCannotClose' };
    const job = this.#runs.jobStates().find((state) => isRunning(state, taskId));
    if (!job) return { error: 'TaskNotFound' };
    if ('error' in this.#runs.stopTask(taskId)) await this.#store.stop(job.jobId, taskId);
    await this.#until(() => !isRunning(this.#runs.jobState(job.jobId), taskId));
    return { result: 'Closed' };
  }

  /** Other portals go on with what runs here. */
  async handOver(): Promise<void> {
    this.#runs.abandon();
    await this.#store.close();
  }

  async #claimed({ runId, isTakenOver, takeovers, stops, loopCap }: ClaimedRun): Promise<void> {
    const state = this.#runs.jobState(runId);
    if (isTakenOver && state) await this.#endElsewhere(state);
    // A task whose portal is gone has no answer, so who stopped it has stopped the job.
    if (stops.length > 0) return this.#runs.endRun(runId, 'Stopped');
    // A task alone ran in a session of the portal that is gone.
    if (!state || takeovers > MAX_TAKEOVERS) return this.#runs.endRun(runId, 'Interrupted');
    return this.#runs.resumeJob(runId, { isTakenOver, ...(loopCap !== undefined && { loopCap }) });
  }

  async #endElsewhere({ steps }: JobState): Promise<void> {
    const left = steps.flatMap(({ task }) => (task?.status === 'Executing' && task.host !== undefined ? [{ ...task, host: task.host }] : []));
    const ending = left.flatMap(({ host, approve, sessions }) =>
      sessions.filter(({ status }) => status === 'Running').map(({ sessionId }) => this.#options.endElsewhere(host, sessionId, !!approve)),
    );
    try {
      await Promise.all(ending);
    } catch (error) {
      this.#options.context.logger.warn(`what a portal that is gone left at another agent host may still work: ${messageOf(error)}`);
    }
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
      throw new StoreUnavailableError('The portal that runs it has not stopped it yet. It does once it can, or the one that takes over does.');
    } finally {
      listening?.dispose();
    }
  }

  #now(): number {
    return this.#options.context.clock.now();
  }
}

function isRunning(state: JobState | undefined, taskId: string): boolean {
  return state?.status === 'Executing' && state.steps.some((step) => step.taskId === taskId && step.status === 'Executing');
}

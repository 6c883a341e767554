/** What the portal says of its jobs, and what the user does with them. It is asked often only while somebody looks. */
import * as l10n from '../../base/l10n.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { changeRequest } from '../../views/portal/changes/changeRequest.ts';
import type { RunChange } from '../../views/portal/changes/runChange.ts';
import type { JobOffer, JobStatus, JobSummary, StepInput } from '../../views/portal/jobData.ts';
import { timelineFileName } from '../../views/portal/page/timelineFileName.ts';
import { startHeaders } from '../../views/portal/portalCalls.ts';
import type { ResultAnswer, ResultBody, ResultQuestion } from '../../views/portal/result/resultQuestions.ts';
import type { SessionSummary } from '../../views/portal/sessionData.ts';
import { callPortal, readPortal } from './callPortal.ts';
import type { PortalAddress, PortalDaemon } from './portalDaemon.ts';

const LOOKED_AT_MS = 1_000;
/** While nobody looks, for how many jobs wait or have failed. */
const UNSEEN_MS = 15_000;
/** A host may take long to say what has changed. */
const RESULT_TIMEOUT_MS = 180_000;

interface JobStart {
  jobName: string;
  folder: string;
  userInput: string;
  /** Of the job as the user has seen it. */
  revision: string;
  /** In ms since the epoch. */
  notBefore?: number | undefined;
}

export interface JobsState {
  /** Absent: no portal runs. */
  readonly portal?: {
    /** Oldest first. */
    readonly runs: readonly JobSummary[];
    readonly sessions: readonly SessionSummary[];
    /** Where somebody has asked for it. */
    readonly offer?: JobOffer;
  };
  /** The runs that somebody has asked for, by their ids. */
  readonly jobs: ReadonlyMap<string, JobStatus>;
  /** When this was so, in milliseconds since the epoch. */
  readonly at: number;
  /** Why there is nothing newer. */
  readonly problem?: string;
}

/** What somebody looks at beside the list of the runs: what can be started, runs in full. */
export interface JobsWish {
  readonly offer?: boolean;
  readonly jobs: Iterable<string>;
}

export class PortalJobs implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** The portal has answered, or has not. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #wishes = new Map<object, JobsWish>();
  #state: JobsState = { jobs: new Map(), at: 0 };
  #timer: NodeJS.Timeout | undefined;
  /** Counts what was asked: an answer that another question has overtaken does not count. */
  #asked = 0;
  #isDisposed = false;

  constructor(private readonly portal: PortalDaemon) {
    this.#store.add(portal.onDidChange(() => this.refresh()));
  }

  get state(): JobsState {
    return this.#state;
  }

  /** `viewer` looks at this from now on. Undefined: at nothing. */
  look(viewer: object, wish: JobsWish | undefined): void {
    if (wish) this.#wishes.set(viewer, wish);
    else this.#wishes.delete(viewer);
    this.refresh();
  }

  /** Asks the portal at once, if one is known or somebody looks. */
  refresh(): void {
    clearTimeout(this.#timer);
    if (!this.#isDisposed) void this.ask();
  }

  /** Resolves when it has answered, or has not. */
  async ask(): Promise<JobsState> {
    const asked = ++this.#asked;
    const next = await this.#read().catch((error: unknown): JobsState => ({ ...this.#state, problem: messageOf(error) }));
    if (this.#isDisposed || asked !== this.#asked) return next;
    this.#state = next;
    this.#onDidChange.fire();
    clearTimeout(this.#timer);
    const isLookedAt = this.#wishes.size > 0;
    if (isLookedAt || next.portal) this.#timer = setTimeout(() => this.refresh(), isLookedAt ? LOOKED_AT_MS : UNSEEN_MS);
    return next;
  }

  /** Resolves with the id of the run. `revision`: of the job as the user has seen it. */
  async start({ jobName, folder, userInput, revision, notBefore }: JobStart) {
    const path = `copilot/job/start/${encodeURIComponent(jobName)}`;
    const { jobId } = await callPortal(await this.#address(), path, `${folder}\n${userInput}`, startHeaders(revision, notBefore));
    // It becomes a part of a path.
    if (typeof jobId !== 'string' || !/^[\w-]+$/.test(jobId)) throw new UserError(l10n.t('The portal did not answer as a portal does.'));
    return jobId;
  }

  async change(jobId: string, change: RunChange): Promise<void> {
    const { path, body } = changeRequest(jobId, change);
    await callPortal(await this.#address(), path, body);
    this.refresh();
  }

  /** False where portals share their runs. */
  async canDelete(): Promise<boolean> {
    const { config } = await import('../../views/portal/answers/sessionSchemas.ts');
    return (await readPortal(await this.#address(), 'config', config)).sharesRuns !== true;
  }

  /** Of a run that has ended. Its sessions stay. */
  async delete(jobId: string): Promise<void> {
    await callPortal(await this.#address(), `copilot/job/${encodeURIComponent(jobId)}/delete`);
    await this.ask();
  }

  /** All that happened in a run, as a file. */
  async timeline(jobId: string, as: 'md' | 'json'): Promise<{ fileName: string; text: string }> {
    const { timelineDocument, timelineEntries } = await import('../../views/portal/answers/jobAnswers.ts');
    const path = `copilot/job/${encodeURIComponent(jobId)}/timeline`;
    if (as === 'md') {
      const { fileName, markdown } = await readPortal(await this.#address(), `${path}/markdown`, timelineDocument);
      return { fileName, text: markdown };
    }
    const entries = await readPortal(await this.#address(), path, timelineEntries);
    return { fileName: timelineFileName(entries.jobName, jobId, as), text: JSON.stringify(entries, undefined, 2) };
  }

  /** What a step gets when it runs the next time. */
  async stepInput(jobId: string, workId: number): Promise<StepInput> {
    const { stepInput } = await import('../../views/portal/answers/runAnswers.ts');
    return readPortal(await this.#address(), `copilot/job/${encodeURIComponent(jobId)}/step/${workId}`, stepInput);
  }

  /** About what a run has brought about. It may be something that is done. */
  async askResult<Q extends ResultQuestion>(
    jobId: string,
    question: Q,
    body: ResultBody<Q>,
    signal?: AbortSignal,
  ): Promise<ResultAnswer<Q>> {
    const { resultDeeds, resultRequest, resultShape } = await import('../../views/portal/result/resultQuestions.ts');
    const { path, ...request } = resultRequest(jobId, question, body);
    const options = { timeoutMs: RESULT_TIMEOUT_MS, ...request, ...(signal && { signal }) };
    const answer = await readPortal(await this.#address(), path, resultShape(question), options);
    if (resultDeeds.has(question)) this.refresh();
    return answer;
  }

  /** Also of a session that is over. `host`: its agent host, where that is not the portal's own. */
  async sessionUri(sessionId: string, host?: string): Promise<string> {
    const live = this.#state.portal?.sessions.find((session) => session.sessionId === sessionId && session.host === host);
    if (live) return live.uri;
    const [{ keptSessions }, { portalSession }] = await Promise.all([
      import('../../views/portal/answers/sessionSchemas.ts'),
      import('../../views/portal/page/portalAddress.ts'),
    ]);
    const { agent } = await readPortal(await this.#address(), 'copilot/session/kept', keptSessions);
    return portalSession(sessionId, agent).uri;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  async #address(): Promise<PortalAddress> {
    const address = await this.portal.find();
    if (!address) throw new UserError(l10n.t('The portal does not run any more.'));
    return address;
  }

  async #read(): Promise<JobsState> {
    const address = await this.portal.find();
    if (!address) return { jobs: new Map(), at: Date.now() };
    const [{ jobOffer, jobRuns, jobStatus }, { sessionList }] = await Promise.all([
      import('../../views/portal/jobData.ts'),
      import('../../views/portal/sessionData.ts'),
    ]);
    const wishes = [...this.#wishes.values()];
    const [{ runs }, { sessions }, offer] = await Promise.all([
      readPortal(address, 'copilot/job/runs', jobRuns),
      readPortal(address, 'copilot/session', sessionList),
      wishes.some((wish) => wish.offer) ? readPortal(address, 'copilot/job', jobOffer) : undefined,
    ]);
    const wanted = new Set(wishes.flatMap(({ jobs }) => [...jobs]));
    // Old runs are forgotten.
    const known = runs.filter(({ jobId }) => wanted.has(jobId)).map(({ jobId }) => jobId);
    const read = async (jobId: string) =>
      [jobId, await readPortal(address, `copilot/job/${encodeURIComponent(jobId)}/status`, jobStatus)] as const;
    return { portal: { runs, sessions, ...(offer && { offer }) }, jobs: new Map(await Promise.all(known.map(read))), at: Date.now() };
  }
}

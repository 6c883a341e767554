/** A portal: its sessions at the agent host, its tasks and jobs, and the queues from which they are followed. */
import type { AgentHostClient } from '../ahp/client/agentHostClient.ts';
import type { TelemetrySpan } from '../ahp/telemetry/telemetryAttributes.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { englishOf } from '../base/errors.ts';
import { english, type Phrase } from '../base/text/phrase.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import type { Write } from '../base/node/wholeFile.ts';
import { PortalAttention } from './attention/portalAttention.ts';
import type { Entry } from './entry/entry.ts';
import { HostSessions } from './hostSessions/hostSessions.ts';
import { SessionsElsewhere } from './hostSessions/sessionsElsewhere.ts';
import { type Followed, type LiveErrorName, liveErrorNames, type LiveEvent } from './live/liveEvents.ts';
import { LiveQueues } from './live/liveQueues.ts';
import { LiveTokens } from './live/liveTokens.ts';
import { PortalHosts } from './pages/portalHosts.ts';
import { type ListedJob, PortalRuns } from './portalRuns.ts';
import { RunQueue } from './queue/runQueue.ts';
import { PullRequests } from './result/pullRequests.ts';
import { RunResults } from './result/runResults.ts';
import { lastOfRun, type RunEvent } from './runs/runEvents.ts';
import type { ResultChange } from './runs/resultChange.ts';
import { SharedRuns } from './sharedRuns.ts';
import { directoryProblem } from './hostSessions/directoryProblem.ts';
import { type ListedSchedule, ScheduledRuns } from './schedules/scheduledRuns.ts';
import { RunStore } from './store/runStore.ts';
import type { SharedStore } from './store/sharedStore.ts';
import { RunSpans } from './traces/runSpans.ts';
import { SessionLeases } from './tasks/sessionLeases.ts';
import { folderProblem } from './worktrees/folderProblem.ts';
import { runReasons } from '../views/portal/records/runReasons.ts';
import { Worktrees } from './worktrees/worktrees.ts';

/** A process that was killed has had so long for the end of the sessions of a run. */
const STOPPING_MS = 60_000;

export interface PortalOptions {
  /** A client of the agent host. It identifies itself to the host, and is not disposed with the portal. */
  client: AgentHostClient;
  /** Clients of other agent hosts by name, which connect by themselves. They are not disposed with the portal. */
  hosts?: ReadonlyMap<string, AgentHostClient>;
  /** Which sessions run at other hosts is kept here, for this portal alone. Absent: it is forgotten at the end. */
  elsewhereFile?: string;
  /** The agent that runs the sessions. */
  provider: string;
  logger: Logger;
  /** Where runs are kept, for this portal alone. Absent: they are forgotten at the end. */
  runsFolder?: string;
  /** Runs are kept there instead, and shared with the other portals of it. Disposed with the portal. */
  sharedStore?: SharedStore;
  /** Where jobs have their work trees, for this portal alone. Absent: jobs that want some fail. */
  worktreesFolder?: string | undefined;
  /** Writes the bytes of runs. */
  writeRuns?: Write;
  /** What has been started by schedules is kept here, for this portal alone. Absent: it is forgotten at the end. */
  schedulesFile?: string;
  /** No job that is started begins earlier. In ms since the epoch. */
  notBefore?: number | undefined;
  /** Takes the spans of runs and of their turns. Absent: none are made. */
  tellSpans?: ((spans: readonly TelemetrySpan[]) => void) | undefined;
  /** The job tools, which only report what they are given, run without a question to the user. */
  allowJobTools?: boolean;
  clock?: Clock;
}

type Later<T> = T extends (...given: infer G) => infer R ? (...given: G) => R | Promise<R> : never;
/** What starts and stops runs. Rejects with a `StoreUnavailableError` when a shared store cannot be used. */
export type RunControl = {
  [
    K in
      'startTask' | 'startJob' | 'continueJob' | 'pauseJob' | 'skipStep' | 'steerStep' | 'stopTask' | 'stopJob' | 'deleteJob' | 'noteResult'
  ]: Later<PortalRuns[K]>;
};

export class Portal implements Disposable {
  readonly tokens: LiveTokens;
  readonly live: { readonly [Of in Followed]: LiveQueues<LiveEvent<Of>, LiveErrorName<Of>> };
  readonly leases = new SessionLeases();
  readonly #disposables = new DisposableStore();
  readonly sessions: HostSessions;
  readonly runs: PortalRuns;
  readonly queue: RunQueue;
  readonly #schedules: ScheduledRuns;
  readonly #logger: Logger;
  /** Runs that an earlier process had begun, and did not end. */
  readonly interrupted: ReadonlySet<string>;
  #shared: SharedRuns | undefined;
  /** Of all sessions of its own host, also those of others, and of its own at other hosts. */
  readonly attention: PortalAttention;
  /** As the pages see them. */
  readonly hosts: PortalHosts;
  /** What runs have brought about. */
  readonly results: RunResults;
  readonly pullRequests: PullRequests;

  private constructor(
    options: PortalOptions,
    { tokens, live, spans }: Pick<Portal, 'tokens' | 'live'> & { spans: RunSpans | undefined },
    sessions: HostSessions,
  ) {
    const { client, hosts, logger, runsFolder, sharedStore, worktreesFolder, writeRuns, schedulesFile, notBefore } = options;
    const { clock = systemClock } = options;
    this.#logger = logger;
    this.tokens = this.#disposables.add(tokens);
    this.live = live;
    for (const queues of Object.values(live)) this.#disposables.add(queues);
    this.sessions = this.#disposables.add(sessions);
    this.attention = this.#disposables.add(new PortalAttention({ client, hosts, sessions }, clock));
    const worktrees = worktreesFolder === undefined ? undefined : new Worktrees(worktreesFolder, logger);
    const note = (jobId: string, change: ResultChange) => this.noteResult(jobId, change);
    this.pullRequests = new PullRequests({ note });
    const store = runsFolder === undefined || sharedStore ? undefined : this.#disposables.add(new RunStore(runsFolder, logger, writeRuns));
    this.runs = this.#disposables.add(
      new PortalRuns({
        context: { sessions, leases: this.leases, clock, logger },
        keep: (runId, event) => {
          spans?.event(runId, event);
          return (sharedStore ?? store)?.append(runId, event);
        },
        ...(spans && { seen: (runId: string, events: readonly RunEvent[]) => spans.restore(runId, events) }),
        ...(!sharedStore && { remove: (runId) => store?.remove(runId) }),
        ...(worktrees && { worktrees }),
        ...{ keepsLater: sharedStore !== undefined, notBefore },
        folderProblem: async (folder) => ((await directoryProblem(folder)) === undefined ? undefined : missing(folder)),
        tell: (update) => {
          if (update.does !== 'push') live[update.of][update.does](update.id);
          else if (update.of === 'session') live.session.push(update.id, update.response);
          else if (update.of === 'task') live.task.push(update.id, update.response);
          else live.job.push(update.id, update.response);
        },
      }),
    );
    this.hosts = this.#disposables.add(
      new PortalHosts(
        {
          ...{ client, hosts, sessions, onDidForgetRun: this.runs.onDidForget },
          ran: (host, uri) => this.runs.ranAt(host, (id) => sessions.uriOf(id) === uri),
        },
        clock,
      ),
    );
    this.results = new RunResults({
      ...{ hosts: this.hosts, sessions, note },
      jobState: (jobId) => this.runs.jobState(jobId),
      inOrder: (folder, work) => (worktrees ? worktrees.inOrder(folder, work) : work()),
    });
    this.#schedules = this.#disposables.add(
      new ScheduledRuns({
        ...{ file: schedulesFile, write: writeRuns, clock, logger },
        start: async ({ jobName, userInput, folder, jobId }) => {
          // It may have been moved since the entry was written.
          const isThere = (await directoryProblem(folder)) === undefined;
          const problem = isThere ? await this.worktreeProblem(jobName, folder) : missing(folder);
          const error = problem && english(problem);
          return error === undefined ? this.control.startJob(jobName, userInput, folder, undefined, { jobId }) : { error };
        },
        isRunning: (jobId) => this.runs.jobState(jobId)?.status === 'Executing',
      }),
    );
    this.queue = this.#disposables.add(
      new RunQueue({
        ...{ runs: this.runs, clock, logger },
        begin: (jobId, how) =>
          this.#shared ? this.#shared.beginJob(jobId, how, () => this.queue.mayBegin(jobId)) : this.runs.beginJob(jobId, how),
      }),
    );
    if (spans)
      for (const at of [client, ...(hosts?.values() ?? [])]) this.#disposables.add(at.traces.read((batch) => spans.fromHost(batch)));
    const kept = store?.read() ?? [];
    this.interrupted = new Set(kept.filter(({ runId, events }) => this.runs.restore(runId, events)).map(({ runId }) => runId));
    // What had just ended may not have come to the end of its sessions.
    const last = Math.max(0, ...kept.map(({ events }) => lastOfRun(events)?.at ?? 0));
    for (const sessionId of this.runs.approvedSessions(last - STOPPING_MS)) void sessions.askAgain(sessionId);
  }

  /** Rejects when the host has no such agent, or the runs cannot be read. */
  static async open(options: PortalOptions): Promise<Portal> {
    const { client, hosts, elsewhereFile, writeRuns, provider, logger, allowJobTools, clock = systemClock } = options;
    const tokens = new LiveTokens(clock);
    const queues = { clock, tokens };
    const live: Portal['live'] = {
      session: new LiveQueues({ ...queues, names: liveErrorNames.session }),
      task: new LiveQueues({ ...queues, names: liveErrorNames.task }),
      job: new LiveQueues({ ...queues, names: liveErrorNames.job }),
    };
    const spans = options.tellSpans && new RunSpans(options.tellSpans);
    const sessions = await HostSessions.open({
      ...{ client, hosts, provider, clock, logger, allowJobTools, live: live.session },
      elsewhere: new SessionsElsewhere(elsewhereFile, writeRuns),
      ...(spans && { traceparentOf: (sessionId: string) => spans.traceparentOf(sessionId) }),
    });
    const portal = new Portal(options, { tokens, live, spans }, sessions);
    if (options.sharedStore) await portal.#share(options.sharedStore, options);
    return portal;
  }

  /** Starts and stops runs. */
  get control(): RunControl {
    return this.#shared ?? this.runs;
  }

  /** Why it is not known what runs now. */
  get storeProblem(): string | undefined {
    return this.#shared?.problem;
  }

  /** Before the job or task is said to be unknown. Rejects with a `StoreUnavailableError` when a shared store cannot be used. */
  async catchUp(id: string): Promise<void> {
    await this.#shared?.catchUp(id);
  }

  /** What runs goes on by the entry with which it was started. Throws an `EntryError` when a host is not known, or cannot do what a task approves. */
  installEntry(entry: Entry): void {
    this.sessions.check(entry);
    this.runs.installEntry(entry);
    this.queue.install(entry.limits);
    this.#schedules.install(entry);
  }

  /** Why the job cannot work in that folder: it needs work trees, and there can be none. */
  async worktreeProblem(jobName: string, folder: string): Promise<Phrase | undefined> {
    const definition = this.runs.definitionOf(jobName);
    return 'error' in definition || !definition.worktree ? undefined : folderProblem(folder);
  }

  /** What was done is done, also where it cannot be recorded. */
  async noteResult(jobId: string, change: ResultChange): Promise<void> {
    try {
      await this.control.noteResult(jobId, change);
    } catch (error) {
      this.#logger.error(`run ${jobId}: that its result was ${change.did} was not recorded: ${englishOf(error)}`);
    }
  }

  /** With when they start by themselves. */
  listJobs(): Omit<ReturnType<PortalRuns['listJobs']>, 'jobs'> & { jobs: Record<string, ListedJob & { schedule?: ListedSchedule }> } {
    const { jobs, ...rest } = this.runs.listJobs();
    const listed = Object.entries(jobs).map(([name, job]) => {
      const schedule = this.#schedules.listed(name);
      return [name, { ...job, ...(schedule && { schedule }) }] as const;
    });
    return { ...rest, jobs: Object.fromEntries(listed) };
  }

  /** Whether an agent may be working for the portal. */
  get isRunning(): boolean {
    return this.runs.isRunning || this.sessions.size > 0;
  }

  /** Stops all jobs, tasks and sessions. */
  async stop(): Promise<void> {
    this.#schedules.dispose();
    this.queue.dispose();
    // Other portals go on with the jobs.
    if (this.#shared) await this.#shared.handOver();
    else this.runs.dispose();
    await this.sessions.stopAll();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #share(store: SharedStore, { client, hosts, provider, logger, clock = systemClock }: PortalOptions): Promise<void> {
    const { runs, sessions } = this;
    // What an earlier process of this portal ran may be at another one already, and its sessions are here.
    const left = new Set((await client.listSessions()).map(({ resource }) => resource));
    this.#shared = await SharedRuns.open({
      ...{ runs, store, context: { clock, logger }, agent: provider, hosts: new Set(hosts?.keys()) },
      endElsewhere: (host, id, hasApproval) => sessions.endElsewhere(host, id, hasApproval),
    });
    for (const sessionId of runs.approvedSessions(0)) if (left.has(sessions.uriOf(sessionId))) void sessions.askAgain(sessionId);
  }
}

function missing(folder: string): Phrase {
  return runReasons.noFolder(JSON.stringify(folder));
}

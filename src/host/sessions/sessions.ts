/**
 * All sessions of the host: creating, listing, forking and disposing of them, and the notifications about them.
 *
 * With an archive they outlive the host. Sessions of earlier runs are not loaded (they sleep), and only their summaries are known, until a
 * client uses them. When too many are loaded, the idle one that was used longest ago is unloaded.
 */
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CreateSessionParams, FetchTurnsParams, FetchTurnsResult } from '../../ahp/v1/commands.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import type { ProtocolNotification } from '../../ahp/v1/notifications.ts';
import type { SessionState, SessionSummary } from '../../ahp/v1/session.ts';
import { isSubagent, isSubagentOf } from '../../ahp/subagentUri.ts';
import { TERMINAL_SCHEME } from '../../ahp/v1/terminal.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { ClientHooks } from '../hooks/clientHooks.ts';
import { agentCall } from './creation/agentCall.ts';
import type { Agent, AgentSession, StartSubagentOptions, SubagentTurn } from '../agents/agent.ts';
import type { Authentication } from './creation/authentication.ts';
import { withContents, type Contents } from '../files/contentStore.ts';
import { existingDirectory } from '../files/directories.ts';
import { readProblem, type ArchivedSession, type SessionArchive } from '../state/durable/sessionArchive.ts';
import type { SessionFacts } from '../state/durable/sessionLog.ts';
import type { LentFiles } from '../hooks/lentFiles.ts';
import type { SessionConfigs } from './creation/sessionConfigs.ts';
import { SessionRunner } from './sessionRunner.ts';
import { SessionHost } from './sessionHost.ts';
import { type ConfigTaken, prepareSession, type SessionPreparation } from './creation/sessionPreparation.ts';
import type { Lenders } from '../state/lenders.ts';
import type { StateStore } from '../state/stateStore.ts';
import { startSubagent } from './subagents.ts';
import { SummaryNotifier } from './summaryNotifier.ts';
import type { Terminals } from '../terminals/terminals.ts';
import type { SessionWorkspaces } from '../files/workspace/sessionWorkspaces.ts';

export interface SessionsOptions {
  store: StateStore;
  lenders: Lenders;
  agents: readonly Agent[];
  authentication: Authentication;
  contents: Contents;
  lent: Pick<LentFiles, 'read'>;
  terminals: Terminals;
  logger: Logger;
  /** The working directory of sessions that name none. */
  defaultDirectory: URI | undefined;
  /** Sends to all clients. */
  notify(notification: ProtocolNotification): void;
  isConnected(clientId: string): boolean;
  /** It is connected, or may come back soon. */
  isExpected(clientId: string): boolean;
  hooks: ClientHooks;
  isSubscribed(resource: URI): boolean;
  configs: SessionConfigs;
  /** Absent: sessions work in the folders that they are given. */
  workspaces?: SessionWorkspaces;
  /** Absent: sessions end with the host. */
  archive?: SessionArchive;
  /** How many sessions that nobody uses stay loaded. */
  maxAwake?: number;
}

interface Entry {
  facts: SessionFacts;
  /** Absent while the session sleeps. */
  runner?: SessionRunner;
  /** While the session sleeps, its last summary. */
  summary: SessionSummary;
  /** The session cannot be read. The summary says so. */
  unreadable?: boolean;
}

const DEFAULT_TURNS = 50;
const MAX_TURNS = 200;
const DEFAULT_MAX_AWAKE = 50;

export class Sessions implements Disposable {
  /** In the order of their creation. */
  readonly #entries = new Map<URI, Entry>();
  /** Loaded sessions, the least recently used one first. */
  readonly #awake = new Set<URI>();
  /** Sessions that are being created and are not in the store yet. */
  readonly #reserved = new Set<URI>();
  readonly #active = new Set<URI>();
  readonly #summaries: SummaryNotifier;
  readonly #listeners: Disposable[] = [];
  readonly #preparation: SessionPreparation;
  #disposed = false;

  constructor(private readonly options: SessionsOptions) {
    this.#summaries = new SummaryNotifier(options.store, options.notify);
    this.#preparation = { ...options, agent: (provider) => this.agent(provider), stateOf: (uri) => this.#require(uri) };
    this.#listeners.push(options.store.onDidDispatch(({ resource }) => this.#countActive(resource)));
    const { archive } = options;
    if (!archive) return;
    this.#listeners.push(archive.onDidChangeProblem(({ session, problem }) => this.runner(session)?.noteSaveProblem(problem)));
    for (const found of archive.found) this.#takeUp(found);
  }

  /** The number of sessions with a turn in progress. */
  get activeCount(): number {
    return this.#active.size;
  }

  runner(uri: URI): SessionRunner | undefined {
    return this.#entries.get(uri)?.runner;
  }

  list(): SessionSummary[] {
    return [...this.#entries].map(([uri, { summary }]) => this.options.store.session(uri)?.summary ?? summary);
  }

  /** Real paths of the working directories. */
  workingDirectories(): string[] {
    return [...new Set([...this.#entries.values()].map(({ facts }) => facts.workingDirectory))];
  }

  /** Loads the session's state into the store, if there is such a session. Throws when it cannot be read. */
  wake(uri: URI): void {
    const entry = this.#entries.get(uri);
    if (!entry) return;
    if (!entry.runner) this.#awaken(entry);
    this.#use(uri);
  }

  /** Resolves when the session exists (`creating`). Its backend is created after that. */
  async create(params: CreateSessionParams, clientId: string, config?: ConfigTaken): Promise<void> {
    const uri = params.session;
    this.#checkName(uri);
    if (this.#reserved.has(uri) || this.#isTaken(uri)) throw new RpcError(ErrorCode.SessionAlreadyExists, `${uri} exists already`);
    this.#reserved.add(uri);
    try {
      const { agent, state, workspace } = await prepareSession(this.#preparation, params, clientId, config);
      const { workingDirectory, worktree } = workspace;
      const facts: SessionFacts = { uri, workingDirectory, ...(worktree && { worktree }) };
      try {
        if (this.#disposed) throw new RpcError(ErrorCode.InternalError, 'the host is shutting down');
        // The contents of the source would be deleted with it.
        if (params.fork && !this.#entries.has(params.fork.session)) throw sessionNotFound(params.fork.session);
        const runner = this.#add(facts, state);
        void runner.create(agent, this.#sessionHost(facts, state));
      } catch (error) {
        if (worktree) await this.options.workspaces?.discard(worktree);
        throw error;
      }
    } finally {
      this.#reserved.delete(uri);
    }
  }

  /**
   * Removes the session and those of its subagents at once. Resolves when its agent has deleted its data and its worktree is handled too.
   * Rejects with SessionNotFound.
   */
  async disposeSession(uri: URI): Promise<void> {
    const entry = this.#entries.get(uri);
    if (!entry) throw sessionNotFound(uri);
    this.#entries.delete(uri);
    for (const other of [...this.#entries.keys()]) if (isSubagentOf(other, uri)) void this.disposeSession(other);
    entry.runner?.dispose();
    this.#awake.delete(uri);
    this.options.terminals.disposeOfSession(uri);
    this.options.contents.disposeOfSession(uri);
    this.#summaries.delete(uri);
    this.options.store.delete(uri);
    this.options.archive?.delete(uri);
    this.#countActive(uri);
    this.options.notify({ type: 'notify/sessionRemoved', session: uri });
    await this.#forget(uri, entry.summary.provider);
    const { worktree } = entry.facts;
    if (!worktree) return;
    if (this.workingDirectories().some((path) => path === worktree.path || path.startsWith(worktree.path + sep)))
      this.options.logger.warn(`The worktree ${worktree.path} is kept: another session works there.`);
    else await this.options.workspaces?.discard(worktree);
  }

  fetchTurns({ session, before, limit = DEFAULT_TURNS }: FetchTurnsParams): FetchTurnsResult {
    const { turns } = this.#require(session);
    const end = before === undefined ? turns.length : turns.findIndex(({ id }) => id === before);
    if (end < 0) throw new RpcError(ErrorCode.InvalidParams, `before: the session has no turn ${before}`);
    const start = Math.max(0, end - Math.min(limit, MAX_TURNS));
    return { turns: turns.slice(start, end), hasMore: start > 0 };
  }

  /** The agent of a provider, or the first agent where none is named. Throws ProviderNotFound. */
  agent(provider: string | undefined): Agent {
    const agent = provider === undefined ? this.options.agents[0] : this.options.agents.find(({ info }) => info.provider === provider);
    if (!agent)
      throw new RpcError(ErrorCode.ProviderNotFound, provider === undefined ? 'this host has no agent' : `there is no agent ${provider}`);
    return agent;
  }

  /** A client has disconnected. Its open calls wait for it for a while. */
  clientLeft(clientId: string): void {
    for (const { runner } of this.#entries.values()) runner?.clientLeft(clientId);
  }
  /** It did not come back. */
  clientGone(clientId: string): void {
    for (const { runner } of this.#entries.values()) runner?.clientGone(clientId);
  }

  /** Stops all turns. With an archive the sessions are available again in the next run. */
  dispose(): void {
    this.#disposed = true;
    for (const { runner } of this.#entries.values()) runner?.dispose();
    this.#summaries.dispose();
    for (const listener of this.#listeners) listener.dispose();
  }

  #checkName(uri: URI): void {
    const taken = uri.startsWith(TERMINAL_SCHEME) || uri.startsWith('agenthost:') || isSubagent(uri);
    if (taken) throw new RpcError(ErrorCode.InvalidParams, 'session must be a URI like <provider>:/<id>');
  }

  #isTaken(uri: URI): boolean {
    return this.#entries.has(uri) || this.options.archive?.has(uri) === true;
  }

  #add(facts: SessionFacts, prepared: SessionState): SessionRunner {
    const { store, archive, contents, notify } = this.options;
    const { uri } = facts;
    let state: SessionState;
    try {
      state = { ...prepared, turns: withContents(prepared.turns, uri, contents) };
      archive?.create(facts, state, store.serverSeq);
    } catch (error) {
      contents.disposeOfSession(uri);
      archive?.delete(uri);
      throw new RpcError(ErrorCode.InternalError, `the session cannot be saved: ${messageOf(error)}`);
    }
    const entry: Entry = { facts, summary: state.summary };
    this.#entries.set(uri, entry);
    const runner = this.#show(entry, state);
    this.#use(uri);
    notify({ type: 'notify/sessionAdded', summary: state.summary });
    return runner;
  }

  /** Adds a session of an earlier run. */
  #takeUp({ facts, summary, interrupted, unreadable }: ArchivedSession): void {
    this.#entries.set(facts.uri, { facts, summary, unreadable });
    if (!interrupted) return;
    try {
      this.wake(facts.uri);
    } catch (error) {
      // One unreadable session must not keep the host from starting. Clients that ask for it are told why.
      this.options.logger.error(`${facts.uri} cannot be opened and is left unchanged: ${messageOf(error)}`);
    }
  }

  #awaken(entry: Entry): void {
    const { uri } = entry.facts;
    const state = this.#read(uri);
    const runner = this.#show(entry, state);
    runner.resume(isSubagent(uri) ? undefined : () => this.#makeBackend(entry.facts, state));
  }

  #read(uri: URI): SessionState {
    const { archive, logger } = this.options;
    if (!archive) throw new Error(`${uri} is not loaded, and there is no archive`);
    try {
      return archive.open(uri);
    } catch (error) {
      logger.error(`${uri} cannot be read: ${messageOf(error)}`);
      throw new RpcError(ErrorCode.InternalError, readProblem(error));
    }
  }

  #show(entry: Entry, state: SessionState): SessionRunner {
    const { store, lenders, logger, isExpected, hooks, archive } = this.options;
    const { uri } = entry.facts;
    store.add(uri, state);
    entry.runner = new SessionRunner(uri, { store, lenders, logger, isExpected, hooks, saveProblem: () => archive?.problem(uri) });
    this.#summaries.add(uri, entry.unreadable ? entry.summary : state.summary);
    entry.unreadable = false;
    return entry.runner;
  }

  async #makeBackend(facts: SessionFacts, state: SessionState): Promise<AgentSession> {
    const agent = this.agent(state.summary.provider);
    this.options.authentication.require(agent);
    await existingDirectory(pathToFileURL(facts.workingDirectory).href, 'the working directory');
    return agent.createSession(this.#sessionHost(facts, state));
  }

  #sessionHost({ uri, workingDirectory }: SessionFacts, state: SessionState): SessionHost {
    const startSubagent = (parent: URI, options: StartSubagentOptions) => this.#startSubagent(parent, options);
    return new SessionHost({ ...this.options, startSubagent }, uri, workingDirectory, state);
  }

  /** Marks the session as used, and unloads others if there are too many. */
  #use(uri: URI): void {
    const { archive, isSubscribed, maxAwake = DEFAULT_MAX_AWAKE, terminals } = this.options;
    if (!archive) return;
    this.#awake.delete(uri);
    this.#awake.add(uri);
    for (const other of this.#awake) {
      if (this.#awake.size <= maxAwake) break;
      const runner = this.runner(other);
      if (other === uri || !runner?.isIdle || terminals.isRunningFor(other) || isSubscribed(other) || archive.hasProblem(other)) continue;
      this.#sleep(other, archive);
    }
  }

  #sleep(uri: URI, archive: SessionArchive): void {
    const entry = this.#entries.get(uri);
    const state = this.options.store.session(uri);
    if (!entry || !state) return;
    entry.summary = state.summary;
    entry.runner?.dispose();
    entry.runner = undefined;
    archive.release(uri);
    this.#summaries.release(uri);
    this.#awake.delete(uri);
    this.options.store.delete(uri);
  }

  #startSubagent(uri: URI, options: StartSubagentOptions): SubagentTurn {
    const { store } = this.options;
    const entry = this.#entries.get(uri);
    const parent = store.session(uri);
    const parentTurn = entry?.runner?.turn;
    if (!entry || !parent || !parentTurn) throw new Error('a subagent needs a turn in progress');
    const { workingDirectory } = entry.facts;
    return startSubagent({
      ...options,
      parent,
      parentTurn,
      now: store.now,
      isTaken: (other) => this.#isTaken(other),
      add: (subagent, state) => this.#add({ uri: subagent, workingDirectory }, state),
    });
  }

  /** Lets the agent delete its data of the session. A failure is logged, because the session is gone in any case. */
  async #forget(uri: URI, provider: string): Promise<void> {
    const agent = this.options.agents.find(({ info }) => info.provider === provider);
    if (!agent?.deleteSession || isSubagent(uri)) return;
    try {
      await agentCall(agent, agent.deleteSession(uri));
    } catch (error) {
      this.options.logger.warn(`${agent.info.displayName} could not delete its data of ${uri}: ${messageOf(error)}`);
    }
  }

  #countActive(uri: URI): void {
    const { store } = this.options;
    const isActive = store.session(uri)?.activeTurn !== undefined;
    if (isActive === this.#active.has(uri)) return;
    if (isActive) this.#active.add(uri);
    else this.#active.delete(uri);
    store.dispatch({ type: 'root/activeSessionsChanged', activeSessions: this.#active.size });
  }

  #require(uri: URI): SessionState {
    this.wake(uri);
    const state = this.options.store.session(uri);
    if (!state) throw sessionNotFound(uri);
    return state;
  }
}

export function sessionNotFound(uri: URI): RpcError {
  return new RpcError(ErrorCode.SessionNotFound, `there is no session ${uri}`);
}

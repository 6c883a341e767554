/**
 * All sessions of the host: making, listing, forking and disposing of them, and what all clients hear about them.
 *
 * With an archive they outlive the host. Those of earlier runs sleep, known by their summaries, until someone asks for them; when many
 * are awake, the idle one that was asked for longest ago falls asleep again.
 */
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CreateSessionParams, FetchTurnsParams, FetchTurnsResult } from '../../ahp/v1/commands.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import type { ProtocolNotification } from '../../ahp/v1/notifications.ts';
import type { SessionState, SessionSummary } from '../../ahp/v1/session.ts';
import { TERMINAL_SCHEME } from '../../ahp/v1/terminal.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { agentCall } from './agentCall.ts';
import type { Agent, AgentSession, StartSubagentOptions, SubagentTurn } from '../agents/agent.ts';
import type { Authentication } from './authentication.ts';
import { withContents, type Contents } from '../files/contentStore.ts';
import { existingDirectory } from '../files/directories.ts';
import { readProblem, type ArchivedSession, type SessionArchive } from '../state/durable/sessionArchive.ts';
import type { SessionFacts } from '../state/durable/sessionLog.ts';
import type { SessionConfigs } from './sessionConfigs.ts';
import { SessionController } from './sessionController.ts';
import { SessionHost } from './sessionHost.ts';
import { prepareSession, type SessionPreparation } from './sessionPreparation.ts';
import type { StateStore } from '../state/stateStore.ts';
import { isSubagent, isSubagentOf, startSubagent } from './subagents.ts';
import { SummaryNotifier } from './summaryNotifier.ts';
import type { Terminals } from '../terminals/terminals.ts';
import type { SessionWorkspaces } from '../files/workspace/sessionWorkspaces.ts';

export interface SessionsOptions {
  store: StateStore;
  agents: readonly Agent[];
  authentication: Authentication;
  contents: Contents;
  terminals: Terminals;
  logger: Logger;
  /** Working directory of sessions that name none. */
  defaultDirectory: URI | undefined;
  /** To all clients. */
  notify(notification: ProtocolNotification): void;
  isConnected(clientId: string): boolean;
  isSubscribed(resource: URI): boolean;
  configs: SessionConfigs;
  /** Without them, sessions work in the folders that they are given. */
  workspaces?: SessionWorkspaces;
  /** Without one, sessions end with the host. */
  archive?: SessionArchive;
  /** Sessions whose states are kept in memory, besides those that are in use. */
  maxAwake?: number;
}

interface Entry {
  facts: SessionFacts;
  /** Absent while the session sleeps. */
  controller?: SessionController;
  /** As it fell asleep. */
  summary: SessionSummary;
  /** The summary says that it cannot be read. */
  unreadable?: boolean;
}

const DEFAULT_TURNS = 50;
const MAX_TURNS = 200;
const DEFAULT_MAX_AWAKE = 50;

export class Sessions implements Disposable {
  /** In the order in which they came. */
  readonly #entries = new Map<URI, Entry>();
  /** Those that are awake and could sleep, the one asked for longest ago first. */
  readonly #awake = new Set<URI>();
  /** Being created, not yet in the store. */
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
    this.#listeners.push(archive.onDidChangeProblem(({ session, problem }) => this.controller(session)?.noteSaveProblem(problem)));
    for (const found of archive.found) this.#takeUp(found);
  }

  /** Sessions with a turn in progress. */
  get activeCount(): number {
    return this.#active.size;
  }

  controller(uri: URI): SessionController | undefined {
    return this.#entries.get(uri)?.controller;
  }

  list(): SessionSummary[] {
    return [...this.#entries].map(([uri, { summary }]) => this.options.store.session(uri)?.summary ?? summary);
  }

  /** Real paths of the working directories. */
  workingDirectories(): string[] {
    return [...new Set([...this.#entries.values()].map(({ facts }) => facts.workingDirectory))];
  }

  /** Has the session's state in the store, if there is such a session. Throws when it cannot be read. */
  wake(uri: URI): void {
    const entry = this.#entries.get(uri);
    if (!entry) return;
    if (!entry.controller) this.#awaken(entry);
    this.#use(uri);
  }

  /** Answers as soon as the session is there (`creating`); its backend is made after that. */
  async create(params: CreateSessionParams, clientId: string): Promise<void> {
    const uri = params.session;
    this.#checkName(uri);
    if (this.#reserved.has(uri) || this.#isTaken(uri)) throw new RpcError(ErrorCode.SessionAlreadyExists, `${uri} exists already`);
    this.#reserved.add(uri);
    try {
      const { agent, state, workspace } = await prepareSession(this.#preparation, params, clientId);
      const { workingDirectory, worktree } = workspace;
      const facts: SessionFacts = { uri, workingDirectory, ...(worktree && { worktree }) };
      try {
        if (this.#disposed) throw new RpcError(ErrorCode.InternalError, 'the host is shutting down');
        // Its contents would be gone with it.
        if (params.fork && !this.#entries.has(params.fork.session)) throw sessionNotFound(params.fork.session);
        const controller = this.#add(facts, state);
        void controller.create(agent, this.#sessionHost(facts, state));
      } catch (error) {
        if (worktree) await this.options.workspaces?.discard(worktree);
        throw error;
      }
    } finally {
      this.#reserved.delete(uri);
    }
  }

  /**
   * The session is gone at once, and those of its subagents; resolves when its agent has forgotten it and its worktree is dealt with too.
   * Rejects with SessionNotFound.
   */
  async disposeSession(uri: URI): Promise<void> {
    const entry = this.#entries.get(uri);
    if (!entry) throw sessionNotFound(uri);
    this.#entries.delete(uri);
    for (const other of [...this.#entries.keys()]) if (isSubagentOf(other, uri)) void this.disposeSession(other);
    entry.controller?.dispose();
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

  /** Throws ProviderNotFound. Without a name: the first agent. */
  agent(provider: string | undefined): Agent {
    const agent = provider === undefined ? this.options.agents[0] : this.options.agents.find(({ info }) => info.provider === provider);
    if (!agent)
      throw new RpcError(ErrorCode.ProviderNotFound, provider === undefined ? 'this host has no agent' : `there is no agent ${provider}`);
    return agent;
  }

  clientLeft(clientId: string): void {
    for (const { controller } of this.#entries.values()) controller?.clientLeft(clientId);
  }

  /** Stops all turns. With an archive the sessions are there again in the next run. */
  dispose(): void {
    this.#disposed = true;
    for (const { controller } of this.#entries.values()) controller?.dispose();
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

  #add(facts: SessionFacts, prepared: SessionState): SessionController {
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
    const controller = this.#show(entry, state);
    this.#use(uri);
    notify({ type: 'notify/sessionAdded', summary: state.summary });
    return controller;
  }

  /** A session of an earlier run. */
  #takeUp({ facts, summary, interrupted, unreadable }: ArchivedSession): void {
    this.#entries.set(facts.uri, { facts, summary, unreadable });
    if (!interrupted) return;
    try {
      this.wake(facts.uri);
    } catch (error) {
      // One session that cannot be read must not keep the host from starting; who asks for it is told why.
      this.options.logger.error(`${facts.uri} stays as it was found: ${messageOf(error)}`);
    }
  }

  #awaken(entry: Entry): void {
    const { uri } = entry.facts;
    const state = this.#read(uri);
    const controller = this.#show(entry, state);
    controller.resume(isSubagent(uri) ? undefined : () => this.#makeBackend(entry.facts, state));
  }

  #read(uri: URI): SessionState {
    const { archive, logger } = this.options;
    if (!archive) throw new Error(`${uri} sleeps, but nothing keeps it`);
    try {
      return archive.open(uri);
    } catch (error) {
      logger.error(`${uri} cannot be read: ${messageOf(error)}`);
      throw new RpcError(ErrorCode.InternalError, readProblem(error));
    }
  }

  #show(entry: Entry, state: SessionState): SessionController {
    const { store, logger, isConnected, archive } = this.options;
    const { uri } = entry.facts;
    store.add(uri, state);
    entry.controller = new SessionController(uri, { store, logger, isConnected, saveProblem: () => archive?.problem(uri) });
    this.#summaries.add(uri, entry.unreadable ? entry.summary : state.summary);
    entry.unreadable = false;
    return entry.controller;
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

  /** Someone asked for it: it is the last to fall asleep. */
  #use(uri: URI): void {
    const { archive, isSubscribed, maxAwake = DEFAULT_MAX_AWAKE, terminals } = this.options;
    if (!archive) return;
    this.#awake.delete(uri);
    this.#awake.add(uri);
    for (const other of this.#awake) {
      if (this.#awake.size <= maxAwake) break;
      const controller = this.controller(other);
      if (other === uri || !controller?.isIdle || terminals.isRunningFor(other) || isSubscribed(other) || archive.hasProblem(other))
        continue;
      this.#sleep(other, archive);
    }
  }

  #sleep(uri: URI, archive: SessionArchive): void {
    const entry = this.#entries.get(uri);
    const state = this.options.store.session(uri);
    if (!entry || !state) return;
    entry.summary = state.summary;
    entry.controller?.dispose();
    entry.controller = undefined;
    archive.release(uri);
    this.#summaries.release(uri);
    this.#awake.delete(uri);
    this.options.store.delete(uri);
  }

  #startSubagent(uri: URI, options: StartSubagentOptions): SubagentTurn {
    const { store } = this.options;
    const entry = this.#entries.get(uri);
    const parent = store.session(uri);
    const parentTurn = entry?.controller?.turn;
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

  /** What the agent keeps of the session goes too; that it could not is for the log: the session is gone all the same. */
  async #forget(uri: URI, provider: string): Promise<void> {
    const agent = this.options.agents.find(({ info }) => info.provider === provider);
    if (!agent?.deleteSession || isSubagent(uri)) return;
    try {
      await agentCall(agent, agent.deleteSession(uri));
    } catch (error) {
      this.options.logger.warn(`${agent.info.displayName} could not forget ${uri}: ${messageOf(error)}`);
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

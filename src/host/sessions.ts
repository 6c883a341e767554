/**
 * All sessions of the host: making, listing, forking and disposing of them, and what all clients hear about them.
 *
 * With an archive they outlive the host. Those of earlier runs sleep, known by their summaries, until someone asks for them; when many
 * are awake, the idle one that was asked for longest ago falls asleep again.
 */
import { randomUUID } from 'node:crypto';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CreateSessionParams, FetchTurnsParams, FetchTurnsResult } from '../ahp/v1/commands.ts';
import type { URI } from '../ahp/v1/common.ts';
import { ErrorCode } from '../ahp/v1/errors.ts';
import type { ProtocolNotification } from '../ahp/v1/notifications.ts';
import { SessionStatus, type SessionConfigState, type SessionState, type SessionSummary, type Turn } from '../ahp/v1/session.ts';
import { TERMINAL_SCHEME } from '../ahp/v1/terminal.ts';
import { messageOf } from '../base/errors.ts';
import { RpcError } from '../base/jsonRpc.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { modelProblem } from './actionChecks.ts';
import { agentCall } from './agentCall.ts';
import type { Agent, AgentSession, StartSubagentOptions, SubagentTurn } from './agents/agent.ts';
import type { Authentication } from './authentication.ts';
import { configProblem } from './configValues.ts';
import type { Contents } from './contentStore.ts';
import { existingDirectory } from './directories.ts';
import type { ArchivedSession, SessionArchive } from './durable/sessionArchive.ts';
import type { SessionFacts } from './durable/sessionLog.ts';
import type { SessionConfigs } from './sessionConfigs.ts';
import { SessionController } from './sessionController.ts';
import { SessionHost } from './sessionHost.ts';
import type { StateStore } from './stateStore.ts';
import { SummaryNotifier } from './summaryNotifier.ts';
import type { Terminals } from './terminals.ts';
import { isolationProblem, settledSchema, type SessionWorkspaces, type Workspace } from './workspace/sessionWorkspaces.ts';

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
}

const DEFAULT_TURNS = 50;
const MAX_TURNS = 200;
const DEFAULT_MAX_AWAKE = 50;
const SUBAGENT_PATH = '/subagent/';

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
  #disposed = false;

  constructor(private readonly options: SessionsOptions) {
    this.#summaries = new SummaryNotifier(options.store, options.notify);
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
    if (this.#reserved.has(uri) || this.#entries.has(uri)) throw new RpcError(ErrorCode.SessionAlreadyExists, `${uri} exists already`);
    this.#reserved.add(uri);
    try {
      const { agent, state, workspace } = await this.#prepare(params, clientId);
      const { workingDirectory, worktree } = workspace;
      const facts: SessionFacts = { uri, workingDirectory, ...(worktree && { worktree }) };
      try {
        if (this.#disposed) throw new RpcError(ErrorCode.InternalError, 'the host is shutting down');
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
    for (const other of [...this.#entries.keys()]) if (other.startsWith(uri + SUBAGENT_PATH)) void this.disposeSession(other);
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
    const taken = uri.startsWith(TERMINAL_SCHEME) || uri.startsWith('agenthost:') || uri.includes(SUBAGENT_PATH);
    if (taken) throw new RpcError(ErrorCode.InvalidParams, 'session must be a URI like <provider>:/<id>');
  }

  async #prepare(params: CreateSessionParams, clientId: string): Promise<{ agent: Agent; state: SessionState; workspace: Workspace }> {
    const { store, authentication, defaultDirectory, isConnected } = this.options;
    const source = params.fork && this.#forkSource(params.fork);
    const agent = this.agent(params.provider ?? source?.summary.provider);
    const { provider } = agent.info;
    if (source && source.summary.provider !== provider) throw invalid('provider must be that of the session to fork');
    authentication.require(agent);
    if (params.activeClient && params.activeClient.clientId !== clientId) throw invalid('activeClient.clientId must be the own one');
    const model = params.model ?? source?.summary.model;
    const unknownModel = params.model && modelProblem(store.root, provider, params.model);
    if (unknownModel) throw invalid(`model: ${unknownModel}`);
    const workingDirectoryUri = params.workingDirectory ?? source?.summary.workingDirectory ?? defaultDirectory;
    if (!workingDirectoryUri) throw invalid('workingDirectory is missing');
    const chosen = await existingDirectory(workingDirectoryUri, 'workingDirectory');
    const config = await this.#resolveConfig(agent, workingDirectoryUri, params.config, source?.config?.values);
    // A fork works where its source does, worktree or not, unless it asks for one of its own.
    const values = source && params.config?.isolation === undefined ? undefined : config?.values;
    const workspace = (await this.options.workspaces?.prepare(chosen, values)) ?? { workingDirectory: chosen };
    const now = store.now;
    const state: SessionState = {
      summary: {
        resource: params.session,
        provider,
        title: source?.summary.title ?? '',
        status: SessionStatus.Idle,
        createdAt: now,
        modifiedAt: now,
        ...(model && { model }),
        workingDirectory: workspace.worktree ? pathToFileURL(workspace.workingDirectory).href : workingDirectoryUri,
        ...(workspace.project && { project: workspace.project }),
      },
      lifecycle: 'creating',
      turns: source?.turns ?? [],
      ...(params.activeClient && isConnected(clientId) && { activeClient: params.activeClient }),
      ...(config && { config }),
    };
    return { agent, state, workspace };
  }

  /** The session to fork, its turns cut after the one to fork at. */
  #forkSource({ session, turnId }: { session: URI; turnId: string }): SessionState & { turns: Turn[] } {
    const source = this.#require(session);
    if (source.activeTurn?.id === turnId) throw new RpcError(ErrorCode.TurnInProgress, `fork.turnId: the turn ${turnId} is in progress`);
    const index = source.turns.findIndex(({ id }) => id === turnId);
    if (index < 0) throw invalid(`fork.turnId: the session has no finished turn ${turnId}`);
    return { ...source, turns: source.turns.slice(0, index + 1) };
  }

  /** `inherited`: of a session to fork; the agent decides what of it still fits. */
  async #resolveConfig(
    agent: Agent,
    workingDirectory: URI,
    given: Record<string, unknown> | undefined,
    inherited: Record<string, unknown> | undefined,
  ): Promise<SessionConfigState | undefined> {
    const config = given ?? inherited;
    const params = { provider: agent.info.provider, workingDirectory, ...(config && { config }) };
    const { schema, values } = await this.options.configs.resolve(agent, params);
    const problem = given && (isolationProblem(schema, given) ?? configProblem(schema, given));
    if (problem) throw invalid(problem);
    return Object.keys(schema.properties).length > 0 ? { schema: settledSchema(schema), values } : undefined;
  }

  #add(facts: SessionFacts, state: SessionState): SessionController {
    const { store, archive, notify } = this.options;
    const { uri } = facts;
    try {
      archive?.create(facts, state, store.serverSeq);
    } catch (error) {
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
  #takeUp({ facts, summary, interrupted }: ArchivedSession): void {
    this.#entries.set(facts.uri, { facts, summary });
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
    controller.resume(uri.includes(SUBAGENT_PATH) ? undefined : () => this.#makeBackend(entry.facts, state));
  }

  #read(uri: URI): SessionState {
    const { archive, logger } = this.options;
    if (!archive) throw new Error(`${uri} sleeps, but nothing keeps it`);
    try {
      return archive.open(uri);
    } catch (error) {
      logger.error(`${uri} cannot be read: ${messageOf(error)}`);
      throw new RpcError(ErrorCode.InternalError, `the session cannot be read from this host's disk: ${messageOf(error)}`);
    }
  }

  #show(entry: Entry, state: SessionState): SessionController {
    const { store, logger, isConnected, archive } = this.options;
    const { uri } = entry.facts;
    store.add(uri, state);
    entry.controller = new SessionController(uri, { store, logger, isConnected, saveProblem: () => archive?.problem(uri) });
    this.#summaries.add(uri);
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
    const { archive, isSubscribed, maxAwake = DEFAULT_MAX_AWAKE } = this.options;
    if (!archive) return;
    this.#awake.delete(uri);
    this.#awake.add(uri);
    for (const other of this.#awake) {
      if (this.#awake.size <= maxAwake) break;
      const controller = this.controller(other);
      if (other !== uri && controller?.isIdle && !isSubscribed(other) && !archive.hasProblem(other)) this.#sleep(other, archive);
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

  #startSubagent(parent: URI, { toolCallId, title, prompt }: StartSubagentOptions): SubagentTurn {
    const { store } = this.options;
    const entry = this.#entries.get(parent);
    const parentTurn = entry?.controller?.turn;
    const parentState = store.session(parent);
    if (!entry || !parentTurn || !parentState) throw new Error('a subagent needs a turn in progress');
    const uri = this.#freeSubagentUri(parent, toolCallId);
    const now = store.now;
    const { provider, model, workingDirectory } = parentState.summary;
    const summary: SessionSummary = {
      resource: uri,
      provider,
      title,
      status: SessionStatus.Idle,
      createdAt: now,
      modifiedAt: now,
      ...(model && { model }),
      ...(workingDirectory && { workingDirectory }),
    };
    const controller = this.#add({ uri, workingDirectory: entry.facts.workingDirectory }, { summary, lifecycle: 'ready', turns: [] });
    parentTurn.onDidEnd(() => controller.cancelTurn('the turn that started the subagent is over'));
    return controller.startSubagentTurn(prompt);
  }

  /** Some engines number their calls anew in every turn or run: the session of an earlier subagent keeps its name. */
  #freeSubagentUri(parent: URI, toolCallId: string): URI {
    const uri = parent + SUBAGENT_PATH + encodeURIComponent(toolCallId);
    return this.#entries.has(uri) ? `${uri}-${randomUUID()}` : uri;
  }

  /** What the agent keeps of the session goes too; that it could not is for the log: the session is gone all the same. */
  async #forget(uri: URI, provider: string): Promise<void> {
    const agent = this.options.agents.find(({ info }) => info.provider === provider);
    if (!agent?.deleteSession || uri.includes(SUBAGENT_PATH)) return;
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

function invalid(message: string): RpcError {
  return new RpcError(ErrorCode.InvalidParams, message);
}

/** All sessions of the host: making, listing, forking and disposing of them, and what all clients hear about them. */
import type { CreateSessionParams, FetchTurnsParams, FetchTurnsResult } from '../ahp/v1/commands.ts';
import type { URI } from '../ahp/v1/common.ts';
import { ErrorCode } from '../ahp/v1/errors.ts';
import type { ProtocolNotification } from '../ahp/v1/notifications.ts';
import { SessionStatus, type SessionConfigState, type SessionState, type SessionSummary, type Turn } from '../ahp/v1/session.ts';
import { TERMINAL_SCHEME } from '../ahp/v1/terminal.ts';
import { RpcError } from '../base/jsonRpc.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { modelProblem } from './actionChecks.ts';
import { agentCall } from './agentCall.ts';
import type { Agent, StartSubagentOptions, SubagentTurn } from './agents/agent.ts';
import type { Authentication } from './authentication.ts';
import { configProblem } from './configValues.ts';
import type { ContentStore } from './contentStore.ts';
import { existingDirectory } from './directories.ts';
import { SessionController } from './sessionController.ts';
import { SessionHost } from './sessionHost.ts';
import type { StateStore } from './stateStore.ts';
import { SummaryNotifier } from './summaryNotifier.ts';
import type { Terminals } from './terminals.ts';

export interface SessionsOptions {
  store: StateStore;
  agents: readonly Agent[];
  authentication: Authentication;
  contents: ContentStore;
  terminals: Terminals;
  logger: Logger;
  /** Working directory of sessions that name none. */
  defaultDirectory: URI | undefined;
  /** To all clients. */
  notify(notification: ProtocolNotification): void;
  isConnected(clientId: string): boolean;
}

interface Entry {
  controller: SessionController;
  /** Real path. */
  workingDirectory: string;
}

const DEFAULT_TURNS = 50;
const MAX_TURNS = 200;
const SUBAGENT_PATH = '/subagent/';

export class Sessions implements Disposable {
  readonly #entries = new Map<URI, Entry>();
  /** Being created, not yet in the store. */
  readonly #reserved = new Set<URI>();
  readonly #active = new Set<URI>();
  readonly #summaries: SummaryNotifier;
  readonly #listener: Disposable;
  #disposed = false;

  constructor(private readonly options: SessionsOptions) {
    this.#summaries = new SummaryNotifier(options.store, options.notify);
    this.#listener = options.store.onDidDispatch(({ resource }) => this.#countActive(resource));
  }

  /** Sessions with a turn in progress. */
  get activeCount(): number {
    return this.#active.size;
  }

  controller(uri: URI): SessionController | undefined {
    return this.#entries.get(uri)?.controller;
  }

  list(): SessionSummary[] {
    return [...this.#entries.keys()].flatMap((uri) => this.options.store.session(uri)?.summary ?? []);
  }

  /** Real paths of the working directories. */
  workingDirectories(): string[] {
    return [...new Set([...this.#entries.values()].map(({ workingDirectory }) => workingDirectory))];
  }

  /** Answers as soon as the session is there (`creating`); its backend is made after that. */
  async create(params: CreateSessionParams, clientId: string): Promise<void> {
    const uri = params.session;
    this.#checkName(uri);
    if (this.#reserved.has(uri) || this.options.store.get(uri)) throw new RpcError(ErrorCode.SessionAlreadyExists, `${uri} exists already`);
    this.#reserved.add(uri);
    try {
      const { agent, state, workingDirectory } = await this.#prepare(params, clientId);
      if (this.#disposed) throw new RpcError(ErrorCode.InternalError, 'the host is shutting down');
      const controller = this.#add(uri, state, workingDirectory);
      const services = {
        ...this.options,
        startSubagent: (parent: URI, options: StartSubagentOptions) => this.#startSubagent(parent, options),
      };
      void controller.create(agent, new SessionHost(services, uri, workingDirectory, state));
    } finally {
      this.#reserved.delete(uri);
    }
  }

  /** Throws SessionNotFound. Takes the sessions of its subagents along. */
  disposeSession(uri: URI): void {
    const entry = this.#entries.get(uri);
    if (!entry) throw sessionNotFound(uri);
    this.#entries.delete(uri);
    for (const other of [...this.#entries.keys()]) if (other.startsWith(uri + SUBAGENT_PATH)) this.disposeSession(other);
    entry.controller.dispose();
    this.options.terminals.disposeOfSession(uri);
    this.options.contents.disposeOfSession(uri);
    this.#summaries.delete(uri);
    this.options.store.delete(uri);
    this.#countActive(uri);
    this.options.notify({ type: 'notify/sessionRemoved', session: uri });
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
    for (const { controller } of this.#entries.values()) controller.clientLeft(clientId);
  }

  dispose(): void {
    this.#disposed = true;
    for (const uri of [...this.#entries.keys()]) if (this.#entries.has(uri)) this.disposeSession(uri);
    this.#summaries.dispose();
    this.#listener.dispose();
  }

  #checkName(uri: URI): void {
    const taken = uri.startsWith(TERMINAL_SCHEME) || uri.startsWith('agenthost:') || uri.includes(SUBAGENT_PATH);
    if (taken) throw new RpcError(ErrorCode.InvalidParams, 'session must be a URI like <provider>:/<id>');
  }

  async #prepare(params: CreateSessionParams, clientId: string): Promise<{ agent: Agent; state: SessionState; workingDirectory: string }> {
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
    const workingDirectory = await existingDirectory(workingDirectoryUri, 'workingDirectory');
    const config = await this.#resolveConfig(agent, workingDirectoryUri, params.config, source?.config?.values);
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
        workingDirectory: workingDirectoryUri,
      },
      lifecycle: 'creating',
      turns: source?.turns ?? [],
      ...(params.activeClient && isConnected(clientId) && { activeClient: params.activeClient }),
      ...(config && { config }),
    };
    return { agent, state, workingDirectory };
  }

  /** The session to fork, its turns cut after the one to fork at. */
  #forkSource({ session, turnId }: { session: URI; turnId: string }): SessionState & { turns: Turn[] } {
    const source = this.#require(session);
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
    const { schema, values } = await agentCall(agent, agent.resolveSessionConfig(params));
    const problem = given && configProblem(schema, given);
    if (problem) throw invalid(problem);
    return Object.keys(schema.properties).length > 0 ? { schema, values } : undefined;
  }

  #add(uri: URI, state: SessionState, workingDirectory: string): SessionController {
    const { store, logger, isConnected, notify } = this.options;
    store.add(uri, state);
    const controller = new SessionController(uri, { store, logger, isConnected });
    this.#entries.set(uri, { controller, workingDirectory });
    this.#summaries.add(uri);
    notify({ type: 'notify/sessionAdded', summary: state.summary });
    return controller;
  }

  #startSubagent(parent: URI, { toolCallId, title, prompt }: StartSubagentOptions): SubagentTurn {
    const { store } = this.options;
    const entry = this.#entries.get(parent);
    const parentTurn = entry?.controller.turn;
    const parentState = store.session(parent);
    if (!entry || !parentTurn || !parentState) throw new Error('a subagent needs a turn in progress');
    const uri = parent + SUBAGENT_PATH + encodeURIComponent(toolCallId);
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
    const controller = this.#add(uri, { summary, lifecycle: 'ready', turns: [] }, entry.workingDirectory);
    parentTurn.onDidEnd(() => controller.cancelTurn('the turn that started the subagent is over'));
    return controller.startSubagentTurn(prompt);
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

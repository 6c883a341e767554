/** The agent host without its sockets: the state that all clients share, and the commands and actions that they send. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { grantsMetaFor } from '../ahp/grants.ts';
import { hasHooks, hooksMeta } from '../ahp/hookRequests.ts';
import { hasLentFiles, lentFilesMeta } from '../ahp/lentFiles.ts';
import { resourceOf, type ActionOrigin, type StateAction } from '../ahp/v1/actions.ts';
import {
  PROTOCOL_VERSION,
  type InitializeParams,
  type InitializeResult,
  type ReconnectParams,
  type ReconnectResult,
  type Snapshot,
} from '../ahp/v1/commands.ts';
import type { URI } from '../ahp/v1/common.ts';
import { ErrorCode } from '../ahp/v1/errors.ts';
import type { SessionAction } from '../ahp/v1/session.ts';
import { TERMINAL_SCHEME, type TerminalAction } from '../ahp/v1/terminal.ts';
import { Emitter } from '../base/event.ts';
import { messageOf } from '../base/errors.ts';
import { RpcError } from '../base/jsonRpc.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { check } from './checks/actionChecks.ts';
import type { Agent } from './agents/agent.ts';
import { Authentication } from './sessions/creation/authentication.ts';
import { Clients, isOwn, type Client } from './state/clients.ts';
import { ClientHooks } from './hooks/clientHooks.ts';
import { ContentStore } from './files/contentStore.ts';
import { DurableContents } from './state/durable/durableContents.ts';
import { SessionArchive } from './state/durable/sessionArchive.ts';
import { type Write } from '../base/node/wholeFile.ts';
import { LentFiles } from './hooks/lentFiles.ts';
import { Resources } from './files/resources.ts';
import { Lenders } from './state/lenders.ts';
import { SessionConfigs } from './sessions/creation/sessionConfigs.ts';
import { sessionNotFound, Sessions } from './sessions/sessions.ts';
import { StateStore } from './state/stateStore.ts';
import { Terminals } from './terminals/terminals.ts';
import { SessionWorkspaces } from './files/workspace/sessionWorkspaces.ts';

export interface HostOptions {
  /** The first one is used where a client names no provider. The host disposes of them. */
  agents: readonly Agent[];
  logger: Logger;
  /** Envelopes kept for clients that reconnect. */
  replayLimit?: number;
  /** A `file:` URI. The working directory of sessions and terminals that name none, suggested to clients. */
  defaultDirectory?: URI;
  /** Paths whose content clients may read and change, besides the working directories of sessions. */
  roots?: readonly string[];
  /** Where sessions are kept, for this host alone. Absent: they end with the host. */
  sessionsFolder?: string;
  /** Writes the bytes of session files. */
  writeSessions?: Write;
  /** How long a client may take to decide about a call. */
  hookDecisionMs?: number;
  /** How long the open calls of a client that has left wait for it. */
  clientReturnMs?: number;
  /** How many sessions that nobody uses keep their states in memory. */
  maxAwakeSessions?: number;
}

export class Host implements Disposable {
  readonly store: StateStore;
  readonly clients: Clients;
  readonly lenders: Lenders;
  readonly sessions: Sessions;
  readonly terminals: Terminals;
  readonly resources: Resources;
  readonly authentication: Authentication;
  readonly sessionConfigs: SessionConfigs;
  readonly #disposables = new DisposableStore();
  readonly #didChangeActivity = new Emitter<void>();
  #wasBusy = false;

  /** Fires when clients connect or leave, and when {@link isBusy} changes. */
  readonly onDidChangeActivity = this.#didChangeActivity.event;

  constructor(private readonly options: HostOptions) {
    const { agents, logger, defaultDirectory, roots = [] } = options;
    const { sessionsFolder: folder } = options;
    const archive =
      folder === undefined ? undefined : this.#disposables.add(new SessionArchive({ folder, logger, write: options.writeSessions }));
    const contents = archive ? new DurableContents(archive) : new ContentStore();
    this.store = new StateStore({ replayLimit: options.replayLimit, afterSeq: archive?.highestSeq });
    // This listener is the first one, so that everything is written before clients hear of it.
    archive?.attach(this.store);
    // This listener is the second one, so that clients hear of everything in the order in which it happened.
    this.clients = this.#disposables.add(new Clients(this.store, { returnMs: options.clientReturnMs }));
    for (const agent of agents) {
      this.#disposables.add(agent);
      this.#disposables.add(agent.onDidChangeInfo(() => this.#publishAgents()));
    }
    this.#publishAgents();
    this.authentication = new Authentication(agents);
    const workspaces = folder === undefined ? undefined : new SessionWorkspaces(join(folder, 'worktrees'), logger);
    this.sessionConfigs = new SessionConfigs(workspaces);
    this.terminals = this.#disposables.add(new Terminals(this.store, { logger }));
    this.lenders = this.#disposables.add(new Lenders(this.store));
    // It hears of a client that leaves while the client still lends its tools.
    const hooks = this.#disposables.add(
      new ClientHooks({ store: this.store, lenders: this.lenders, clients: this.clients, logger, decisionMs: options.hookDecisionMs }),
    );
    this.sessions = this.#disposables.add(
      new Sessions({
        store: this.store,
        lenders: this.lenders,
        agents,
        authentication: this.authentication,
        contents,
        lent: new LentFiles(this.clients, logger),
        terminals: this.terminals,
        logger,
        defaultDirectory,
        notify: (notification) => this.clients.notifyAll(notification),
        isConnected: (clientId) => this.clients.isConnected(clientId),
        isExpected: (clientId) => this.clients.isExpected(clientId),
        hooks,
        isSubscribed: (resource) => this.clients.isSubscribed(resource),
        archive,
        configs: this.sessionConfigs,
        workspaces,
        maxAwake: options.maxAwakeSessions,
      }),
    );
    this.resources = new Resources({ roots: () => [...roots, ...this.sessions.workingDirectories()], contents });
    this.clients.onDidLeave((clientId) => {
      this.lenders.left(clientId);
      this.sessions.clientLeft(clientId);
    });
    this.clients.onDidGiveUp((clientId) => this.sessions.clientGone(clientId));
    this.clients.onDidChangeCount(() => this.#didChangeActivity.fire());
    this.store.onDidDispatch(({ envelope }) => {
      if (envelope.action.type === 'root/activeSessionsChanged' || envelope.action.type === 'root/terminalsChanged') this.#checkBusy();
    });
  }

  /** True while a turn is running, or a terminal has a running process. */
  get isBusy(): boolean {
    return this.sessions.activeCount > 0 || this.terminals.runningCount > 0;
  }

  /** For sessions and terminals that name no directory. */
  get defaultDirectory(): URI {
    return this.options.defaultDirectory ?? pathToFileURL(homedir()).href;
  }

  /** Throws UnsupportedProtocolVersion. `makeClient` is called when the handshake succeeds. */
  initialize(params: InitializeParams, makeClient: (clientId: string) => Client): InitializeResult {
    if (params.protocolVersion !== PROTOCOL_VERSION) {
      const message = `protocol version ${params.protocolVersion} is not supported; this host speaks version ${PROTOCOL_VERSION}`;
      throw new RpcError(ErrorCode.UnsupportedProtocolVersion, message, { supportedVersions: [PROTOCOL_VERSION] });
    }
    const client = makeClient(params.clientId);
    this.clients.join(client, { dialect: 'v1', answersHooks: hasHooks(params._meta) });
    const { defaultDirectory } = this.options;
    return {
      protocolVersion: PROTOCOL_VERSION,
      serverSeq: this.store.serverSeq,
      snapshots: this.#subscribeAll(client, params.initialSubscriptions ?? []),
      ...(defaultDirectory !== undefined && { defaultDirectory }),
      ...this.extensionsFor(params._meta),
    };
  }

  /** The extensions that the client has too. Others get nothing that their protocol does not have. */
  extensionsFor(meta: unknown): { _meta?: Record<string, unknown> } {
    const _meta = { ...(hasHooks(meta) && hooksMeta), ...grantsMetaFor(meta), ...(hasLentFiles(meta) && lentFilesMeta) };
    return Object.keys(_meta).length > 0 ? { _meta } : {};
  }

  /** Throws NotFound for a client that this run of the host does not know: its sequence numbers mean nothing here. */
  reconnect(params: ReconnectParams, makeClient: (clientId: string) => Client): ReconnectResult {
    if (this.clients.dialectOf(params.clientId) !== 'v1')
      throw new RpcError(ErrorCode.NotFound, 'this host does not know the client; initialize again');
    const client = makeClient(params.clientId);
    this.clients.rejoin(client);
    const missed = this.store.replay(params.lastSeenServerSeq, new Set(params.subscriptions));
    const snapshots = this.#subscribeAll(client, params.subscriptions);
    if (!missed) return { type: 'snapshot', snapshots };
    return {
      type: 'replay',
      actions: missed.filter((envelope) => envelope.rejectionReason === undefined || isOwn(client.clientId, envelope)),
    };
  }

  /** Throws SessionNotFound, or NotFound where the URI cannot be that of a session. */
  subscribe(client: Client, resource: URI): Snapshot {
    this.sessions.wake(resource);
    const snapshot = this.store.snapshot(resource);
    if (!snapshot) {
      if (!resource.startsWith(TERMINAL_SCHEME) && !resource.startsWith('agenthost:')) throw sessionNotFound(resource);
      throw new RpcError(ErrorCode.NotFound, `there is no ${resource}`);
    }
    client.subscriptions.add(resource);
    return snapshot;
  }

  /** Applies an action, or rejects it with a reason. An action for a resource that does not exist is ignored. */
  dispatchAction(clientId: string, clientSeq: number, action: StateAction): void {
    const staleSeq = this.clients.takeClientSeq(clientId, clientSeq);
    const origin: ActionOrigin = { clientId, clientSeq };
    const resource = resourceOf(action);
    try {
      if (resource !== undefined) this.sessions.wake(resource);
    } catch (error) {
      this.store.reject(action, origin, messageOf(error));
      return;
    }
    if (resource !== undefined && !this.store.get(resource)) {
      this.options.logger.debug(`ignored ${action.type.slice(0, 100)} for ${resource.slice(0, 200)}, which does not exist`);
      return;
    }
    const reason = staleSeq ?? this.#apply(action, origin, resource);
    if (reason !== undefined) this.store.reject(action, origin, reason);
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#didChangeActivity.dispose();
  }

  #apply(action: StateAction, origin: ActionOrigin, resource: URI | undefined): string | undefined {
    const runner = resource === undefined ? undefined : this.sessions.runner(resource);
    if (runner) return runner.apply(action as SessionAction, origin);
    const state = resource === undefined ? undefined : this.store.get(resource);
    const reason = check(action, state, { clientId: origin.clientId, root: this.store.root, takesTurns: true });
    if (reason !== undefined) return reason;
    if (resource !== undefined && this.store.terminal(resource)) return this.terminals.applyClientAction(action as TerminalAction, origin);
    this.store.dispatch(action, origin);
    return undefined;
  }

  #subscribeAll(client: Client, resources: readonly URI[]): Snapshot[] {
    return [...new Set(resources)].flatMap((resource) => {
      try {
        this.sessions.wake(resource);
      } catch (error) {
        this.options.logger.warn(`left out ${resource}: ${messageOf(error)}`);
        return [];
      }
      const snapshot = this.store.snapshot(resource);
      if (!snapshot) return [];
      client.subscriptions.add(resource);
      return [snapshot];
    });
  }

  #publishAgents(): void {
    this.store.dispatch({ type: 'root/agentsChanged', agents: this.options.agents.map(({ info }) => info) });
  }

  #checkBusy(): void {
    if (this.isBusy === this.#wasBusy) return;
    this.#wasBusy = !this.#wasBusy;
    this.#didChangeActivity.fire();
  }
}

/** The agent host without its sockets: the state that all clients share, and the actions that they send. */
import { said } from '../base/text/phrase.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ActionOrigin, StateAction } from '../ahp/channels/actions.ts';
import type { AnnotationsAction } from '../ahp/channels/annotations.ts';
import type { ChangesetAction } from '../ahp/channels/changeset.ts';
import type { ChatAction } from '../ahp/channels/chat/actions.ts';
import { ROOT_CHANNEL, type RootAction } from '../ahp/channels/root.ts';
import type { SessionAction } from '../ahp/channels/session/actions.ts';
import type { TerminalAction } from '../ahp/channels/terminal.ts';
import type { URI } from '../ahp/common/shapes.ts';
import { grantsMetaFor } from '../ahp/grants.ts';
import { hasHooks, hooksMeta } from '../ahp/hookRequests.ts';
import { chatNamesMeta, hasChatNames } from '../ahp/chatNames.ts';
import { hasLentFiles, lentFilesMeta } from '../ahp/lentFiles.ts';
import { Emitter } from '../base/event.ts';
import { messageOf } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { CANNOT, changesetProblem, rootProblem, shapeProblem } from './checks/actionChecks.ts';
import { annotationsProblem } from './checks/annotationChecks.ts';
import type { Agent } from './agents/agent.ts';
import { Changesets } from './changes/changesets.ts';
import { SessionEdits } from './changes/sessionEdits.ts';
import { SessionSource } from './changes/sessionSource.ts';
import { TurnSource } from './changes/turnSource.ts';
import { moveAnnotations } from './annotations/moveAnnotations.ts';
import { uncommittedChanges } from './changes/uncommitted.ts';
import { Authentication } from './sessions/creation/authentication.ts';
import { Clients } from './state/clients.ts';
import { ClientHooks } from './hooks/clientHooks.ts';
import { ContentStore } from './files/contentStore.ts';
import { DurableContents } from './state/durable/durableContents.ts';
import { SessionArchive } from './state/durable/sessionArchive.ts';
import { type Write } from '../base/node/wholeFile.ts';
import { LentFileReader } from './hooks/lentFileReader.ts';
import { Resources } from './files/resources.ts';
import { SessionConfigs } from './sessions/creation/sessionConfigs.ts';
import { Sessions } from './sessions/sessions.ts';
import { StateStore } from './state/stateStore.ts';
import { HostSpans } from './telemetry/hostSpans.ts';
import { BackgroundWork } from './state/backgroundWork.ts';
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
  readonly sessions: Sessions;
  readonly changesets: Changesets;
  readonly terminals: Terminals;
  readonly resources: Resources;
  readonly authentication: Authentication;
  readonly sessionConfigs: SessionConfigs;
  readonly spans: HostSpans;
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
    this.spans = this.#disposables.add(new HostSpans(this.store));
    this.clients = this.#disposables.add(new Clients(this.store, { returnMs: options.clientReturnMs }));
    for (const agent of agents) {
      this.#disposables.add(agent);
      this.#disposables.add(agent.onDidChangeInfo(() => this.#publishAgents()));
    }
    this.#publishAgents();
    this.authentication = new Authentication(agents);
    const workspaces = folder === undefined ? undefined : new SessionWorkspaces(join(folder, 'worktrees'), logger);
    this.sessionConfigs = new SessionConfigs(workspaces);
    this.#disposables.add(new BackgroundWork(this.store));
    this.terminals = this.#disposables.add(new Terminals(this.store, { logger }));
    // It hears of a client that leaves while the client still lends its tools.
    const hooks = this.#disposables.add(
      new ClientHooks({ store: this.store, clients: this.clients, logger, decisionMs: options.hookDecisionMs }),
    );
    const edits = new SessionEdits(this.store, contents);
    const uncommitted = uncommittedChanges({
      contents,
      onDiscarded: (session, step) => moveAnnotations(this.store, contents, session, step),
      session: (uri) => {
        const [facts, state] = [this.sessions.facts(uri), this.store.session(uri)];
        return facts && state && { title: state.title, workingDirectory: facts.workingDirectory };
      },
    });
    this.store.onDidDelete((channel) => uncommitted.forget(channel));
    this.changesets = this.#disposables.add(
      new Changesets({
        ...{ store: this.store, logger },
        sources: [new SessionSource(this.store, edits), this.#disposables.add(new TurnSource(this.store, edits)), uncommitted],
        facts: (session) => this.sessions.facts(session),
        isRead: (channel) => this.clients.isRead(channel),
      }),
    );
    this.sessions = this.#disposables.add(
      new Sessions({
        store: this.store,
        agents,
        authentication: this.authentication,
        contents,
        edits,
        lent: new LentFileReader(this.clients, logger),
        terminals: this.terminals,
        logger,
        defaultDirectory,
        isConnected: (clientId) => this.clients.isConnected(clientId),
        isExpected: (clientId) => this.clients.isExpected(clientId),
        hooks,
        isRead: (channel) => this.clients.isRead(channel) || this.changesets.isInUse(channel),
        mayTakeBack: (sender, clientId) => this.#mayTakeBack(sender, clientId),
        archive,
        configs: this.sessionConfigs,
        workspaces,
        maxAwake: options.maxAwakeSessions,
      }),
    );
    this.resources = new Resources({ roots: () => [...roots, ...this.sessions.workingDirectories()], contents });
    this.clients.onDidLeave((clientId) => this.sessions.clientLeft(clientId));
    this.clients.onDidGiveUp((clientId) => this.sessions.clientGone(clientId));
    this.clients.onDidGiveUp(() => this.changesets.letGo());
    this.clients.onDidChangeCount(() => this.#didChangeActivity.fire());
    this.store.onDidDispatch(({ envelope }) => {
      if (envelope.action.type === 'root/activeSessionsChanged' || envelope.action.type === 'root/terminalsChanged') this.#checkBusy();
    });
  }

  /** True while a turn is running, or a terminal has a running process. */
  get isBusy(): boolean {
    return this.sessions.activeCount > 0 || this.terminals.runningCount > 0;
  }

  /** As it was configured. */
  get ownDefaultDirectory(): URI | undefined {
    return this.options.defaultDirectory;
  }
  /** For sessions and terminals that name no directory. */
  get defaultDirectory(): URI {
    return this.options.defaultDirectory ?? pathToFileURL(homedir()).href;
  }

  /** The extensions that the client has too. Others get nothing that their protocol does not have. */
  extensionsFor(meta: unknown): { _meta?: Record<string, unknown> } {
    const _meta = {
      ...(hasHooks(meta) && hooksMeta),
      ...grantsMetaFor(meta),
      ...(hasLentFiles(meta) && lentFilesMeta),
      ...(hasChatNames(meta) && chatNamesMeta),
    };
    return Object.keys(_meta).length > 0 ? { _meta } : {};
  }

  /** Applies an action, or rejects it with a reason. The number of its client was taken before. */
  dispatchAction(clientId: string, clientSeq: number, channel: URI, action: StateAction): void {
    const origin: ActionOrigin = { clientId, clientSeq };
    let reason: string | undefined;
    try {
      this.sessions.wake(channel);
      reason = this.#apply(channel, action, origin);
    } catch (error) {
      reason = messageOf(error);
    }
    if (reason !== undefined) this.store.reject(channel, action, origin, reason);
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#didChangeActivity.dispose();
  }

  #apply(channel: URI, action: StateAction, origin: ActionOrigin): string | undefined {
    const kind = this.store.kindOf(channel);
    if (kind === undefined) return `there is no ${channel}`;
    const problem = shapeProblem(action, kind);
    if (problem !== undefined) return problem;
    const runner = this.sessions.runner(this.store.sessionOf(channel) ?? '');
    switch (kind) {
      case 'session':
        return runner?.apply(action as SessionAction, origin);
      case 'chat':
        return runner?.applyToChat(channel, action as ChatAction, origin);
      case 'terminal':
        return this.terminals.applyClientAction(channel, action as TerminalAction, origin);
      case 'root': {
        const reason = rootProblem(action as RootAction, this.store.root);
        if (reason === undefined) this.store.dispatch(channel, action, origin);
        return reason;
      }
      case 'changeset': {
        const reason = changesetProblem(action as ChangesetAction, this.store.changeset(channel));
        if (reason === undefined) this.store.dispatch(channel, action, origin);
        return reason;
      }
      case 'annotations': {
        const state = this.store.annotations(channel) ?? { annotations: [] };
        const reason = annotationsProblem(action as AnnotationsAction, state, this.store.sessionOf(channel) ?? '');
        if (reason === undefined) this.store.dispatch(channel, action, origin);
        return reason === undefined ? undefined : said(reason);
      }
      default:
        return CANNOT;
    }
  }

  /** In AHP v1 the user moves the role of the active client to another window in two steps. */
  #mayTakeBack(sender: string, clientId: string): boolean {
    return this.clients.dialectOf(sender) === 'v1' && this.clients.dialectOf(clientId) === 'v1';
  }

  #publishAgents(): void {
    this.store.dispatch(ROOT_CHANNEL, { type: 'root/agentsChanged', agents: this.options.agents.map(({ info }) => info) });
  }

  #checkBusy(): void {
    if (this.isBusy === this.#wasBusy) return;
    this.#wasBusy = !this.#wasBusy;
    this.#didChangeActivity.fire();
  }
}

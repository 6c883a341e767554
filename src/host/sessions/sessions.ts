/**
 * All sessions of the host: creating, listing and disposing of them, and what changes in the list.
 *
 * With an archive they outlive the host. Sessions of earlier runs are not loaded (they sleep), and only what lists show is known, until a
 * client uses them. When too many are loaded, the idle one that was used longest ago is unloaded.
 */
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChannelState } from '../../ahp/channels/channelReducers.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { isSubagent } from '../../ahp/subagentUri.ts';
import { englishOf, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import * as l10n from '../../base/l10n.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { Agent, AgentChat, AgentChatHost, ChatName } from '../agents/agent.ts';
import { openAnnotations, withAnnotations } from '../annotations/sessionAnnotations.ts';
import { withContents, type Contents } from '../files/contentStore.ts';
import { existingDirectory } from '../files/existingDirectory.ts';
import type { SessionWorkspaces } from '../files/workspace/sessionWorkspaces.ts';
import { annotationsUri, changesUri, chatUri, namedSession, nameOfChat } from '../state/chatUris.ts';
import { amended } from '../state/amended.ts';
import { stateIn } from '../state/durable/listedChannels.ts';
import { readProblem, type ArchivedSession, type SessionArchive } from '../state/durable/sessionArchive.ts';
import { listedSession, type ListedSession, type SessionFacts } from '../state/listedSession.ts';
import type { DispatchedAction, StateStore, StoredChannel } from '../state/stateStore.ts';
import type { Terminals } from '../terminals/terminals.ts';
import type { ChatHostServices } from './chatHost.ts';
import { ChatMirror } from './chatMirror.ts';
import type { ChatRunnerOptions } from './chatRunner.ts';
import { agentCall } from './creation/agentCall.ts';
import type { Authentication } from './creation/authentication.ts';
import type { SessionConfigs } from './creation/sessionConfigs.ts';
import { prepareSession, type SessionPreparation, type SessionRequest } from './creation/sessionPreparation.ts';
import { type ChatRequest, SessionRunner } from './sessionRunner.ts';

export interface SessionsOptions extends ChatHostServices, Pick<ChatRunnerOptions, 'hooks' | 'isExpected'> {
  store: StateStore;
  agents: readonly Agent[];
  authentication: Authentication;
  contents: Contents;
  terminals: Terminals;
  /** The working directory of sessions that name none. */
  defaultDirectory: URI | undefined;
  isConnected(clientId: string): boolean;
  isRead(channel: URI): boolean;
  /** Whether a client may take back the tools that another one lends. */
  mayTakeBack(sender: string, clientId: string): boolean;
  configs: SessionConfigs;
  /** Absent: sessions work in the folders that they are given. */
  workspaces?: SessionWorkspaces | undefined;
  /** Absent: sessions end with the host. */
  archive?: SessionArchive | undefined;
  /** How many sessions that nobody uses stay loaded. */
  maxAwake?: number | undefined;
}

/** What happens to the list. */
export type SessionsChange =
  | { type: 'added'; session: ListedSession }
  | { type: 'removed'; session: URI; chats: readonly ChatSummary[] }
  /** The session may look otherwise in a list. */
  | { type: 'changed'; session: URI };

interface Entry {
  facts: SessionFacts;
  /** Absent while the session sleeps. */
  runner?: SessionRunner | undefined;
  /** While the session sleeps, as it was then. */
  listed: ListedSession;
  /** The session cannot be read. What is listed says so. */
  unreadable?: boolean;
}

const DEFAULT_MAX_AWAKE = 50;

export class Sessions implements Disposable {
  /** In the order of their creation. */
  readonly #entries = new Map<URI, Entry>();
  /** Loaded sessions, the least recently used one first. */
  readonly #awake = new Set<URI>();
  /** Sessions that are being created and are not in the store yet. */
  readonly #reserved = new Set<URI>();
  /** Chats with a turn in progress. */
  readonly #active = new Set<URI>();
  readonly #mirror: ChatMirror;
  readonly #listeners: Disposable[] = [];
  readonly #preparation: SessionPreparation;
  readonly #didChange = new Emitter<SessionsChange>();
  readonly onDidChange = this.#didChange.event;
  #disposed = false;

  constructor(private readonly options: SessionsOptions) {
    const { archive, store } = options;
    this.#mirror = new ChatMirror(store);
    this.#preparation = { ...options, agent: (provider) => this.agent(provider), chatOf: (uri) => this.#requireChat(uri) };
    this.#listeners.push(store.onDidDispatch((dispatched) => this.#follow(dispatched)));
    if (!archive) return;
    this.#listeners.push(archive.onDidChangeProblem(({ session, problem }) => this.runner(session)?.noteSaveProblem(problem)));
    for (const found of archive.found) this.#takeUp(found);
  }

  /** The number of chats with a turn in progress. */
  get activeCount(): number {
    return this.#active.size;
  }

  runner(uri: URI): SessionRunner | undefined {
    return this.#entries.get(uri)?.runner;
  }
  facts(uri: URI): SessionFacts | undefined {
    return this.#entries.get(uri)?.facts;
  }

  list(): ListedSession[] {
    return [...this.#entries.values()].map((entry) => this.#listed(entry));
  }
  listed(uri: URI): ListedSession | undefined {
    const entry = this.#entries.get(uri);
    return entry && this.#listed(entry);
  }

  /** Real paths of the working directories. */
  workingDirectories(): string[] {
    return [...new Set([...this.#entries.values()].map(({ facts }) => facts.workingDirectory))];
  }

  /** Loads the session of a channel into the store, if there is such a session. Throws when it cannot be read. */
  wake(channel: URI): void {
    const uri = this.#sessionOf(channel);
    const entry = uri === undefined ? undefined : this.#entries.get(uri);
    if (!entry) return;
    if (!entry.runner) this.#awaken(entry);
    if (channel === annotationsUri(entry.facts.uri)) openAnnotations(this.options.store, entry.facts.uri);
    this.#use(entry.facts.uri);
  }

  /** A channel of a session that sleeps, as it is once the session is loaded, where that is known without loading it. */
  glance(channel: URI): StoredChannel | undefined {
    const uri = this.#sessionOf(channel);
    const entry = uri === undefined ? undefined : this.#entries.get(uri);
    if (!entry || entry.runner || entry.unreadable) return undefined;
    const channels = this.options.archive?.glance(entry.facts.uri);
    const session = channels && stateIn(channels, entry.facts.uri, 'session');
    const found = session && channels.find((stored) => stored.channel === channel);
    return found && ({ ...found, state: amended(found, session, entry.listed.summary) } as StoredChannel);
  }

  /** Resolves when the session exists (`creating`). The backend of its chat is created after that. */
  async create(request: SessionRequest, clientId: string): Promise<void> {
    const uri = request.session;
    this.#checkName(uri);
    if (this.#reserved.has(uri) || this.#isTaken(uri)) throw new RpcError(ErrorCode.SessionAlreadyExists, `${uri} exists already`);
    this.#reserved.add(uri);
    try {
      const { facts, channels, workspace } = await prepareSession(this.#preparation, request, clientId);
      const { worktree } = workspace;
      try {
        if (this.#disposed) throw new RpcError(ErrorCode.InternalError, 'the host is shutting down');
        // The contents of the source would be deleted with it.
        if (request.fork) this.#requireChat(request.fork.chat);
        void this.#add(facts, channels).create();
      } catch (error) {
        if (worktree) await this.options.workspaces?.discard(worktree);
        throw error;
      }
    } finally {
      this.#reserved.delete(uri);
    }
  }

  /**
   * Removes the session with its chats at once. Resolves when its agent has deleted its data and its worktree is handled too. Rejects with
   * SessionNotFound.
   */
  async disposeSession(uri: URI): Promise<void> {
    const entry = this.#entries.get(uri);
    if (!entry) throw sessionNotFound(uri);
    const { facts, runner } = entry;
    const { summary, chats } = this.#listed(entry);
    this.#entries.delete(uri);
    runner?.dispose();
    this.#awake.delete(uri);
    this.options.terminals.disposeOfSession(uri);
    this.options.contents.disposeOfSession(uri);
    this.options.archive?.delete(uri);
    this.#unload(uri);
    this.#didChange.fire({ type: 'removed', session: uri, chats });
    // Of a session that cannot be read, the chats are not known.
    const { provider, defaultChat = chatUri(uri) } = summary;
    await this.#forget(provider, { session: uri, chat: defaultChat, isDefault: true });
    for (const { resource: chat, origin } of chats)
      if (chat !== defaultChat && origin?.kind !== 'tool') await this.#forget(provider, { session: uri, chat, isDefault: false });
    const { worktree } = facts;
    if (!worktree) return;
    if (this.workingDirectories().some((path) => path === worktree.path || path.startsWith(worktree.path + sep)))
      this.options.logger.warn(`The worktree ${worktree.path} is kept: another session works there.`);
    else await this.options.workspaces?.discard(worktree);
  }

  /** Opens a chat. Throws SessionNotFound and what is wrong with the request. */
  createChat(session: URI, request: ChatRequest): void {
    this.wake(session);
    const runner = this.runner(session);
    if (!runner) throw sessionNotFound(session);
    runner.createChat(request);
  }

  /** Throws NotFound, and InvalidParams for the chat of a subagent. */
  renameChat(uri: URI, title: string): void {
    this.wake(uri);
    const session = this.options.store.sessionOf(uri);
    const runner = session === undefined ? undefined : this.runner(session);
    if (!runner?.chat(uri)) throw new RpcError(ErrorCode.NotFound, `there is no ${uri}`);
    if (this.options.store.chat(uri)?.origin?.kind === 'tool')
      throw new RpcError(ErrorCode.InvalidParams, l10n.t('the chat of a subagent has the name of its task'));
    runner.nameChat(uri, title);
  }

  /** Removes a chat at once. Resolves when its agent has deleted its data. Rejects with NotFound or InvalidParams. */
  async disposeChat(uri: URI): Promise<void> {
    this.wake(uri);
    const session = this.options.store.sessionOf(uri);
    const runner = session === undefined ? undefined : this.runner(session);
    const { provider } = this.options.store.session(session ?? '') ?? {};
    if (session === undefined || !runner || provider === undefined) throw new RpcError(ErrorCode.NotFound, `there is no ${uri}`);
    for (const chat of runner.removeChat(uri)) this.#countActive(chat);
    await this.#forget(provider, { session, chat: uri, isDefault: false });
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
    this.#mirror.dispose();
    for (const listener of this.#listeners) listener.dispose();
    this.#didChange.dispose();
  }

  #listed({ facts, listed, runner }: Entry): ListedSession {
    const { store } = this.options;
    const session = runner && store.session(facts.uri);
    if (!session) return listed;
    const edits = store.changeset(changesUri(facts.uri))?.files.map(({ edit }) => edit);
    const annotations = store.annotations(annotationsUri(facts.uri))?.annotations;
    return listedSession(facts, session, { defaultChat: store.chat(session.defaultChat ?? ''), edits, annotations });
  }

  /** Also of a channel whose session sleeps, as far as its URI tells. */
  #sessionOf(channel: URI): URI | undefined {
    const known = this.options.store.sessionOf(channel);
    if (known !== undefined) return known;
    if (this.#entries.has(channel)) return channel;
    const named = namedSession(channel);
    if (named !== undefined && this.#entries.has(named)) return named;
    return [...this.#entries.values()].find(({ listed }) => listed.chats.some(({ resource }) => resource === channel))?.facts.uri;
  }

  #checkName(uri: URI): void {
    const taken = uri.startsWith('agenthost') || uri.startsWith('ahp-') || isSubagent(uri);
    if (taken) throw new RpcError(ErrorCode.InvalidParams, 'session must be a URI like <provider>:/<id>');
  }

  #isTaken(uri: URI): boolean {
    return this.#entries.has(uri) || this.options.archive?.has(uri) === true;
  }

  #add(facts: SessionFacts, prepared: readonly StoredChannel[]): SessionRunner {
    const { store, archive, contents } = this.options;
    const { uri } = facts;
    let channels: StoredChannel[];
    try {
      channels = prepared.map((stored) =>
        stored.kind === 'chat' ? { ...stored, state: { ...stored.state, turns: withContents(stored.state.turns, uri, contents) } } : stored,
      );
      archive?.create(facts, channels, store.serverSeq);
    } catch (error) {
      contents.disposeOfSession(uri);
      archive?.delete(uri);
      throw new RpcError(ErrorCode.InternalError, l10n.t`the session cannot be saved: ${messageOf(error)}`);
    }
    const [first] = channels;
    const entry: Entry = { facts, listed: listedSession(facts, first?.state as SessionState, {}) };
    this.#entries.set(uri, entry);
    const runner = this.#show(entry, channels);
    this.#use(uri);
    this.#didChange.fire({ type: 'added', session: this.#listed(entry) });
    return runner;
  }

  /** Adds a session of an earlier run. */
  #takeUp({ facts, listed, interrupted, unreadable }: ArchivedSession): void {
    this.#entries.set(facts.uri, { facts, listed, unreadable });
    if (!interrupted) return;
    try {
      this.wake(facts.uri);
    } catch (error) {
      // One unreadable session must not keep the host from starting. Clients that ask for it are told why.
      this.options.logger.error(`${facts.uri} cannot be opened and is left unchanged: ${englishOf(error)}`);
    }
  }

  #awaken(entry: Entry): void {
    const { uri } = entry.facts;
    const { store, isRead } = this.options;
    const runner = this.#show(entry, this.#read(uri));
    const session = store.session(uri);
    for (const stored of session ? store.family(uri) : []) {
      // The host was killed while the chat came or went.
      if (stored.kind === 'chat' && !session?.chats.some(({ resource }) => resource === stored.channel)) store.delete(stored.channel);
      // As its readers have seen it.
      else if (session && isRead(stored.channel)) store.amend(stored.channel, amended(stored, session, entry.listed.summary));
    }
    runner.resume();
    this.#mirror.refresh(uri);
    if (!entry.unreadable) return;
    entry.unreadable = false;
    this.#didChange.fire({ type: 'changed', session: uri });
  }

  #read(uri: URI): StoredChannel[] {
    const { archive, logger } = this.options;
    if (!archive) throw new Error(`${uri} is not loaded, and there is no archive`);
    try {
      return archive.open(uri);
    } catch (error) {
      logger.error(`${uri} cannot be read: ${englishOf(error)}`);
      throw new RpcError(ErrorCode.InternalError, readProblem(error));
    }
  }

  #show(entry: Entry, channels: readonly StoredChannel[]): SessionRunner {
    const { archive, mayTakeBack } = this.options;
    const { facts } = entry;
    for (const channel of withAnnotations(channels, facts.uri)) this.options.store.add(channel, facts.uri);
    entry.runner = new SessionRunner(facts, {
      ...this.options,
      mayTakeBack,
      createChat: (host, isNew) => this.#createChat(host, isNew),
      saveProblem: () => archive?.problem(facts.uri),
    });
    return entry.runner;
  }

  async #createChat(host: AgentChatHost, isNew: boolean): Promise<AgentChat> {
    const agent = this.agent(host.sessionState.provider);
    // So that whoever asks for a new session next sees at once that it could not be created.
    if (isNew) return agent.createChat(host);
    this.options.authentication.require(agent);
    await existingDirectory(pathToFileURL(host.workingDirectory).href, 'the working directory');
    return agent.createChat(host);
  }

  /** Marks the session as used, and unloads others if there are too many. */
  #use(uri: URI): void {
    const { archive, maxAwake = DEFAULT_MAX_AWAKE } = this.options;
    if (!archive) return;
    this.#awake.delete(uri);
    this.#awake.add(uri);
    for (const other of this.#awake) {
      if (this.#awake.size <= maxAwake) break;
      if (other !== uri && this.#canSleep(other, archive)) this.#sleep(other, archive);
    }
  }

  #canSleep(uri: URI, archive: SessionArchive): boolean {
    const { store, terminals, isRead } = this.options;
    if (!this.runner(uri)?.isIdle || terminals.isRunningFor(uri) || archive.hasProblem(uri)) return false;
    return !store.family(uri).some(({ channel }) => isRead(channel));
  }

  #sleep(uri: URI, archive: SessionArchive): void {
    const entry = this.#entries.get(uri);
    if (!entry) return;
    entry.listed = this.#listed(entry);
    entry.runner?.dispose();
    entry.runner = undefined;
    archive.release(uri);
    this.#awake.delete(uri);
    this.#unload(uri);
  }

  #unload(uri: URI): void {
    const { store } = this.options;
    for (const { channel } of store.family(uri).reverse()) {
      store.delete(channel);
      this.#countActive(channel);
    }
  }

  /** Lets the agent delete its data of a chat. A failure is logged, because the chat is gone in any case. */
  async #forget(provider: string, name: ChatName): Promise<void> {
    const agent = this.options.agents.find(({ info }) => info.provider === provider);
    if (!agent?.deleteChat) return;
    try {
      await agentCall(agent, agent.deleteChat(name));
    } catch (error) {
      this.options.logger.warn(`${agent.info.displayName} could not delete its data of ${name.session}: ${englishOf(error)}`);
    }
  }

  #follow({ kind, session, envelope, before, after }: DispatchedAction): void {
    if (session === undefined || before === after || envelope.rejectionReason !== undefined) return;
    if (kind === 'chat') this.#countActive(envelope.channel);
    const draftModelOf = (state: ChannelState | undefined) => (state && 'draft' in state ? state.draft?.model : undefined);
    const isListed =
      (kind === 'session' && listedFields.some((field) => (before as SessionState)[field] !== (after as SessionState)[field])) ||
      kind === 'changeset' ||
      kind === 'annotations' ||
      (kind === 'chat' && !sameJson(draftModelOf(before), draftModelOf(after)));
    if (isListed && this.#entries.has(session)) this.#didChange.fire({ type: 'changed', session });
  }

  #countActive(chat: URI): void {
    const { store } = this.options;
    const isActive = store.chat(chat)?.activeTurn !== undefined;
    if (isActive === this.#active.has(chat)) return;
    if (isActive) this.#active.add(chat);
    else this.#active.delete(chat);
    store.dispatch(ROOT_CHANNEL, { type: 'root/activeSessionsChanged', activeSessions: this.#active.size });
  }

  #requireChat(uri: URI): { session: SessionState; chat: ChatState } {
    this.wake(uri);
    const { store } = this.options;
    const chat = store.chat(uri);
    const session = store.session(store.sessionOf(uri) ?? '');
    if (!chat || !session) throw sessionNotFound(nameOfChat(uri) ?? uri);
    return { session, chat };
  }
}

/** What {@link listedSession} reads of a session. Most of what happens in one, such as calls that wait, shows in no list. */
const listedFields = ['provider', 'title', 'status', 'activity', 'project', 'workingDirectories', 'chats', 'defaultChat'] as const;

export function sessionNotFound(uri: URI): RpcError {
  return new RpcError(ErrorCode.SessionNotFound, `there is no session ${uri}`);
}

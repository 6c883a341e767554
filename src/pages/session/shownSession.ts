/** The session that a webview shows, and what its page gets: the root, the session, and the chats and terminals that it asked for. */
import * as l10n from '../../base/l10n.ts';
import type { SessionModel } from '../../ahp/client/model/sessionModel.ts';
import type { SubscriptionChange } from '../../ahp/client/resources/subscription.ts';
import type { RootState } from '../../ahp/channels/root.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import { ROOT_URI } from '../../ahp/common/root.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { folderOf } from '../../views/session/openChat.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { ChatSource, ResourceStatus, SnapshotMessage } from '../../webviews/session/protocol.ts';
import { type Listed, type ResourceMessage, messageOfChange, snapshotOf, statusOf, type WatchedModel } from '../resourceMessages.ts';
import type { ShownHost } from '../shownHost.ts';
import { isBelow, isNamedIn } from './namedIn.ts';
import type { SessionPlace } from './sessionPlace.ts';

/** Resources that a page asks for and that nothing names yet. */
const MAX_UNNAMED = 100;

export class ShownSession<H extends ShownHost = ShownHost> implements Disposable {
  readonly #watched = new Map<string, { model: WatchedModel; store: DisposableStore }>();
  /** A page that is there again asks for what it showed before the state that names it has come. */
  readonly #unnamed = new Map<string, 'chat' | 'terminal'>();
  #hasFirstChat = false;
  readonly #session: SessionModel;
  readonly #listed: Listed = { isListed: (uri) => this.host.client.sessions.summary(uri) !== undefined };

  constructor(
    readonly ref: SessionRef,
    readonly host: H,
    private readonly onDidChange: (model: WatchedModel, change: SubscriptionChange<ActionLike>) => void,
  ) {
    this.#follow(host.client.root() as WatchedModel);
    this.#session = host.client.session(ref.uri);
    this.#follow(this.#session as WatchedModel);
  }

  get models(): WatchedModel[] {
    return Array.from(this.#watched.values(), ({ model }) => model);
  }

  /** Undefined: the page did not ask for it. */
  get(uri: string): WatchedModel | undefined {
    return this.#watched.get(uri)?.model;
  }

  get session(): SessionState | undefined {
    return this.#session.state;
  }

  get place(): SessionPlace<H> {
    const { host, ref, session } = this;
    return { host, session: ref, folder: session && folderOf(session) };
  }

  /** True for the session, its chats and its subagents. */
  holds(uri: string): boolean {
    return this.#session.holds(uri);
  }

  /** What its page may have of the host. */
  gives(uri: string): boolean {
    if (!this.host.isOfOthers || this.holds(uri)) return true;
    const states = this.models.map(({ kind, state }) => (kind === 'session' || kind === 'chat' ? state : undefined));
    const { folder } = this.place;
    return isNamedIn(states, uri) || (folder !== undefined && isBelow(folder, uri));
  }

  /** Undefined where it is watched already, or {@link watchNamed} will have it. */
  watch(uri: string, kind: 'chat' | 'terminal'): WatchedModel | undefined {
    if (this.#watched.has(uri)) return undefined;
    if (this.gives(uri)) return this.#follow(this.host.client.model(kind, uri) as WatchedModel);
    if (this.#unnamed.size < MAX_UNNAMED) this.#unnamed.set(uri, kind);
    return undefined;
  }

  /** What was asked for before it was named, and is named now. The chat that a page begins with does not have to be asked for. */
  watchNamed(): WatchedModel[] {
    const first = this.session?.defaultChat;
    if (first !== undefined && !this.#hasFirstChat) {
      this.#hasFirstChat = true;
      if (!this.#watched.has(first)) this.#unnamed.set(first, 'chat');
    }
    return [...this.#unnamed].flatMap(([uri, kind]) => {
      if (!this.gives(uri)) return [];
      this.#unnamed.delete(uri);
      return this.watch(uri, kind) ?? [];
    });
  }

  unwatch(uri: string): void {
    if (uri === ROOT_URI || uri === this.ref.uri) return;
    this.#unnamed.delete(uri);
    this.#watched.get(uri)?.store.dispose();
    this.#watched.delete(uri);
  }

  /** The URI of a new chat. Rejects when the host refuses, or has one chat only. */
  async createChat(source: ChatSource | undefined): Promise<URI> {
    if (source && !this.holds(source.chat)) throw new Error(l10n.t('The session view named a chat that it does not show.'));
    const chat = this.#session.newChatUri();
    await this.host.client.command('createChat', { channel: this.ref.uri, chat, ...(source && { source }) });
    return chat;
  }

  /** The turns come as actions of the chat. */
  async fetchTurns(uri: URI): Promise<void> {
    const state = this.get(uri)?.state;
    const cursor = state && 'turnsNextCursor' in state ? state.turnsNextCursor : undefined;
    if (cursor === undefined || !this.holds(uri)) throw new Error(l10n.t('This chat has no older turns.'));
    await this.host.client.command('fetchTurns', { channel: uri, cursor });
  }

  snapshot(model: WatchedModel): SnapshotMessage {
    const snapshot = snapshotOf(model, this.#listed);
    return this.#isRootOfOthers(model) ? ofOthers(snapshot) : snapshot;
  }

  status(model: WatchedModel): ResourceStatus {
    return statusOf(model, this.#listed);
  }

  messageOf(model: WatchedModel, change: SubscriptionChange<ActionLike>): ResourceMessage {
    // What changes there may be what others do.
    if (change.kind !== 'status' && this.#isRootOfOthers(model)) return this.snapshot(model);
    return messageOfChange(model, change, this.#listed);
  }

  dispose(): void {
    for (const { store } of this.#watched.values()) store.dispose();
  }

  #isRootOfOthers({ kind }: WatchedModel): boolean {
    return kind === 'root' && this.host.isOfOthers === true;
  }

  #follow(model: WatchedModel): WatchedModel {
    const store = new DisposableStore();
    store.add(model);
    store.add(model.onDidChange((change) => this.onDidChange(model, change)));
    this.#watched.set(model.uri, { model, store });
    return model;
  }
}

/** Of the root the page of a session needs the agents. Terminals, settings and what runs there are the others'. */
function ofOthers({ confirmed, ...snapshot }: SnapshotMessage): SnapshotMessage {
  const { agents = [] } = (confirmed ?? {}) as Partial<RootState>;
  return { ...snapshot, ...(confirmed && { confirmed: { agents } }), pending: [] };
}

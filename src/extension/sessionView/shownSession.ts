/** The session that a webview shows, and what its page gets: the root, the session, and the chats and terminals that it asked for. */
import { withoutBeginning } from '../../views/session/toolCall/terminalText.ts';
import type { ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import type { SessionModel } from '../../ahp/client/model/sessionModel.ts';
import type { SubscriptionChange } from '../../ahp/client/resources/subscription.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import { ROOT_URI } from '../../ahp/common/root.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { ChatSource, ResourceStatus, SnapshotMessage } from '../../webviews/session/protocol.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';

export type WatchedKind = 'root' | 'session' | 'chat' | 'terminal';
export type WatchedModel = ResourceModel<WatchedKind>;

export class ShownSession implements Disposable {
  readonly #watched = new Map<string, { model: WatchedModel; store: DisposableStore }>();
  readonly #session: SessionModel;

  constructor(
    readonly ref: SessionRef,
    readonly host: RegisteredHost,
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

  /** True for the session, its chats and its subagents. */
  holds(uri: string): boolean {
    return this.#session.holds(uri);
  }

  /** Undefined where it is watched already. */
  watch(uri: string, kind: 'chat' | 'terminal'): WatchedModel | undefined {
    return this.#watched.has(uri) ? undefined : this.#follow(this.host.client.model(kind, uri) as WatchedModel);
  }

  unwatch(uri: string): void {
    if (uri === ROOT_URI || uri === this.ref.uri) return;
    this.#watched.get(uri)?.store.dispose();
    this.#watched.delete(uri);
  }

  /** The URI of a new chat. Rejects when the host refuses, or has one chat only. */
  async createChat(source: ChatSource | undefined): Promise<URI> {
    if (source && !this.holds(source.chat)) throw new Error('The session view named a chat that it does not show.');
    const chat = this.#session.newChatUri();
    await this.host.client.command('createChat', { channel: this.ref.uri, chat, ...(source && { source }) });
    return chat;
  }

  /** The turns come as actions of the chat. */
  async fetchTurns(uri: URI): Promise<void> {
    const state = this.get(uri)?.state;
    const cursor = state && 'turnsNextCursor' in state ? state.turnsNextCursor : undefined;
    if (cursor === undefined || !this.holds(uri)) throw new Error('This chat has no older turns.');
    await this.host.client.command('fetchTurns', { channel: uri, cursor });
  }

  snapshot(model: WatchedModel): SnapshotMessage {
    const { kind, dialect, confirmed, pending } = model.mirrored;
    const state = {
      kind,
      ...(dialect && { dialect }),
      ...(confirmed && { confirmed: kind === 'terminal' ? withoutBeginning(confirmed) : confirmed }),
    };
    return { type: 'snapshot', uri: model.uri, ...state, pending: [...pending], status: this.status(model) };
  }

  status({ uri, status }: WatchedModel): ResourceStatus {
    const isGone = status.kind === 'removed' || (status.kind === 'failed' && status.error.code === ErrorCode.SessionNotFound);
    // A removed session can be reopened while the host still lists it.
    if (isGone) return { kind: 'removed', canReopen: this.host.client.sessions.summary(uri) !== undefined };
    if (status.kind !== 'failed') return status;
    const { code, message } = status.error;
    return { kind: 'failed', message, ...(code === ErrorCode.AuthRequired && { needsSignIn: true }) };
  }

  dispose(): void {
    for (const { store } of this.#watched.values()) store.dispose();
  }

  #follow(model: WatchedModel): WatchedModel {
    const store = new DisposableStore();
    store.add(model);
    store.add(model.onDidChange((change) => this.onDidChange(model, change)));
    this.#watched.set(model.uri, { model, store });
    return model;
  }
}

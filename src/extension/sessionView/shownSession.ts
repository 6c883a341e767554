/** The session that a webview shows, and what its page gets: the root, the session, and the resources that it asked for. */
import type { Subscription, SubscriptionChange } from '../../ahp/client/resources/subscription.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import { ROOT_URI } from '../../ahp/v1/root.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { wellFormedSession } from '../../views/wellFormedV1.ts';
import type { ResourceStatus, SnapshotMessage } from '../../webviews/session/protocol.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';

export class ShownSession implements Disposable {
  readonly #watched = new Map<string, { subscription: Subscription; store: DisposableStore }>();

  constructor(
    readonly ref: SessionRef,
    readonly host: RegisteredHost,
    private readonly onDidChange: (subscription: Subscription, change: SubscriptionChange) => void,
  ) {
    this.watch(ROOT_URI);
    this.watch(ref.uri);
  }

  get subscriptions(): Subscription[] {
    return Array.from(this.#watched.values(), ({ subscription }) => subscription);
  }

  /** Undefined: the page did not ask for it. */
  get(uri: string): Subscription | undefined {
    return this.#watched.get(uri)?.subscription;
  }

  /** The state of a session, as far as it is well formed. */
  session(uri = this.ref.uri): SessionState | undefined {
    const state = this.get(uri)?.state;
    return state && wellFormedSession(state as SessionState);
  }

  /** Undefined where it is watched already. */
  watch(uri: string): Subscription | undefined {
    if (this.#watched.has(uri)) return undefined;
    const store = new DisposableStore();
    const subscription = store.add(this.host.client.subscribe(uri));
    store.add(subscription.onDidChange((change) => this.onDidChange(subscription, change)));
    this.#watched.set(uri, { subscription, store });
    return subscription;
  }

  unwatch(uri: string): void {
    if (uri === ROOT_URI || uri === this.ref.uri) return;
    this.#watched.get(uri)?.store.dispose();
    this.#watched.delete(uri);
  }

  snapshot(subscription: Subscription): SnapshotMessage {
    const { uri, confirmed, pending } = subscription;
    return { type: 'snapshot', uri, confirmed, pending: [...pending], status: this.status(subscription) };
  }

  status({ uri, status }: Subscription): ResourceStatus {
    const isGone = status.kind === 'removed' || (status.kind === 'failed' && status.error.code === ErrorCode.SessionNotFound);
    // A removed session can be reopened while the host still lists it.
    if (isGone) return { kind: 'removed', canReopen: this.host.client.sessions.get(uri) !== undefined };
    if (status.kind !== 'failed') return status;
    const { code, message } = status.error;
    return { kind: 'failed', message, ...(code === ErrorCode.AuthRequired && { needsSignIn: true }) };
  }

  dispose(): void {
    for (const { store } of this.#watched.values()) store.dispose();
  }
}

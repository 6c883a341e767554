/** The terminals that cards show. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type SessionRef, sessionKey } from '../../views/session/sessionRef.ts';
import type { SnapshotMessage } from '../../webviews/session/protocol.ts';
import { messageOfChange, type ResourceMessage, snapshotOf, type WatchedModel } from '../resourceMessages.ts';
import type { ShownHost } from '../shownHost.ts';

/** A terminal that is gone cannot be requested again. */
const LISTED = { isListed: () => false };

export class WatchedTerminals implements Disposable {
  /** By session and URI. */
  readonly #watched = new Map<string, { readonly model: WatchedModel; readonly store: DisposableStore }>();

  constructor(private readonly tell: (session: SessionRef, message: ResourceMessage) => void) {}

  /** Tells its state, and what changes in it until `unwatch`. */
  watch(host: Pick<ShownHost, 'client'>, session: SessionRef, uri: string): void {
    const key = keyOf(session, uri);
    if (this.#watched.has(key)) return;
    const store = new DisposableStore();
    const model = store.add(host.client.model('terminal', uri)) as WatchedModel;
    store.add(model.onDidChange((change) => this.tell(session, messageOfChange(model, change, LISTED))));
    this.#watched.set(key, { model, store });
    this.tell(session, snapshotOf(model, LISTED));
  }

  unwatch(session: SessionRef, uri: string): void {
    const key = keyOf(session, uri);
    this.#watched.get(key)?.store.dispose();
    this.#watched.delete(key);
  }

  /** Undefined where it is not watched. */
  snapshot(session: SessionRef, uri: string): SnapshotMessage | undefined {
    const watched = this.#watched.get(keyOf(session, uri));
    return watched && snapshotOf(watched.model, LISTED);
  }

  clear(): void {
    for (const { store } of this.#watched.values()) store.dispose();
    this.#watched.clear();
  }

  dispose(): void {
    this.clear();
  }
}

function keyOf(session: SessionRef, uri: string): string {
  return `${sessionKey(session)}\n${uri}`;
}

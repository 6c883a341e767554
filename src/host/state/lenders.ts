/**
 * The clients that lend tools to a session. Version 1 has a place for one of them, in the session's state. Clients of the channel protocol
 * lend beside it, as many as there are, and version 1 does not show them. A client that leaves lends nothing any more.
 */
import type { SessionActiveClient } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { StateStore } from './stateStore.ts';

/** What both protocols say of it. */
export type Lender = Pick<SessionActiveClient, 'clientId' | 'displayName' | 'tools'>;

export class Lenders implements Disposable {
  readonly #beside = new Map<URI, readonly SessionActiveClient[]>();
  readonly #didChange = new Emitter<URI>();
  /** The session of which another client lends, or one lends other tools. */
  readonly onDidChange = this.#didChange.event;
  readonly #listeners: readonly Disposable[];

  constructor(private readonly store: StateStore) {
    this.#listeners = [
      store.onDidDispatch(({ resource, envelope: { action, rejectionReason } }) => {
        if (action.type !== 'session/activeClientChanged' || rejectionReason !== undefined) return;
        // A client may come back with the other protocol.
        if (action.activeClient) this.remove(resource, action.activeClient.clientId);
        this.#didChange.fire(resource);
      }),
      store.onDidDelete((uri) => this.#beside.delete(uri)),
    ];
  }

  /** That of version 1 first. */
  of(session: URI): readonly Lender[] {
    const { activeClient } = this.store.session(session) ?? {};
    return [...(activeClient ? [activeClient] : []), ...this.beside(session)];
  }

  /** Those of the channel protocol, in the order in which they came. */
  beside(session: URI): readonly SessionActiveClient[] {
    return this.#beside.get(session) ?? [];
  }

  /** Replaces what the client has lent to the session before. */
  set(session: URI, entry: SessionActiveClient): void {
    if (this.store.session(session)?.activeClient?.clientId === entry.clientId)
      this.store.dispatch({ type: 'session/activeClientChanged', session, activeClient: null });
    const lenders = this.beside(session);
    const at = lenders.findIndex(({ clientId }) => clientId === entry.clientId);
    this.#beside.set(session, at < 0 ? [...lenders, entry] : lenders.with(at, entry));
    this.#didChange.fire(session);
  }

  remove(session: URI, clientId: string): void {
    const lenders = this.beside(session);
    const left = lenders.filter((lender) => lender.clientId !== clientId);
    if (left.length === lenders.length) return;
    if (left.length > 0) this.#beside.set(session, left);
    else this.#beside.delete(session);
    this.#didChange.fire(session);
  }

  /** The client has disconnected. */
  left(clientId: string): void {
    for (const session of [...this.#beside.keys()]) this.remove(session, clientId);
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#didChange.dispose();
  }
}

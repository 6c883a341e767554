/** The clients that are connected, what each gets to hear, and what the host remembers of those that come back. */
import type { ActionEnvelope } from '../../ahp/v1/actions.ts';
import type { URI } from '../../ahp/v1/common.ts';
import type { ProtocolNotification, ServerNotifications } from '../../ahp/v1/notifications.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { DispatchedAction, StateStore } from './stateStore.ts';

export interface Client {
  readonly clientId: string;
  readonly subscriptions: Set<URI>;
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  /** Another connection has taken over this client id. */
  replaced(): void;
}

interface Acquaintance {
  /** The greatest `clientSeq` that was taken from it. */
  lastClientSeq: number;
}

/** Client ids that may `reconnect`; the longest unseen is forgotten first. */
const MAX_ACQUAINTANCES = 1000;

export class Clients implements Disposable {
  readonly #connected = new Map<string, Client>();
  readonly #known = new Map<string, Acquaintance>();
  readonly #listeners: Disposable[];

  readonly #didChangeCount = new Emitter<void>();
  readonly onDidChangeCount = this.#didChangeCount.event;
  readonly #didLeave = new Emitter<string>();
  /** A client is gone, by its id; not fired when it comes back over another connection before that is noticed. */
  readonly onDidLeave = this.#didLeave.event;

  constructor(store: StateStore) {
    this.#listeners = [
      store.onDidDispatch((dispatched) => this.#tell(dispatched)),
      store.onDidDelete((resource) => {
        for (const client of this.#connected.values()) client.subscriptions.delete(resource);
      }),
    ];
  }

  get count(): number {
    return this.#connected.size;
  }
  isSubscribed(resource: URI): boolean {
    return [...this.#connected.values()].some(({ subscriptions }) => subscriptions.has(resource));
  }
  isConnected(clientId: string): boolean {
    return this.#connected.has(clientId);
  }
  /** True for a client that was here during this host's life. */
  isKnown(clientId: string): boolean {
    return this.#known.has(clientId);
  }

  /** A client begins anew: what an earlier one of this id held is let go. */
  join(client: Client): void {
    const earlier = this.#connected.get(client.clientId);
    if (earlier) {
      this.leave(earlier);
      earlier.replaced();
    }
    this.#known.delete(client.clientId);
    this.#enter(client, { lastClientSeq: -1 });
  }

  /** A known client goes on where its last connection ended. */
  rejoin(client: Client): void {
    const earlier = this.#connected.get(client.clientId);
    const known = this.#known.get(client.clientId) ?? { lastClientSeq: -1 };
    this.#known.delete(client.clientId);
    this.#enter(client, known);
    earlier?.replaced();
  }

  leave(client: Client): void {
    if (this.#connected.get(client.clientId) !== client) return;
    this.#connected.delete(client.clientId);
    this.#didLeave.fire(client.clientId);
    this.#didChangeCount.fire();
  }

  /** Why this number cannot be taken: each action of a client is taken once, in order. */
  takeClientSeq(clientId: string, clientSeq: number): string | undefined {
    const known = this.#known.get(clientId);
    if (!known) return undefined;
    if (clientSeq <= known.lastClientSeq) return `clientSeq ${clientSeq} is not greater than ${known.lastClientSeq}, the last one`;
    known.lastClientSeq = clientSeq;
    return undefined;
  }

  notifyAll(notification: ProtocolNotification): void {
    for (const client of [...this.#connected.values()]) client.notify('notification', { notification });
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#connected.clear();
  }

  #enter(client: Client, acquaintance: Acquaintance): void {
    this.#connected.set(client.clientId, client);
    this.#known.set(client.clientId, acquaintance);
    for (const clientId of this.#known.keys()) {
      if (this.#known.size <= MAX_ACQUAINTANCES) break;
      if (!this.#connected.has(clientId)) this.#known.delete(clientId);
    }
    this.#didChangeCount.fire();
  }

  #tell({ resource, envelope }: DispatchedAction): void {
    for (const client of [...this.#connected.values()]) if (concerns(client, resource, envelope)) client.notify('action', envelope);
  }
}

/** Its subscriptions, and always the echo of its own actions; what was refused is between the host and its sender. */
function concerns(client: Client, resource: URI, envelope: ActionEnvelope): boolean {
  return isOwn(client.clientId, envelope) || (envelope.rejectionReason === undefined && client.subscriptions.has(resource));
}

export function isOwn(clientId: string, envelope: ActionEnvelope): boolean {
  return envelope.origin?.clientId === clientId;
}

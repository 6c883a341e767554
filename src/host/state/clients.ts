/** The connected clients, the channels that they read, and what the host remembers of clients that may reconnect. */
import type { DialectName } from '../../ahp/dialects/dialect.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { StateStore } from './stateStore.ts';

export interface Client {
  readonly clientId: string;
  /** Those of the store that it reads. */
  readonly channels: Set<URI>;
  notify(method: string, params: object): void;
  /** Rejects with an `RpcError`, a `TimeoutError`, or at the end of the connection. */
  request(method: string, params: unknown, timeoutMs: number): Promise<unknown>;
  /** Another connection uses this client id now. */
  replaced(): void;
}

/** What a client said of itself in its `initialize`. It holds for its reconnects too. */
export interface Introduction {
  dialect: DialectName;
  /** It answers the requests of `ahp/hookRequests`. */
  answersHooks: boolean;
}

interface Acquaintance extends Introduction {
  /** The greatest `clientSeq` that was accepted from it: ever in AHP v1, and of this connection in AHP 1.0. */
  lastClientSeq: number;
}

/** How many client ids may `reconnect`. The one that was away longest is forgotten first. */
const MAX_ACQUAINTANCES = 1000;
/** How long a client that has left is waited for. A window is loaded again in less. */
export const RETURN_MS = 30_000;

export interface ClientsOptions {
  /** Absent: {@link RETURN_MS}. */
  returnMs?: number | undefined;
  clock?: Clock;
}

export class Clients implements Disposable {
  readonly #connected = new Map<string, Client>();
  readonly #known = new Map<string, Acquaintance>();
  /** Clients that have left and may come back. */
  readonly #awaited = new Map<string, Disposable>();
  readonly #listener: Disposable;

  readonly #didChangeCount = new Emitter<void>();
  readonly onDidChangeCount = this.#didChangeCount.event;
  readonly #didLeave = new Emitter<string>();
  /** A client has left, by its id. Not fired when it reconnects before the loss of its connection is noticed. */
  readonly onDidLeave = this.#didLeave.event;
  readonly #didGiveUp = new Emitter<string>();
  /** A client that had left did not come back in time. */
  readonly onDidGiveUp = this.#didGiveUp.event;
  readonly #didForget = new Emitter<string>();
  /** A client that was away longest among many is not known any more, and cannot reconnect. */
  readonly onDidForget = this.#didForget.event;

  constructor(
    store: StateStore,
    private readonly options: ClientsOptions = {},
  ) {
    this.#listener = store.onDidDelete((channel) => {
      for (const client of this.#connected.values()) client.channels.delete(channel);
    });
  }

  get count(): number {
    return this.#connected.size;
  }
  /** Whether any client reads the channel. */
  isRead(channel: URI): boolean {
    return [...this.#connected.values()].some(({ channels }) => channels.has(channel));
  }
  isConnected(clientId: string): boolean {
    return this.#connected.has(clientId);
  }
  connected(clientId: string): Client | undefined {
    return this.#connected.get(clientId);
  }
  /** It is connected, or has left only just and may come back. */
  isExpected(clientId: string): boolean {
    return this.#connected.has(clientId) || this.#awaited.has(clientId);
  }
  /** The client, when it is connected and answers the requests of `ahp/hookRequests`. */
  withHooks(clientId: string): Client | undefined {
    return this.#known.get(clientId)?.answersHooks ? this.#connected.get(clientId) : undefined;
  }
  /** The protocol of a client that was connected during this run of the host; undefined for any other. */
  dialectOf(clientId: string): Introduction['dialect'] | undefined {
    return this.#known.get(clientId)?.dialect;
  }

  /** A client starts over. The subscriptions of an earlier one with this id are dropped. */
  join(client: Client, introduction: Introduction): void {
    const earlier = this.#connected.get(client.clientId);
    if (earlier) {
      this.leave(earlier);
      earlier.replaced();
    }
    this.#known.delete(client.clientId);
    this.#enter(client, { ...introduction, lastClientSeq: -1 });
  }

  /** A known client continues after its last connection. Clients of AHP 1.0 may begin their numbers anew. */
  rejoin(client: Client): void {
    const earlier = this.#connected.get(client.clientId);
    const known = this.#known.get(client.clientId);
    if (!known) throw new Error(`the client ${client.clientId} is not known`);
    this.#known.delete(client.clientId);
    this.#enter(client, known.dialect === 'channels' ? { ...known, lastClientSeq: -1 } : known);
    earlier?.replaced();
  }

  leave(client: Client): void {
    if (this.#connected.get(client.clientId) !== client) return;
    this.#connected.delete(client.clientId);
    this.#await(client.clientId);
    this.#didLeave.fire(client.clientId);
    this.#didChangeCount.fire();
  }

  /** Why this number cannot be accepted: each action of a client is accepted once, in order. */
  takeClientSeq(clientId: string, clientSeq: number): string | undefined {
    const known = this.#known.get(clientId);
    if (!known) return undefined;
    if (clientSeq <= known.lastClientSeq) return `clientSeq ${clientSeq} is not greater than ${known.lastClientSeq}, the last one`;
    known.lastClientSeq = clientSeq;
    return undefined;
  }

  dispose(): void {
    this.#listener.dispose();
    for (const waiting of this.#awaited.values()) waiting.dispose();
    this.#connected.clear();
  }

  #enter(client: Client, acquaintance: Acquaintance): void {
    this.#connected.set(client.clientId, client);
    this.#awaited.get(client.clientId)?.dispose();
    this.#awaited.delete(client.clientId);
    this.#known.set(client.clientId, acquaintance);
    for (const clientId of this.#known.keys()) {
      if (this.#known.size <= MAX_ACQUAINTANCES) break;
      if (this.#connected.has(clientId)) continue;
      this.#known.delete(clientId);
      this.#didForget.fire(clientId);
    }
    this.#didChangeCount.fire();
  }

  #await(clientId: string): void {
    const { clock = systemClock, returnMs = RETURN_MS } = this.options;
    const giveUp = () => {
      this.#awaited.delete(clientId);
      this.#didGiveUp.fire(clientId);
    };
    this.#awaited.set(clientId, clock.setTimer(giveUp, returnMs));
  }
}

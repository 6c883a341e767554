/** Keeps a connection to a host: opens one, waits for its end, and opens the next, as long as that can help. */
import { backoffDelay } from '../../../base/connection/backoff.ts';
import type { Clock } from '../../../base/clock.ts';
import { wordsOf } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { phrase } from '../../../base/text/phrase.ts';
import type { URI } from '../../v1/common.ts';
import { canHeal, ConnectionError, type ConnectionFailure, connectionFailure, type ConnectionState } from './connectionState.ts';
import type { HostConnection } from './hostConnection.ts';

/** A connection that lasted this long resets the back-off. A host that drops every connection at once is asked less and less often. */
const USEFUL_AFTER_MS = 2_000;
const BACKOFF = { firstMs: 1_000, longestMs: 30_000 };

export interface EstablishedConnection {
  readonly connection: HostConnection;
  readonly serverSeq: number;
  readonly defaultDirectory?: URI;
}

export interface ConnectionLoopOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Opens a connection that ends with `signal`, and completes the handshake. Rejects with a {@link ConnectionError}. */
  establish(signal: AbortSignal): Promise<EstablishedConnection>;
  /** The connection has ended, for whatever reason. */
  onLost(): void;
}

export class ConnectionLoop implements Disposable {
  #state: ConnectionState = { kind: 'connecting', attempt: 1 };
  readonly #change = new Emitter<ConnectionState>();
  readonly #closing = new AbortController();
  #attempt = 1;
  /** When the connection was lost, or the first attempt failed. */
  #troubleSince: number | undefined;
  #wake: (() => void) | undefined;

  readonly onDidChangeState = this.#change.event;

  constructor(private readonly options: ConnectionLoopOptions) {}

  get state(): ConnectionState {
    return this.#state;
  }

  /** Call once. */
  start(): void {
    void this.#run();
  }

  /** Ends the wait before the next attempt. */
  reconnectNow(): void {
    this.#wake?.();
  }

  dispose(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#wake?.();
    this.#set({ kind: 'closed' });
    this.#change.dispose();
  }

  async #run(): Promise<void> {
    const { clock, random } = this.options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const reason = await this.#connectOnce();
      this.options.onLost();
      if (signal.aborted) return;
      const since = (this.#troubleSince ??= clock.now());
      if (!canHeal(reason)) {
        this.#set({ kind: 'failed', reason, since });
        return;
      }
      const delay = backoffDelay(this.#attempt++, BACKOFF, random);
      this.#set({ kind: 'reconnecting', attempt: this.#attempt, nextAttemptAt: clock.now() + delay, reason, since });
      await this.#sleep(delay);
    }
  }

  /** Opens one connection. Resolves with the reason why it ended or could not be opened. Never rejects. */
  async #connectOnce(): Promise<ConnectionFailure> {
    const { clock, establish } = this.options;
    try {
      const { connection, serverSeq, defaultDirectory } = await establish(this.#closing.signal);
      const connectedAt = clock.now();
      if (!this.#closing.signal.aborted) {
        this.#set({ kind: 'connected', since: connectedAt, serverSeq, ...(defaultDirectory && { defaultDirectory }) });
      }
      const failure = await connection.closed;
      if (clock.now() - connectedAt >= USEFUL_AFTER_MS) this.#attempt = 1;
      this.#troubleSince = undefined;
      return failure;
    } catch (error) {
      if (error instanceof ConnectionError) return error.failure;
      return connectionFailure('handshake', phrase`The connection could not be set up: ${wordsOf(error)}`, phrase`connection failed`);
    }
  }

  #sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.options.clock.setTimer(() => this.#wake?.(), delayMs);
      this.#wake = () => {
        this.#wake = undefined;
        timer.dispose();
        resolve();
      };
    });
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    this.#change.fire(state);
  }
}

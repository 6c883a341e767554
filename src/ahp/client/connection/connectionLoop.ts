/** Keeps one line to a host up: opens it, waits for its end, and opens the next, for as long as that can help. */
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { URI } from '../../v1/common.ts';
import { backoffDelay } from './backoff.ts';
import { canHeal, ConnectionError, type ConnectionFailure, type ConnectionState } from './connectionState.ts';
import type { HostConnection } from './hostConnection.ts';

/** A line that lasted this long was of use, and begins the back-off anew; a host that drops every line at once is not hammered. */
const USEFUL_AFTER_MS = 2_000;

export interface EstablishedLine {
  readonly line: HostConnection;
  readonly serverSeq: number;
  readonly defaultDirectory?: URI;
}

export interface ConnectionLoopOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Opens a line that ends with `signal`, and completes the handshake; rejects with a {@link ConnectionError}. */
  establish(signal: AbortSignal): Promise<EstablishedLine>;
  /** The line has ended, whatever the reason. */
  onLost(): void;
}

export class ConnectionLoop implements Disposable {
  #state: ConnectionState = { kind: 'connecting', attempt: 1 };
  readonly #change = new Emitter<ConnectionState>();
  readonly #closing = new AbortController();
  #attempt = 1;
  /** When the line was lost, or the first attempt failed. */
  #troubleSince: number | undefined;
  #wake: (() => void) | undefined;

  readonly onDidChangeState = this.#change.event;

  constructor(private readonly options: ConnectionLoopOptions) {}

  get state(): ConnectionState {
    return this.#state;
  }

  /** Begins. Call once. */
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
      const reason = await this.#oneLine();
      this.options.onLost();
      if (signal.aborted) return;
      const since = (this.#troubleSince ??= clock.now());
      if (!canHeal(reason)) {
        this.#set({ kind: 'failed', reason, since });
        return;
      }
      const delay = backoffDelay(this.#attempt++, random);
      this.#set({ kind: 'reconnecting', attempt: this.#attempt, nextAttemptAt: clock.now() + delay, reason, since });
      await this.#sleep(delay);
    }
  }

  /** A line from its opening to its end, or to why there is none. Never rejects. */
  async #oneLine(): Promise<ConnectionFailure> {
    const { clock, establish } = this.options;
    try {
      const { line, serverSeq, defaultDirectory } = await establish(this.#closing.signal);
      const connectedAt = clock.now();
      if (!this.#closing.signal.aborted) {
        this.#set({ kind: 'connected', since: connectedAt, serverSeq, ...(defaultDirectory && { defaultDirectory }) });
      }
      const failure = await line.closed;
      if (clock.now() - connectedAt >= USEFUL_AFTER_MS) this.#attempt = 1;
      this.#troubleSince = undefined;
      return failure;
    } catch (error) {
      if (error instanceof ConnectionError) return error.failure;
      return { kind: 'handshake', message: `The connection could not be set up: ${messageOf(error)}`, brief: 'connection failed' };
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

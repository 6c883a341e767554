import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { LiveCursor } from './liveCursor.ts';
import type { LiveQueue } from './liveQueue.ts';

/** A token that was not used for so long is forgotten, with its cursors. */
export const TOKEN_IDLE_MS = 5 * 60_000;
/** Of more tokens the one that was not used for longest is forgotten. */
export const MAX_TOKENS = 1000;

interface Token {
  // Cursors go with their queues.
  cursors: WeakMap<LiveQueue<unknown>, LiveCursor<unknown, string>>;
  timer: Disposable | undefined;
}

/** The readers that have asked for a token. With it a reader has a cursor of its own in each queue. */
export class LiveTokens implements Disposable {
  readonly #clock: Clock;
  // The one that was used last is the last.
  readonly #tokens = new Map<string, Token>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#tokens.size;
  }

  issue(): string {
    const token = randomUUID();
    this.#used(token, { cursors: new WeakMap(), timer: undefined });
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size <= MAX_TOKENS) break;
      this.#forget(oldest);
    }
    return token;
  }

  /** The reader's cursor in the queue, which `create` makes at its first use. Undefined when the token is not known. */
  cursor<T, N extends string>(token: string, queue: LiveQueue<T>, create: () => LiveCursor<T, N>): LiveCursor<T, N> | undefined {
    const known = this.#tokens.get(token);
    if (!known) return undefined;
    this.#used(token, known);
    const there = known.cursors.get(queue as LiveQueue<unknown>) as LiveCursor<T, N> | undefined;
    const cursor = there ?? create();
    known.cursors.set(queue as LiveQueue<unknown>, cursor as unknown as LiveCursor<unknown, string>);
    return cursor;
  }

  dispose(): void {
    for (const token of [...this.#tokens.keys()]) this.#forget(token);
  }

  #used(token: string, known: Token): void {
    this.#tokens.delete(token);
    this.#tokens.set(token, known);
    known.timer?.dispose();
    known.timer = this.#clock.setTimer(() => this.#forget(token), TOKEN_IDLE_MS);
  }

  #forget(token: string): void {
    this.#tokens.get(token)?.timer?.dispose();
    this.#tokens.delete(token);
  }
}

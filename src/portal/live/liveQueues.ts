import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { LiveCursor, type LiveErrorNames, type LiveResponse } from './liveCursor.ts';
import { LiveQueue, type LiveQueueLimits, liveQueueLimits } from './liveQueue.ts';
import type { LiveTokens } from './liveTokens.ts';

/** A closed queue that nobody has read for so long is removed. */
export const CLOSED_KEPT_MS = 10 * 60_000;
/** Of closed queues, the ones that were closed first are removed above this. */
export const MAX_CLOSED_QUEUES = 1000;
export const MAX_CLOSED_CHARACTERS = 64_000_000;

interface Followed<T, N extends string> {
  queue: LiveQueue<T>;
  reserved: LiveCursor<T, N>;
  timer: Disposable | undefined;
}

export interface LiveQueuesOptions<N extends string> {
  clock: Clock;
  names: LiveErrorNames<N>;
  /** Shared by all that is followed. */
  tokens: LiveTokens;
  limits?: LiveQueueLimits;
}

/** The queues of all sessions, of all tasks, or of all jobs. */
export class LiveQueues<T, N extends string = string> implements Disposable {
  readonly #clock: Clock;
  readonly #names: LiveErrorNames<N>;
  readonly #tokens: LiveTokens;
  readonly #limits: LiveQueueLimits;
  readonly #followed = new Map<string, Followed<T, N>>();
  /** Ids of closed queues, in the order in which they were closed. */
  readonly #closed = new Map<string, number>();

  constructor({ clock, names, tokens, limits = liveQueueLimits }: LiveQueuesOptions<N>) {
    this.#clock = clock;
    this.#names = names;
    this.#tokens = tokens;
    this.#limits = limits;
  }

  get size(): number {
    return this.#followed.size;
  }

  /** Opens a queue. One of the same id that is closed makes room for it: a job may be continued. */
  open(id: string): void {
    if (this.#followed.get(id)?.queue.isClosed === false) throw new Error(`the queue of ${id} is open already`);
    this.#remove(id);
    const queue = new LiveQueue<T>(this.#limits);
    this.#followed.set(id, { queue, reserved: this.#cursor(queue), timer: undefined });
  }

  /** Does nothing when there is no such queue, or it is closed. */
  push(id: string, event: T): void {
    this.#followed.get(id)?.queue.push(event);
  }

  /** Wakes all who wait. What was not read can still be read. */
  close(id: string): void {
    const followed = this.#followed.get(id);
    if (!followed || followed.queue.isClosed) return;
    followed.queue.close();
    this.#closed.set(id, followed.queue.characters);
    this.#keepFor(id, followed);
    let characters = 0;
    for (const size of this.#closed.values()) characters += size;
    for (const [oldest, size] of this.#closed) {
      if (this.#closed.size <= MAX_CLOSED_QUEUES && characters <= MAX_CLOSED_CHARACTERS) break;
      characters -= size;
      this.#remove(oldest);
    }
  }

  /** `…/live`: the reserved cursor, one event a call. Rejects only when the signal is aborted. */
  async next(id: string, signal?: AbortSignal): Promise<LiveResponse<T, N>> {
    const followed = this.#followed.get(id);
    if (!followed) return this.#notFound();
    const [response] = await followed.reserved.read(1, signal);
    this.#keepFor(id, followed);
    return response ?? this.#notFound();
  }

  /** `…/live/{token}`: all that this reader has not read, or one error. Rejects only when the signal is aborted. */
  async unread(
    id: string,
    token: string,
    signal?: AbortSignal,
  ): Promise<{ responses: (LiveResponse<T, N> | { error: 'TokenNotFound' })[] }> {
    const followed = this.#followed.get(id);
    if (!followed) return { responses: [this.#notFound()] };
    const { queue } = followed;
    const cursor = this.#tokens.cursor(token, queue, () => this.#cursor(queue));
    if (!cursor) return { responses: [{ error: 'TokenNotFound' }] };
    const responses = await cursor.read(Infinity, signal);
    this.#keepFor(id, followed);
    return { responses };
  }

  dispose(): void {
    for (const { queue, timer } of this.#followed.values()) {
      queue.close();
      timer?.dispose();
    }
    this.#followed.clear();
    this.#closed.clear();
  }

  #cursor(queue: LiveQueue<T>): LiveCursor<T, N> {
    return new LiveCursor(queue, this.#names, this.#clock);
  }

  #notFound(): { error: N } {
    return { error: this.#names.notFound };
  }

  /** Starts the time of a closed queue from now on. */
  #keepFor(id: string, followed: Followed<T, N>): void {
    if (!this.#closed.has(id)) return;
    followed.timer?.dispose();
    followed.timer = this.#clock.setTimer(() => this.#remove(id), CLOSED_KEPT_MS);
  }

  #remove(id: string): void {
    this.#followed.get(id)?.timer?.dispose();
    this.#followed.delete(id);
    this.#closed.delete(id);
  }
}

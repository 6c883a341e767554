import type { Clock } from '../../base/clock.ts';
import type { LiveQueue } from './liveQueue.ts';

/** How long a read waits for an event. */
export const LIVE_WAIT_MS = 5000;

/** The names of errors that differ by what is followed. */
export interface LiveErrorNames<N extends string> {
  readonly notFound: N;
  readonly closed: N;
}

/** `EventsDropped`: the reader was so slow that `dropped` events are gone. It goes on with the next one. */
export type LiveError<N extends string> =
  { error: N | 'HttpRequestTimeout' | 'ParallelCallNotSupported' } | { error: 'EventsDropped'; dropped: number };
export type LiveResponse<T, N extends string> = T | LiveError<N>;

/** A place in a queue. Each event is read once. */
export class LiveCursor<T, N extends string> {
  readonly #queue: LiveQueue<T>;
  readonly #names: LiveErrorNames<N>;
  readonly #clock: Clock;
  #next = 0;
  #isWaiting = false;
  #hasToldEnd = false;

  constructor(queue: LiveQueue<T>, names: LiveErrorNames<N>, clock: Clock) {
    this.#queue = queue;
    this.#names = names;
    this.#clock = clock;
  }

  /**
   * At least one and at most `count` responses. Waits for the first one, at most {@link LIVE_WAIT_MS}. Rejects with the signal's reason when
   * it is aborted, and then has read nothing.
   */
  async read(count: number, signal?: AbortSignal): Promise<LiveResponse<T, N>[]> {
    if (this.#isWaiting) return [{ error: 'ParallelCallNotSupported' }];
    signal?.throwIfAborted();
    const there = this.#take(count);
    if (there) return there;
    this.#isWaiting = true;
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        this.#isWaiting = false;
        changes.dispose();
        timer.dispose();
        signal?.removeEventListener('abort', abort);
      };
      const settle = (result: LiveResponse<T, N>[] | undefined) => {
        if (!result) return;
        stopWaiting();
        resolve(result);
      };
      const abort = () => {
        stopWaiting();
        reject(signal?.reason);
      };
      const changes = this.#queue.onDidChange(() => settle(this.#take(count)));
      const timer = this.#clock.setTimer(() => settle([{ error: 'HttpRequestTimeout' }]), LIVE_WAIT_MS);
      signal?.addEventListener('abort', abort);
    });
  }

  /** Undefined when there is nothing yet. */
  #take(count: number): LiveResponse<T, N>[] | undefined {
    const responses: LiveResponse<T, N>[] = [];
    const dropped = this.#queue.first - this.#next;
    if (dropped > 0) {
      responses.push({ error: 'EventsDropped', dropped });
      this.#next = this.#queue.first;
    }
    const events = this.#queue.slice(this.#next, count - responses.length);
    this.#next += events.length;
    for (const event of events) responses.push(event);
    if (responses.length > 0) return responses;
    if (!this.#queue.isClosed) return undefined;
    if (this.#hasToldEnd) return [{ error: this.#names.notFound }];
    this.#hasToldEnd = true;
    return [{ error: this.#names.closed }];
  }
}

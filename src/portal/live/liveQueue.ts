import { type Disposable, toDisposable } from '../../base/lifecycle.ts';

export interface LiveQueueLimits {
  /** Events that are kept. */
  events: number;
  /** Characters of their JSON in all. */
  characters: number;
}

export const liveQueueLimits: LiveQueueLimits = { events: 20_000, characters: 8_000_000 };

/** When a queue is full, this part of it is dropped at once, so that it is not moved for each event. */
const DROPPED_SHARE = 0.25;

/** A list of events to which events are only added. Cursors read it, each at its own place. The oldest are dropped when it becomes too long. */
export class LiveQueue<T> {
  readonly #limits: LiveQueueLimits;
  #events: T[] = [];
  #sizes: number[] = [];
  #first = 0;
  #characters = 0;
  #isClosed = false;
  readonly #listeners = new Set<() => void>();

  constructor(limits: LiveQueueLimits = liveQueueLimits) {
    this.#limits = limits;
  }

  /** The number of the oldest event that is kept. The first event has number 0. */
  get first(): number {
    return this.#first;
  }

  /** The number of the next event. */
  get end(): number {
    return this.#first + this.#events.length;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get characters(): number {
    return this.#characters;
  }

  /** Does nothing after the queue was closed. */
  push(event: T): void {
    if (this.#isClosed) return;
    const size = JSON.stringify(event).length;
    this.#events.push(event);
    this.#sizes.push(size);
    this.#characters += size;
    this.#trim();
    this.#changed();
  }

  /** There will be no more events. What is there can still be read. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#changed();
  }

  /** Up to `count` events from number `from` on. */
  slice(from: number, count: number): T[] {
    const start = from - this.#first;
    return this.#events.slice(start, Math.min(start + count, this.#events.length));
  }

  /** Calls back after each event and after the end. */
  onDidChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #trim(): void {
    const { events, characters } = this.#limits;
    if (this.#events.length <= events && this.#characters <= characters) return;
    let drop = 0;
    // The newest event is always kept.
    while (
      drop < this.#events.length - 1 &&
      (this.#events.length - drop > events * (1 - DROPPED_SHARE) || this.#characters > characters * (1 - DROPPED_SHARE))
    )
      this.#characters -= this.#sizes[drop++] as number;
    this.#events = this.#events.slice(drop);
    this.#sizes = this.#sizes.slice(drop);
    this.#first += drop;
  }
}

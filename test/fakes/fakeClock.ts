import type { Clock } from '../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../src/base/lifecycle.ts';

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  #timers = new Set<{ at: number; callback: () => void }>();

  now(): number {
    return this.#now;
  }

  setTimer(callback: () => void, delayMs: number): Disposable {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Fires what becomes due on the way, each at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }

  /** Jumps without firing, as when the computer sleeps; then what is overdue fires. */
  sleep(ms: number): void {
    this.#now += ms;
    this.advance(0);
  }
}

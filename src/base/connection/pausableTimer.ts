/** A time limit that stands still while somebody else is waited for, each time for a bounded time. */
import type { Clock } from '../clock.ts';
import type { Disposable } from '../lifecycle.ts';

export class PausableTimer implements Disposable {
  #timer: Disposable | undefined;
  #since: number;
  #pauses = 0;
  #isDisposed = false;

  constructor(
    private readonly clock: Clock,
    private leftMs: number,
    private readonly longestPauseMs: number,
    private readonly onEnd: () => void,
  ) {
    this.#since = clock.now();
    this.#run();
  }

  /** Dispose the result when the wait is over. After the longest pause the time goes on by itself. */
  pause(): Disposable {
    if (this.#pauses++ === 0) {
      this.#timer?.dispose();
      this.leftMs -= this.clock.now() - this.#since;
    }
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      longest.dispose();
      if (--this.#pauses === 0) this.#run();
    };
    const longest = this.clock.setTimer(end, this.longestPauseMs);
    return { dispose: end };
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#isDisposed = true;
  }

  #run(): void {
    if (this.#isDisposed) return;
    this.#since = this.clock.now();
    this.#timer = this.clock.setTimer(this.onEnd, this.leftMs);
  }
}

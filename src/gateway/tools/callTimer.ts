/** The time limit of a call. It stands still while its user is asked, for a bounded time. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Time } from '../../tap/wire/limits.ts';

export class CallTimer implements Disposable {
  #timer: Disposable | undefined;
  #since: number;
  /** Questions for which the time stands still. */
  #pauses = 0;
  #isDisposed = false;

  constructor(
    private readonly clock: Clock,
    private leftMs: number,
    private readonly onEnd: () => void,
  ) {
    this.#since = clock.now();
    this.#run();
  }

  /** Dispose the result when the question has its answer. Without one the time goes on by itself. */
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
    const longest = this.clock.setTimer(end, Time.questionMs);
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

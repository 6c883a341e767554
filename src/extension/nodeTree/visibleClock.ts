/** Tells rows that show times to be made anew, for as long as somebody can see them. */
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';

export class VisibleClock implements Disposable {
  #next: Disposable | undefined;

  /** `tell` is called when the rows come into sight, and every `everyMs` from then on. */
  constructor(
    private readonly tell: () => void,
    private readonly everyMs: number,
    private readonly clock: Clock = systemClock,
  ) {}

  setVisible(isVisible: boolean): void {
    if (isVisible === (this.#next !== undefined)) return;
    if (isVisible) this.#tick();
    else this.dispose();
  }

  dispose(): void {
    this.#next?.dispose();
    this.#next = undefined;
  }

  #tick(): void {
    this.#next = this.clock.setTimer(() => this.#tick(), this.everyMs);
    this.tell();
  }
}

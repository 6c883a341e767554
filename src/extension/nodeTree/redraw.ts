/** Makes rows anew when something has changed, a burst of changes at once. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';

export class Redraw implements Disposable {
  readonly #didDraw = new Emitter<void>();
  readonly onDidDraw = this.#didDraw.event;
  #next: { readonly due: number; readonly timer: Disposable } | undefined;

  /** `draw`: makes the rows. `delayMs`: for `soon`. */
  constructor(
    private readonly draw: () => void,
    private readonly delayMs = 0,
    private readonly clock: Clock = systemClock,
  ) {}

  /** What is due earlier already is not put off. */
  soon(delayMs = this.delayMs): void {
    const due = this.clock.now() + delayMs;
    if (this.#next && this.#next.due <= due) return;
    this.#next?.timer.dispose();
    this.#next = { due, timer: this.clock.setTimer(() => this.now(), delayMs) };
  }

  now(): void {
    this.#next?.timer.dispose();
    this.#next = undefined;
    this.draw();
    this.#didDraw.fire();
  }

  dispose(): void {
    this.#next?.timer.dispose();
    this.#didDraw.dispose();
  }
}

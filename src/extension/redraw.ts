/** Makes rows anew when something has changed. */
import { Emitter } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';

export class Redraw implements Disposable {
  readonly #didChange = new Emitter<void>();
  /** The rows look otherwise. A click that comes while rows are replaced is lost, so nothing is said of what looks the same. */
  readonly onDidChange = this.#didChange.event;
  #drawn = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `draw`: makes the rows, and returns all that can be seen of them, as JSON values. `delayMs`: for `soon`, which gathers a burst of changes. */
  constructor(
    private readonly draw: () => unknown,
    private readonly delayMs = 0,
  ) {}

  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.now();
    }, this.delayMs);
  }

  now(): void {
    const drawn = JSON.stringify(this.draw());
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#didChange.fire();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#didChange.dispose();
  }
}

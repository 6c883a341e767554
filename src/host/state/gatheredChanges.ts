/** Names of what has changed, gathered for a moment: a list need not follow every change. */
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';

const GATHER_MS = 100;

export class GatheredChanges implements Disposable {
  readonly #changed = new Set<string>();
  #timer: Disposable | undefined;

  constructor(
    private readonly tell: (name: string) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  note(name: string): void {
    this.#changed.add(name);
    this.#timer ??= this.clock.setTimer(() => this.#flush(), GATHER_MS);
  }
  /** It is gone, and nothing more is told about it. */
  forget(name: string): void {
    this.#changed.delete(name);
  }
  dispose(): void {
    this.#timer?.dispose();
  }

  #flush(): void {
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const name of changed) this.tell(name);
  }
}

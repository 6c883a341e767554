import type { Duplex } from 'node:stream';

/** Has what is written to a stream leave together, because writing costs the most. */
export class Cork {
  #isIn = false;

  /** `later`: calls back when what belongs together is written. */
  constructor(
    private readonly stream: Duplex,
    private readonly later: (callback: () => void) => unknown,
  ) {}

  /** Call it before each write. */
  put(): void {
    if (this.#isIn) return;
    this.#isIn = true;
    this.stream.cork();
    this.later(() => {
      this.#isIn = false;
      this.stream.uncork();
    });
  }
}

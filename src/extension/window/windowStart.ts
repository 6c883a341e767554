/** The start of the window: one for all that ask for it, and another one after a failure. */
import * as l10n from '../../base/l10n.ts';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';

/** What was begun for a window. It ends with the window, and also when the window could not be started. */
export class WindowLife implements Disposable {
  readonly #parts: Disposable[] = [];
  #last: Disposable | undefined;
  #isOver = false;

  /** The window has ended. Nothing is begun for it any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Parts end in the order in which they were begun: those that lead out of the window first. What comes too late ends at once. */
  own<T extends Disposable>(part: T): T {
    if (this.#isOver) part.dispose();
    else this.#parts.push(part);
    return part;
  }

  /** Ends when all parts have. */
  ownLast(part: Disposable): void {
    if (this.#isOver) part.dispose();
    else this.#last = part;
  }

  /** Every part ends, also when one throws. The first error is thrown at the end. */
  dispose(): void {
    this.#isOver = true;
    const errors: unknown[] = [];
    for (const part of [...this.#parts.splice(0), ...(this.#last ? [this.#last] : [])])
      try {
        part.dispose();
      } catch (error) {
        errors.push(error);
      }
    this.#last = undefined;
    if (errors.length) throw errors[0];
  }
}

export class WindowStart<T> implements Disposable {
  #attempt: { readonly life: WindowLife; readonly started: Promise<T> } | undefined;
  #isOver = false;

  constructor(private readonly start: (life: WindowLife) => Promise<T>) {}

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Rejects when it could not be started. Whoever asks after that starts it again. */
  started(): Promise<T> {
    if (this.#isOver) return Promise.reject(new Error(l10n.t('This window has ended.')));
    if (this.#attempt) return this.#attempt.started;
    const life = new WindowLife();
    const started = this.#try(life);
    this.#attempt = { life, started };
    return started;
  }

  dispose(): void {
    this.#isOver = true;
    this.#attempt?.life.dispose();
  }

  async #try(life: WindowLife): Promise<T> {
    try {
      return await this.start(life);
    } catch (error) {
      this.#attempt = undefined;
      try {
        life.dispose();
      } catch (another) {
        // The first one says why it could not be started.
        throw new AggregateError([error, another], messageOf(error), { cause: error });
      }
      throw error;
    }
  }
}

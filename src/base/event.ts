import { type Disposable, toDisposable } from './lifecycle.ts';

/** Call with a listener to subscribe, and dispose the result to stop. The shape of VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A source of events. When a listener throws, the others are still called, and the error goes to `onError`. */
export class Emitter<T> implements Disposable {
  // Replaced and never changed in place, so that firing needs no copy and listeners may come and go meanwhile.
  #listeners: readonly ((value: T) => void)[] = [];
  #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = rethrowLater) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // Wrapped, so that the same function can listen twice.
    const own = (value: T) => listener(value);
    this.#listeners = [...this.#listeners, own];
    return toDisposable(() => (this.#listeners = this.#listeners.filter((other) => other !== own)));
  };

  fire(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners = [];
  }
}

/** The default for `onError`: the error becomes an uncaught exception. */
function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

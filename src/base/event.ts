import { type Disposable, toDisposable } from './lifecycle.ts';

/** Subscribe with a listener; dispose the result to stop. The shape of VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A source of events. A listener that throws does not keep the others from hearing; its error goes to `onError`. */
export class Emitter<T> implements Disposable {
  // Replaced, never changed in place: whoever is being told goes through the list of the moment, and firing copies nothing.
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

  get hasListeners(): boolean {
    return this.#listeners.length > 0;
  }

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

/** Nothing is swallowed: without a handler the error surfaces as an uncaught one. */
function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

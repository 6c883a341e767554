/** Something with a lifetime. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(dispose: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      dispose();
    },
  };
}

/** Owns disposables. What is added after its disposal is disposed at once. */
export class DisposableStore implements Disposable {
  #items: Set<Disposable> | undefined = new Set();

  get isDisposed(): boolean {
    return this.#items === undefined;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#items) this.#items.add(item);
    else item.dispose();
    return item;
  }

  /** Disposes one item. */
  delete(item: Disposable): void {
    if (this.#items?.delete(item)) item.dispose();
  }

  /** Disposes all items, the last one first. Every item is disposed even when one throws. The first error is thrown at the end. */
  dispose(): void {
    const items = this.#items;
    if (!items) return;
    this.#items = undefined;
    const errors: unknown[] = [];
    for (const item of [...items].reverse()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length) throw errors[0];
  }
}

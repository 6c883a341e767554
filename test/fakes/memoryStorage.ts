import type { Storage } from '../../src/extension/bridge/storage/storage.ts';

/** What outlives a window: every value as it was when it was written. */
export class MemoryStorage implements Storage {
  readonly #values = new Map<string, string>();
  /** Why nothing can be written. */
  failure: Error | undefined;

  get(key: string): unknown {
    const text = this.#values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }
  async update(key: string, value: unknown): Promise<void> {
    if (this.failure) throw this.failure;
    this.#values.set(key, JSON.stringify(value));
  }
}

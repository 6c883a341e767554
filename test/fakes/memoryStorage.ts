import { type Clock, systemClock } from '../../src/base/clock.ts';
import { nullLogger } from '../../src/base/log.ts';
import type { KeptIn } from '../../src/extension/bridge/storage/keptMap.ts';
import type { Storage } from '../../src/extension/bridge/storage/storage.ts';

/** What outlives a window: every value as it was when it was written. */
export class MemoryStorage implements Storage {
  readonly #values = new Map<string, string>();
  /** Why nothing can be written. */
  failure: Error | undefined;
  /** How often something was written. */
  writes = 0;

  get(key: string): unknown {
    const text = this.#values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }
  async update(key: string, value: unknown): Promise<void> {
    if (this.failure) throw this.failure;
    this.writes++;
    this.#values.set(key, JSON.stringify(value));
  }
}

/** For what a window keeps there. */
export function keptIn(storage: Storage, clock: Clock = systemClock): KeptIn {
  return { storage, clock, logger: nullLogger };
}

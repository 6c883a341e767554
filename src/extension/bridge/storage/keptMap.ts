/** A map that outlives the window. Each write is a message to another process with all that VS Code keeps for us, so what need not be safe at once waits for it. */
import type { Clock } from '../../../base/clock.ts';
import { dropOldest } from '../../../base/dropOldest.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { keep, readMap, type Storage } from './storage.ts';

/** Within this time a window that is killed may lose what was to be written soon. */
const SOON_MS = 250;

/** Where something is kept. */
export interface KeptIn {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface KeptMapOptions<T> {
  /** In the storage. */
  readonly key: string;
  /** Entries; the oldest go first. */
  readonly limit: number;
  is(value: unknown): value is T;
}

export class KeptMap<T> implements Disposable {
  /** What is changed in it is written with the next write. */
  readonly entries: Map<string, T>;
  /** It goes on when there was another write meanwhile, because each call would begin and end one. */
  #timer: Disposable | undefined;
  #isChanged = false;

  constructor(
    private readonly kept: KeptIn,
    private readonly options: KeptMapOptions<T>,
  ) {
    this.entries = readMap(kept.storage, options.key, options.is);
  }

  /** As the newest. */
  put(name: string, value: T): void {
    this.entries.delete(name);
    this.entries.set(name, value);
    dropOldest(this.entries, this.options.limit);
  }

  /** Resolves when it is kept, and rejects when it cannot be. */
  write(): PromiseLike<void> {
    return this.kept.storage.update(this.options.key, this.#taken());
  }

  /** The same where nobody waits for it. */
  writeNow(): void {
    keep(this.kept.storage, this.options.key, this.#taken(), this.kept.logger);
  }

  /** With the next write, or by itself after a moment. */
  writeSoon(): void {
    this.#isChanged = true;
    this.#timer ??= this.kept.clock.setTimer(() => {
      this.#timer = undefined;
      this.#writeChanged();
    }, SOON_MS);
  }

  /** The window goes. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#writeChanged();
  }

  #writeChanged(): void {
    if (this.#isChanged) this.writeNow();
  }

  #taken(): Record<string, T> {
    this.#isChanged = false;
    return Object.fromEntries(this.entries);
  }
}

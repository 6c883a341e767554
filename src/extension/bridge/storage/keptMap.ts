/** A map that outlives the window. Each write is a message to another process with all that VS Code keeps for us, so what need not be safe waits for it. */
import type { Clock } from '../../../base/clock.ts';
import { dropOldest } from '../../../base/dropOldest.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { keep, readMap, type Storage } from './storage.ts';

/** A window that is killed or loaded again within this time, in ms, loses what was to be written soon. */
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
    this.#isChanged = false;
    return this.kept.storage.update(this.options.key, Object.fromEntries(this.entries)).then(undefined, (error: unknown) => {
      this.writeSoon();
      throw error;
    });
  }

  /** The same where nobody waits for it. */
  writeNow(): void {
    this.#isChanged = false;
    keep(this.kept.storage, this.options.key, Object.fromEntries(this.entries), this.kept.logger);
  }

  /** With the next write, or by itself after a moment. For what the next window finds out by itself. */
  writeSoon(): void {
    this.#isChanged = true;
    this.#timer ??= this.kept.clock.setTimer(() => {
      this.#timer = undefined;
      if (this.#isChanged) this.writeNow();
    }, SOON_MS);
  }

  /** The window goes, and VS Code's storage before us: nothing can be written any more. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}

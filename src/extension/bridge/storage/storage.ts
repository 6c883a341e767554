import { englishOf } from '../../../base/errors.ts';
import { isRecord } from '../../../base/isRecord.ts';
import type { Logger } from '../../../base/log.ts';

/** As much of a VS Code `Memento` as the bridge needs: what outlives a reload of the window. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** For what nobody waits for. That it could not be kept is in the log. */
export function keep(storage: Storage, key: string, value: unknown, logger: Logger): void {
  storage.update(key, value).then(undefined, (error: unknown) => logger.error(`Keeping ${key}: ${englishOf(error)}`));
}

/** What is kept under a key as a record; what an earlier version, or nobody, has kept there counts as empty. */
export function readRecord(storage: Storage, key: string): Record<string, unknown> {
  const value = storage.get(key);
  return isRecord(value) ? { ...value } : {};
}

/** The same as a map, of the values that are what `is` says. */
export function readMap<T>(storage: Storage, key: string, is: (value: unknown) => value is T): Map<string, T> {
  const kept = Object.entries(readRecord(storage, key));
  return new Map(kept.filter((entry): entry is [string, T] => is(entry[1])));
}

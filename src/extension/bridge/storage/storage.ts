import { isRecord } from '../../../base/isRecord.ts';

/** As much of a VS Code `Memento` as the bridge needs: what outlives a reload of the window. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** What is kept under a key as a record; what an earlier version, or nobody, has kept there counts as empty. */
export function readRecord(storage: Storage, key: string): Record<string, unknown> {
  const value = storage.get(key);
  return isRecord(value) ? { ...value } : {};
}

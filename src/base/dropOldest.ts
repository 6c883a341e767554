/** Deletes the entries that were added first, until at most `limit` are left. */
export function dropOldest<K>(entries: Map<K, unknown> | Set<K>, limit: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= limit) return;
    entries.delete(key);
  }
}

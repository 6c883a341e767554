/** Waits, turn by turn of the event loop, until `condition` holds; fails by name when it does not within `timeoutMs`. */
export async function eventually(condition: () => unknown, what: string, timeoutMs = 5_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise(setImmediate);
  }
}

/** Lets everything that is already under way in memory come to rest. */
export async function atRest(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

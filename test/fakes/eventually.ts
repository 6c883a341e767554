/** The real one, also in tests that mock it. */
const later = setTimeout;
/** What happens in memory is there by then. For the rest other processes need the processor. */
const BUSY_TURNS = 50;

/** Waits, turn by turn of the event loop, until `condition`, or what it promises, holds; fails by name when it does not within `timeoutMs`. */
export async function eventually(condition: () => unknown, what: string, timeoutMs = 15_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (let turn = 0; !(await condition()); turn++) {
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => (turn < BUSY_TURNS ? setImmediate(resolve) : later(resolve, 1)));
  }
}

/** Lets everything that is already under way in memory come to rest. */
export async function atRest(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

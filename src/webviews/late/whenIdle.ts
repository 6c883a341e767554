/** Does something while the page has nothing else to do. */

/** In ms: after this time it is done in any case. */
const MAX_IDLE_MS = 200;

/** Returns a function that takes it back. Not every browser says when it has nothing to do. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(run, { timeout: MAX_IDLE_MS });
  return () => cancelIdleCallback(idle);
}

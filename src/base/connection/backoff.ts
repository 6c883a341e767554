export interface Backoff {
  /** Milliseconds before the first retry. */
  firstMs: number;
  /** Milliseconds that no delay exceeds. */
  longestMs: number;
}

/**
 * Milliseconds to wait before retry `attempt` (from 1). The delay doubles with each attempt. A random part of up to half is taken off, so that
 * many clients do not return at once. `random` returns a number from 0 to 1.
 */
export function backoffDelay(attempt: number, { firstMs, longestMs }: Backoff, random: () => number = Math.random): number {
  const full = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  return Math.round(full * (1 - random() / 2));
}

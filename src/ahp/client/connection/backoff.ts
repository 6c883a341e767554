const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** How long to wait before attempt `attempt` (from 1): 1 s doubling to 30 s, of which a random part up to half is taken off, so that many clients do not return at once. */
export function backoffDelay(attempt: number, random: () => number): number {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(full * (1 - random() / 2));
}

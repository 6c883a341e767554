/** The time between the runs of an emitter, as it is written. */
const SECOND_MS = 1000;
const unitMs = { s: SECOND_MS, m: 60 * SECOND_MS, h: 3600 * SECOND_MS, d: 24 * 3600 * SECOND_MS } as const;
/** A timer cannot wait longer than 24.8 days. */
const MAX_INTERVAL_MS = 24 * unitMs.d;

/** `30s`, `5m`, `2h`, `1d`; undefined for anything else. */
export function intervalMs(word: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,6})([smhd])$/.exec(word) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return ms <= MAX_INTERVAL_MS ? ms : undefined;
}

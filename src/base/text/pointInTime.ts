/** A time as somebody writes it on a command line. */

const MINUTE_MS = 60_000;

/**
 * In ms since the epoch: `22:30`, which is today or tomorrow, whichever comes next, or `2026-11-28T06:00`, with `Z` or an offset where it is not
 * that of this computer. Undefined: it is no such time.
 */
export function pointInTime(text: string, now: number): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hours !== undefined && minutes !== undefined) {
    if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
    const time = new Date(now);
    time.setHours(Number(hours), Number(minutes), 0, 0);
    // The minute that it is now is meant, and not that of tomorrow.
    if (time.getTime() <= now - MINUTE_MS) time.setDate(time.getDate() + 1);
    return time.getTime();
  }
  const date = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:\d{2})?$/.exec(text.trim());
  if (!date) return undefined;
  const [, day = '', time = '', zone = ''] = date;
  const at = Date.parse(`${day}T${time}${zone}`);
  // The 31st of a month that has 30 days is that of no month.
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
  return Number.isNaN(at) || !isDay ? undefined : at;
}

import * as l10n from '../../../base/l10n.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const date = l10n.dateFormat({ year: 'numeric', month: 'short', day: 'numeric' });

/** How long ago something was: `now`, `5m`, `3h`, `yesterday`, `4d`, or a date. Times are in ms since the epoch. */
export function relativeTime(then: number, now: number): string {
  const age = now - then;
  if (!Number.isFinite(age)) return '';
  if (age < MINUTE) return l10n.t('now');
  if (age < HOUR) return l10n.t`${Math.floor(age / MINUTE)}m`;
  if (age < DAY) return l10n.t`${Math.floor(age / HOUR)}h`;
  if (age < 2 * DAY) return l10n.t('yesterday');
  if (age < 7 * DAY) return l10n.t`${Math.floor(age / DAY)}d`;
  return dateText(then, date);
}

/** Until when it is the same words. */
export function relativeTimeEnd(then: number, now: number): number {
  const age = now - then;
  if (!(age < 7 * DAY)) return Infinity;
  if (age < MINUTE) return then + MINUTE;
  const unit = age < HOUR ? MINUTE : age < DAY ? HOUR : DAY;
  return then + (Math.floor(age / unit) + 1) * unit;
}

/** Empty for an invalid time. */
export function dateText(time: number, format: Intl.DateTimeFormat): string {
  return Number.isNaN(new Date(time).getTime()) ? '' : format.format(time);
}

/** Times of day, as the user's language writes them. All times are in ms since the epoch. */
import { dateText } from './relativeTime.ts';
import * as l10n from '../../../base/l10n.ts';

const toMinute = l10n.dateFormat({ hour: '2-digit', minute: '2-digit' });
const toSecond = l10n.dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
const withDay = l10n.dateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const withYear = l10n.dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** “02:14”, on another day than now “Thu, Nov 26, 02:14”. Empty for an invalid time. */
export function clockText(time: number, now: number): string {
  const [then, today] = [new Date(time), new Date(now)];
  if (then.toDateString() === today.toDateString()) return dateText(time, toMinute);
  return dateText(time, then.getFullYear() === today.getFullYear() ? withDay : withYear);
}

/** “02:14:05” */
export function secondText(time: number): string {
  return dateText(time, toSecond);
}

/** “02:14:05”, on another day than now as `clockText` has it. */
export function momentText(time: number, now: number): string {
  return new Date(time).toDateString() === new Date(now).toDateString() ? secondText(time) : clockText(time, now);
}

/** From when to when: what both have in common is said once. */
export function spanText(startedAt: number, endedAt: number | undefined, now: number): string {
  const begun = clockText(startedAt, now);
  if (endedAt === undefined) return l10n.t`since ${begun}`;
  const ended = clockText(endedAt, now);
  return begun === ended ? begun : `${begun} – ${sameDay(startedAt, endedAt) ? clockText(endedAt, endedAt) : ended}`;
}

function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

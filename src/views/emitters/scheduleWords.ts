/** When an emitter runs, in words. */
import * as l10n from '../../base/l10n.ts';
import { intervalMs } from '../../tap/wire/emitters/intervals.ts';
import { durationText } from '../text/time/duration.ts';
import type { EmitterStatus } from './emitterRequest.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** "5 min", "1 day"; the word itself where it is none. */
function intervalText(word: string): string {
  const ms = intervalMs(word);
  if (ms === undefined) return word;
  if (ms % DAY_MS !== 0) return durationText(ms);
  const days = ms / DAY_MS;
  return l10n.plural(days, l10n.t`${l10n.countText(days)} day`, l10n.t`${l10n.countText(days)} days`);
}

/** "every 5 min", "after 1 min, then every 5 min". */
export function everyText(runInterval: string | readonly string[]): string {
  const intervals = [runInterval].flat();
  // The last one goes on.
  const every = eachText(intervals.at(-1) ?? '');
  const first = intervals.slice(0, -1).map(intervalText);
  return first.length === 0 ? every : l10n.t`after ${l10n.commaText(first)}, then ${every}`;
}

function eachText(word: string): string {
  switch (intervalMs(word)) {
    case DAY_MS:
      return l10n.t('every day');
    case HOUR_MS:
      return l10n.t('every hour');
    default:
      return l10n.t`every ${intervalText(word)}`;
  }
}

export function scheduleText({
  runSchedule,
  runInterval,
  maxRuns,
}: Pick<EmitterStatus, 'runSchedule' | 'runInterval' | 'maxRuns'>): string {
  if (runSchedule === 'continuous') return l10n.t('runs on');
  if (runSchedule === 'oneTime') return l10n.t('once');
  const when = runSchedule === 'idle' ? l10n.t('each time the session is idle') : everyText(runInterval ?? '');
  if (maxRuns === undefined) return when;
  return maxRuns === 1 ? l10n.t`${when}, once` : l10n.t`${when}, ${l10n.countText(maxRuns)} times`;
}

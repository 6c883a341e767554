/** When an emitter runs, in words. */
import * as l10n from '../../base/l10n.ts';
import { intervalMs } from '../../tap/wire/emitters/intervals.ts';
import { durationText } from '../text/time/duration.ts';
import type { EmitterStatus } from './emitterRequest.ts';

const DAY_MS = 24 * 3_600_000;

/** "5 min", "1 day"; the word itself where it is none. */
export function intervalText(word: string): string {
  const ms = intervalMs(word);
  if (ms === undefined) return word;
  if (ms % DAY_MS !== 0) return durationText(ms);
  const days = ms / DAY_MS;
  return l10n.plural(days, l10n.t`${l10n.countText(days)} day`, l10n.t`${l10n.countText(days)} days`);
}

/** The last one goes on. `first`: those before it, if there are any. */
export function intervalsInWords(intervals: readonly string[]): { first?: string; every: string } {
  const words = intervals.map(intervalText);
  const every = words.at(-1) ?? '';
  return words.length < 2 ? { every } : { first: words.slice(0, -1).join(', '), every };
}

/** "every 5 min", "after 1 min, then every 5 min". */
export function everyText(runInterval: string | readonly string[]): string {
  const { first, every } = intervalsInWords([runInterval].flat());
  return first === undefined ? l10n.t`every ${every}` : l10n.t`after ${first}, then every ${every}`;
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

/** When an emitter runs, in words. */
import * as l10n from '@vscode/l10n';
import { intervalMs } from '../../tap/wire/emitters/intervals.ts';
import { durationText } from '../text/time/duration.ts';
import type { EmitterStatus } from './emitterRequest.ts';

const DAY_MS = 24 * 3_600_000;

/** "5 min", "1 day"; the word itself where it is none. */
export function intervalText(word: string): string {
  const ms = intervalMs(word);
  if (ms === undefined) return word;
  if (ms % DAY_MS !== 0) return durationText(ms);
  return ms === DAY_MS ? '1 day' : `${ms / DAY_MS} days`;
}

/** "every 5 min", "after 1 min, then every 5 min". */
export function everyText(runInterval: string | readonly string[]): string {
  const words = [runInterval].flat().map(intervalText);
  const last = words.at(-1) ?? '';
  return words.length < 2 ? `every ${last}` : l10n.t`after ${words.slice(0, -1).join(', ')}, then every ${last}`;
}

export function scheduleText({
  runSchedule,
  runInterval,
  maxRuns,
}: Pick<EmitterStatus, 'runSchedule' | 'runInterval' | 'maxRuns'>): string {
  const times = maxRuns === undefined ? '' : `, ${maxRuns === 1 ? 'once' : `${maxRuns} times`}`;
  switch (runSchedule) {
    case 'continuous':
      return l10n.t('runs on');
    case 'oneTime':
      return 'once';
    case 'idle':
      return l10n.t`each time the session is idle${times}`;
    case 'timed':
      return `${everyText(runInterval ?? '')}${times}`;
  }
}

/** When a job starts by itself, in words. */
import * as l10n from '@vscode/l10n';
import { clockText } from '../../text/time/clockText.ts';
import { oneLine } from '../../text/oneLine.ts';
import type { OfferedJob } from '../jobData.ts';

const MAX_WORDS = 200;

/** One line each. Empty where it does not. */
export function scheduleWords({ schedule }: Pick<OfferedJob, 'schedule'>, now: number): string[] {
  if (!schedule) return [];
  const { cron, timeZone, folder, next, last, missedTimes, missed } = schedule;
  const where = timeZone === undefined ? '' : ` (${oneLine(timeZone, MAX_WORDS)})`;
  const when = next === undefined ? '' : `, next ${clockText(next, now)}`;
  return [
    l10n.t`Starts by itself at “${oneLine(cron, MAX_WORDS)}”${where} in ${oneLine(folder, MAX_WORDS)}${when}.`,
    ...(last
      ? [
          last.problem === undefined
            ? l10n.t`Started last ${clockText(last.at, now)}.`
            : l10n.t`Did not start ${clockText(last.at, now)}: ${oneLine(last.problem, MAX_WORDS)}.`,
        ]
      : []),
    ...(missedTimes
      ? [
          l10n.t`Missed ${missedTimes.count === 1 ? 'one time' : `${missedTimes.count.toLocaleString('en')} times`} while the portal did not run, last ${clockText(missedTimes.last, now)}${missed === 'run' ? '' : '; that is not made up for'}.`,
        ]
      : []),
  ];
}

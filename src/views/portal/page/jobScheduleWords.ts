/** When a job starts by itself, in words. */
import * as l10n from '../../../base/l10n.ts';
import { clockText } from '../../text/time/clockText.ts';
import { oneLine } from '../../text/oneLine.ts';
import type { OfferedJob } from '../jobData.ts';
import { runReasonText } from '../records/runReasonText.ts';

const MAX_WORDS = 200;

/** One line each. Empty where it does not. */
export function scheduleWords({ schedule }: Pick<OfferedJob, 'schedule'>, now: number): string[] {
  if (!schedule) return [];
  const { cron, timeZone, folder, next, last, missedTimes, missed } = schedule;
  const at = oneLine(cron, MAX_WORDS);
  const zone = timeZone === undefined ? undefined : oneLine(timeZone, MAX_WORDS);
  const start = startText(zone === undefined ? l10n.t`“${at}”` : l10n.t`“${at}” (${zone})`, oneLine(folder, MAX_WORDS), next, now);
  return [
    start,
    ...(last
      ? [
          last.problem === undefined
            ? l10n.t`Started last ${clockText(last.at, now)}.`
            : l10n.t`Did not start ${clockText(last.at, now)}: ${problemText(last.problem)}.`,
        ]
      : []),
    ...(missedTimes ? [missedText(missedTimes.count, clockText(missedTimes.last, now), missed === 'run')] : []),
  ];
}

/** Without the end of its sentence. */
function problemText(problem: string): string {
  return oneLine(runReasonText(problem).replace(/[.。]$/, ''), MAX_WORDS);
}

function startText(when: string, folder: string, next: number | undefined, now: number): string {
  return next === undefined
    ? l10n.t`Starts by itself at ${when} in ${folder}.`
    : l10n.t`Starts by itself at ${when} in ${folder}, next ${clockText(next, now)}.`;
}

function missedText(count: number, last: string, isMadeUpFor: boolean): string {
  if (isMadeUpFor)
    return l10n.plural(
      count,
      l10n.t`Missed one time while the portal did not run, last ${last}.`,
      l10n.t`Missed ${l10n.countText(count)} times while the portal did not run, last ${last}.`,
    );
  return l10n.plural(
    count,
    l10n.t`Missed one time while the portal did not run, last ${last}; that is not made up for.`,
    l10n.t`Missed ${l10n.countText(count)} times while the portal did not run, last ${last}; that is not made up for.`,
  );
}

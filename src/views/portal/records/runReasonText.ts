/** Why a run did not succeed, or did not start, as its record has it: English, for programs. What is of no known form is shown as it is. */
import * as l10n from '../../../base/l10n.ts';
import { said } from '../../../base/text/phrase.ts';
import { runReasonOf } from './runReasons.ts';

// eslint-disable-next-line texts/translated -- as a record has it
export const WORK_FAILED = 'its work failed';

const BUDGET =
  /^its budget of ([\d,.]{1,30}) (model call|minute|token)s? is used up, after ([\d,.]{1,30}) \2s?; when it is continued, it has as much again$/;
const LOOP = /^a loop has run (\d{1,15}) times? and would run again$/;
const CRASH = /^the task ("[^]{1,500}?") crashed: ([^]*)$/;

export function runReasonText(reason: string): string {
  if (reason === WORK_FAILED) return l10n.t('its work failed');
  const [, most, unit, used] = BUDGET.exec(reason) ?? [];
  if (most !== undefined && unit !== undefined && used !== undefined) return usedUp(unit, amountOf(most), amountOf(used));
  const [, times] = LOOP.exec(reason) ?? [];
  if (times !== undefined) return loopText(Number(times));
  const [, task, why] = CRASH.exec(reason) ?? [];
  if (task !== undefined && why !== undefined)
    return l10n.t`the task ${task} crashed: ${why === 'the task was stopped' ? l10n.t('the task was stopped') : why}`;
  return said(runReasonOf(reason) ?? reason);
}

function loopText(count: number): string {
  const times = l10n.countText(count);
  return l10n.plural(
    count,
    l10n.t`a loop has run ${times} time and would run again`,
    l10n.t`a loop has run ${times} times and would run again`,
  );
}

function usedUp(unit: string, count: number, usedCount: number): string {
  const [most, used] = [l10n.countText(count), l10n.countText(usedCount)];
  switch (unit) {
    case 'model call':
      return l10n.plural(
        count,
        l10n.t`its budget of ${most} model call is used up, after ${used}; when it is continued, it has as much again`,
        l10n.t`its budget of ${most} model calls is used up, after ${used}; when it is continued, it has as much again`,
      );
    case 'minute':
      return l10n.plural(
        count,
        l10n.t`its budget of ${most} minute is used up, after ${used}; when it is continued, it has as much again`,
        l10n.t`its budget of ${most} minutes is used up, after ${used}; when it is continued, it has as much again`,
      );
    default:
      return l10n.plural(
        count,
        l10n.t`its budget of ${most} token is used up, after ${used}; when it is continued, it has as much again`,
        l10n.t`its budget of ${most} tokens is used up, after ${used}; when it is continued, it has as much again`,
      );
  }
}

function amountOf(english: string): number {
  return Number(english.replaceAll(',', ''));
}

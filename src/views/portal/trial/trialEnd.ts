/** A trial in the words of the terminal and the editor. */
import * as l10n from '../../../base/l10n.ts';
import { said } from '../../../base/text/phrase.ts';
import { reasonTexts } from '../page/decisionWords.ts';
import { runReasonText, WORK_FAILED } from '../records/runReasonText.ts';
import type { Trial, TrialCall, TrialPrompt } from './trial.ts';

/** Such as “With a script in place of its models it would fail after 3 steps. Its work failed.” */
export function trialEnd({ status, reason, steps }: Trial): string {
  const last = steps.findLast((step) => step.reason !== undefined && step.status === 'Failed');
  // The reason of the job does not say what the work was.
  const why =
    reason === WORK_FAILED && last
      ? l10n.t`“${last.taskName}” failed: ${reasonTexts([last.reason ?? '']).join('')}`
      : reason === undefined
        ? undefined
        : runReasonText(said(reason));
  const end = endText(status, steps.length);
  return why === undefined || status === 'Succeeded' ? end : l10n.sentencesText([end, sentence(why)]);
}

function endText(status: Trial['status'], count: number): string {
  const steps = l10n.countText(count);
  switch (status) {
    case 'Succeeded':
      return l10n.plural(
        count,
        l10n.t`With a script in place of its models it would succeed after ${steps} step.`,
        l10n.t`With a script in place of its models it would succeed after ${steps} steps.`,
      );
    case 'Failed':
      return l10n.plural(
        count,
        l10n.t`With a script in place of its models it would fail after ${steps} step.`,
        l10n.t`With a script in place of its models it would fail after ${steps} steps.`,
      );
    case 'Stopped':
      return l10n.plural(
        count,
        l10n.t`With a script in place of its models it was stopped after ${steps} step.`,
        l10n.t`With a script in place of its models it was stopped after ${steps} steps.`,
      );
  }
}

/** What a prompt is, and who gets it. */
export function promptTitle({ kind, retry, model, isNewSession }: TrialPrompt): string {
  if (kind === 'availability')
    return isNewSession
      ? l10n.t`Asked first, whether it may run, to a new session of ${model}:`
      : l10n.t`Asked first, whether it may run, to the same session of ${model}:`;
  if (kind === 'criteria')
    return isNewSession
      ? l10n.t`Asked then, whether it has succeeded, to a new session of ${model}:`
      : l10n.t`Asked then, whether it has succeeded, to the same session of ${model}:`;
  if (retry === 0) return isNewSession ? l10n.t`Prompt, to a new session of ${model}:` : l10n.t`Prompt, to the same session of ${model}:`;
  return isNewSession
    ? l10n.t`Prompt of retry ${retry}, to a new session of ${model}:`
    : l10n.t`Prompt of retry ${retry}, to the same session of ${model}:`;
}

/** What the script does about a prompt. */
export function scriptText({ calls, isOverLimit }: TrialPrompt): string {
  if (isOverLimit) return l10n.t('The script reaches a limit.');
  return calls.length === 0 ? l10n.t('The script calls nothing.') : l10n.t`The script calls ${calls.map(callText).join(', ')}.`;
}

function callText({ tool, argument, waits }: TrialCall): string {
  return waits ? l10n.t`${tool} with ${argument} (would wait for a person)` : l10n.t`${tool} with ${argument}`;
}

function sentence(text: string): string {
  const begun = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.。]$/.test(begun) ? begun : l10n.t`${begun}.`;
}

/** A trial in the words of the terminal and the editor. */
import * as l10n from '@vscode/l10n';
import { counted } from '../../text/counted.ts';
import type { Trial, TrialCall, TrialPrompt } from './trial.ts';

const ends = { Succeeded: l10n.t('it would succeed'), Failed: l10n.t('it would fail'), Stopped: 'stopped' } as const;

/** Such as “it would fail after 3 steps: its work failed”. */
export function trialEnd({ status, reason, steps }: Trial): string {
  const last = steps.findLast((step) => step.reason !== undefined && step.status === 'Failed');
  const why = reason === 'its work failed' && last ? `“${last.taskName}” failed: ${last.reason}` : reason;
  return `${ends[status]} after ${counted(steps.length, 'step')}${why === undefined || status === 'Succeeded' ? '.' : `. ${sentence(why)}`}`;
}

/** What a prompt is, and who gets it. */
export function promptTitle({ kind, retry, model, isNewSession }: TrialPrompt): string {
  const what =
    kind === 'availability'
      ? l10n.t('Asked first, whether it may run')
      : kind === 'criteria'
        ? l10n.t('Asked then, whether it has succeeded')
        : retry === 0
          ? 'Prompt'
          : l10n.t`Prompt of retry ${retry}`;
  return `${what}, to ${isNewSession ? l10n.t('a new session') : l10n.t('the same session')} of ${model}:`;
}

/** What the script does about a prompt. */
export function scriptText({ calls, isOverLimit }: TrialPrompt): string {
  if (isOverLimit) return l10n.t('The script reaches a limit.');
  return calls.length === 0 ? l10n.t('The script calls nothing.') : l10n.t`The script calls ${calls.map(callText).join(', ')}.`;
}

function callText({ tool, argument, waits }: TrialCall): string {
  return `${tool} with ${argument}${waits ? l10n.t(' (would wait for a person)') : ''}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

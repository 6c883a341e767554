/** A trial in the words of the terminal and the editor. */
import { counted } from '../../text/counted.ts';
import type { Trial, TrialCall, TrialPrompt } from './trial.ts';

const ends = { Succeeded: 'it would succeed', Failed: 'it would fail', Stopped: 'stopped' } as const;

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
      ? 'Asked first, whether it may run'
      : kind === 'criteria'
        ? 'Asked then, whether it has succeeded'
        : retry === 0
          ? 'Prompt'
          : `Prompt of retry ${retry}`;
  return `${what}, to ${isNewSession ? 'a new session' : 'the same session'} of ${model}:`;
}

/** What the script does about a prompt. */
export function scriptText({ calls, isOverLimit }: TrialPrompt): string {
  if (isOverLimit) return 'The script reaches a limit.';
  return calls.length === 0 ? 'The script calls nothing.' : `The script calls ${calls.map(callText).join(', ')}.`;
}

function callText({ tool, argument, waits }: TrialCall): string {
  return `${tool} with ${argument}${waits ? ' (would wait for a person)' : ''}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

/** What a run has brought about, step by step, as far as its agent hosts and this computer tell. All of it is JSON. */
import { english, type Phrase, phrase, withValues, type Words } from '../../base/text/phrase.ts';
import type * as answers from '../../views/portal/answers/resultAnswers.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { StepKey } from '../runs/runEvents.ts';

export interface ResultOfStep extends answers.ResultOfStep {
  step: StepKey;
  redone?: true;
}

export interface RunResult {
  jobId: string;
  steps: ResultOfStep[];
  worktrees?: answers.ChangedTree[];
}

/** `words`: `message` for people of any language. Absent where it is that of somebody else. */
export interface ResultError<E extends string> {
  error: E;
  message: string;
  words?: Phrase;
}

/** In characters. */
export const MAX_SAID = 500;

export function resultError<E extends string>(error: E, why: Words): ResultError<E> {
  const words = withValues(why, (value) => oneLine(value, MAX_SAID));
  return { error, message: oneLine(english(words), MAX_SAID), ...(typeof words === 'object' && { words }) };
}

/** In characters, so that the words around it have room beside it. */
const MAX_LISTED = 400;

/** As many of the paths as have room, each one whole, and how many more there are. At least one. */
export function listedPaths([first = '', ...others]: readonly string[]): Words {
  let list = first;
  for (const [at, path] of others.entries()) {
    const longer = `${list}, ${path}`;
    if (longer.length > MAX_LISTED) return phrase`${list}, and ${others.length - at} more`;
    list = longer;
  }
  return list;
}

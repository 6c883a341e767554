/** What decides about a check. */
import type { CheckAnswer, Verdict } from '../../tap/wire/evidence/verdict.ts';
import { cleanText } from '../limits/cleanText.ts';

const LINE_LENGTH = 400;
const QUOTED_LENGTH = 100;
const NAME_LENGTH = 200;

export interface Decision {
  readonly verdict: Verdict;
  readonly seenBy?: NonNullable<CheckAnswer['seenBy']>;
  readonly line: string;
}

export function decided(isSo: boolean, line: string, seenBy: NonNullable<CheckAnswer['seenBy']> = 'gateway'): Decision {
  return { verdict: isSo ? 'supported' : 'contradicted', seenBy, line: cleanText(line, LINE_LENGTH) };
}

export function undecided(why: string): Decision {
  return { verdict: 'unknown', line: cleanText(why, LINE_LENGTH) };
}

/** The beginning of a name or path of a model. */
export function shown(name: string): string {
  return cleanText(name, NAME_LENGTH);
}

/** The beginning of what was looked for. */
export function quotedPart(text: string): string {
  return JSON.stringify(cleanText(text, QUOTED_LENGTH));
}

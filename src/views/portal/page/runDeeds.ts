/** What people did to a run as a whole, in words. What they did in a step stands there. */
import { oneLine } from '../../text/oneLine.ts';
import type { JobStatus } from '../jobData.ts';

export interface Deed {
  at: number;
  text: string;
}

const MAX_DEEDS = 50;
const MAX_TEXT = 300;

const words: Readonly<Record<string, string>> = {
  Pausing: 'paused it after the steps that ran',
  PauseWithdrawn: 'let it go on without the pause',
  Stopped: 'stopped it',
  Continued: 'let it go on',
};

/** Oldest first, at most the last fifty. */
export function runDeeds({ history = [], stoppedBy, endedAt }: Pick<JobStatus, 'history' | 'stoppedBy' | 'endedAt'>): Deed[] {
  const deeds = history.flatMap(({ at, what, by, edit, skipped }): Deed[] => {
    if (by === undefined || !Object.hasOwn(words, what)) return [];
    const name = edit && `“${oneLine(edit.taskName, MAX_TEXT)}”`;
    const changed = (part: string, value: string | undefined) =>
      value === undefined ? [] : [{ at, text: sentence(by, `changed the ${part} of ${name}: “${oneLine(value, MAX_TEXT)}”`) }];
    return [
      ...changed('input', edit?.userInput),
      ...changed('prompt', edit?.prompt),
      { at, text: sentence(by, skipped ? 'let it go on without a step' : (words[what] ?? '')) },
    ];
  });
  const last = stoppedBy === undefined || endedAt === undefined ? [] : [{ at: endedAt, text: sentence(stoppedBy, words['Stopped'] ?? '') }];
  return [...deeds, ...last].slice(-MAX_DEEDS);
}

function sentence(by: string, what: string): string {
  const who = oneLine(by, MAX_TEXT);
  return `${who.charAt(0).toUpperCase()}${who.slice(1)} ${what}.`;
}

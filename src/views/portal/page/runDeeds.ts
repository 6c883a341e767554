/** What people did to a run as a whole, in words. What they did in a step stands there. */
import * as l10n from '@vscode/l10n';
import { oneLine } from '../../text/oneLine.ts';
import { counted } from '../../text/counted.ts';
import type { JobStatus } from '../jobData.ts';

type ResultChange = NonNullable<JobStatus['resultChanges']>[number];

export interface Deed {
  at: number;
  text: string;
}

const MAX_DEEDS = 50;
const MAX_TEXT = 300;

const words: Readonly<Record<string, string>> = {
  Pausing: l10n.t('paused it after the steps that ran'),
  PauseWithdrawn: l10n.t('let it go on without the pause'),
  Stopped: l10n.t('stopped it'),
  Continued: l10n.t('let it go on'),
};

/** Oldest first, at most the last fifty. */
export function runDeeds({
  history = [],
  stoppedBy,
  endedAt,
  resultChanges = [],
}: Pick<JobStatus, 'history' | 'stoppedBy' | 'endedAt' | 'resultChanges'>): Deed[] {
  const deeds = history.flatMap(({ at, what, by, edit, skipped }): Deed[] => {
    if (by === undefined || !Object.hasOwn(words, what)) return [];
    const name = edit && `“${oneLine(edit.taskName, MAX_TEXT)}”`;
    const changed = (part: string, value: string | undefined) =>
      value === undefined ? [] : [{ at, text: sentence(by, l10n.t`changed the ${part} of ${name}: “${oneLine(value, MAX_TEXT)}”`) }];
    return [
      ...changed('input', edit?.userInput),
      ...changed('prompt', edit?.prompt),
      { at, text: sentence(by, skipped ? l10n.t('let it go on without a step') : (words[what] ?? '')) },
    ];
  });
  const last = stoppedBy === undefined || endedAt === undefined ? [] : [{ at: endedAt, text: sentence(stoppedBy, words['Stopped'] ?? '') }];
  const done = resultChanges.flatMap((change) => {
    const what = resultWords(change);
    return what === undefined ? [] : [{ at: change.at, text: sentence(change.by, what) }];
  });
  return [...deeds, ...last, ...done].sort((a, b) => a.at - b.at).slice(-MAX_DEEDS);
}

function resultWords({ did, files = [], more = 0, branch, commit, address }: ResultChange): string | undefined {
  const name = (text: string | undefined) => oneLine(text ?? '', MAX_TEXT);
  switch (did) {
    case 'discarded': {
      const [first] = files;
      const count = files.length + more;
      return `discarded ${count === 1 && first !== undefined ? l10n.t`the change of ${name(first)}` : l10n.t`the changes of ${counted(count, 'file')}`}`;
    }
    case 'committed':
      return l10n.t`committed ${name(commit)} on the branch ${name(branch)}`;
    case 'pushed':
      return l10n.t`pushed the branch ${name(branch)} to ${name(address)}`;
    case 'opened':
      return l10n.t`opened a pull request for the branch ${name(branch)}: ${name(address)}`;
    default:
      return undefined;
  }
}

function sentence(by: string, what: string): string {
  const who = oneLine(by, MAX_TEXT);
  return `${who.charAt(0).toUpperCase()}${who.slice(1)} ${what}.`;
}

/** What people did to a run as a whole, in words. What they did in a step stands there. */
import * as l10n from '../../../base/l10n.ts';
import { oneLine } from '../../text/oneLine.ts';
import { byText } from '../records/byText.ts';
import type { JobStatus } from '../jobData.ts';

type ResultChange = NonNullable<JobStatus['resultChanges']>[number];

export interface Deed {
  at: number;
  text: string;
}

const MAX_DEEDS = 50;
const MAX_TEXT = 300;

const sentences: ReadonlyMap<string, (who: string) => string> = new Map([
  ['Pausing', (who) => l10n.t`${who} paused it after the steps that ran.`],
  ['PauseWithdrawn', (who) => l10n.t`${who} let it go on without the pause.`],
  ['Stopped', stopped],
  ['Continued', (who) => l10n.t`${who} let it go on.`],
]);

/** Oldest first, at most the last fifty. */
export function runDeeds({
  history = [],
  stoppedBy,
  endedAt,
  resultChanges = [],
}: Pick<JobStatus, 'history' | 'stoppedBy' | 'endedAt' | 'resultChanges'>): Deed[] {
  const deeds = history.flatMap(({ at, what, by, edit, skipped }): Deed[] => {
    const sentence = sentences.get(what);
    if (by === undefined || !sentence) return [];
    const who = whoText(by);
    const name = oneLine(edit?.taskName, MAX_TEXT);
    const [input, prompt] = [edit?.userInput, edit?.prompt];
    return [
      ...(input === undefined ? [] : [{ at, text: l10n.t`${who} changed the input of “${name}”: “${oneLine(input, MAX_TEXT)}”.` }]),
      ...(prompt === undefined ? [] : [{ at, text: l10n.t`${who} changed the prompt of “${name}”: “${oneLine(prompt, MAX_TEXT)}”.` }]),
      { at, text: skipped ? l10n.t`${who} let it go on without a step.` : sentence(who) },
    ];
  });
  const last = stoppedBy === undefined || endedAt === undefined ? [] : [{ at: endedAt, text: stopped(whoText(stoppedBy)) }];
  const done = resultChanges.flatMap((change) => {
    const text = resultText(change);
    return text === undefined ? [] : [{ at: change.at, text }];
  });
  return [...deeds, ...last, ...done].sort((a, b) => a.at - b.at).slice(-MAX_DEEDS);
}

function stopped(who: string): string {
  return l10n.t`${who} stopped it.`;
}

function resultText({ did, by, files = [], more = 0, branch, commit, address }: ResultChange): string | undefined {
  const who = whoText(by);
  const name = (text: string | undefined) => oneLine(text, MAX_TEXT);
  switch (did) {
    case 'discarded': {
      const [first] = files;
      const count = files.length + more;
      if (count === 1 && first !== undefined) return l10n.t`${who} discarded the change of ${name(first)}.`;
      return l10n.plural(
        count,
        l10n.t`${who} discarded the changes of ${l10n.countText(count)} file.`,
        l10n.t`${who} discarded the changes of ${l10n.countText(count)} files.`,
      );
    }
    case 'committed':
      return l10n.t`${who} committed ${name(commit)} on the branch ${name(branch)}.`;
    case 'pushed':
      return l10n.t`${who} pushed the branch ${name(branch)} to ${name(address)}.`;
    case 'opened':
      return l10n.t`${who} opened a pull request for the branch ${name(branch)}: ${name(address)}.`;
    default:
      return undefined;
  }
}

/** As a sentence begins. */
function whoText(by: string): string {
  const who = byText(by, MAX_TEXT);
  return `${who.charAt(0).toUpperCase()}${who.slice(1)}`;
}

/** Steps of a job that would change files of one folder at the same time. */
import { english, type Phrase, phrase } from '../../../base/text/phrase.ts';
import { own } from '../own.ts';
import type { Task } from '../task.ts';
import type { Work } from '../work.ts';
import { type Worktree, worktreePolicy } from './worktreePolicy.ts';

interface Parallel {
  work: Work<number | undefined>;
  worktree?: Worktree | undefined;
}

interface Writer {
  taskName: string;
  /** Its agent host. */
  host: string | undefined;
}

/**
 * A sentence for each Par whose branches do so without asking. What asks first is seen by a person. `tasks` may lack some, as in an entry that is
 * being written.
 */
export function writesAtOnce({ work, worktree }: Parallel, tasks: Readonly<Record<string, Pick<Task, 'approve' | 'host'>>>): Phrase[] {
  const { for: scope } = worktree === undefined ? { for: undefined } : worktreePolicy(worktree);
  if (scope === 'step') return [];
  const found: Phrase[] = [];
  const writersIn = (part: Work<number | undefined> | undefined): Writer[] => {
    switch (part?.kind) {
      case undefined:
        return [];
      case 'Ref': {
        const { approve = [], host } = own(tasks, part.taskId) ?? {};
        return approve.includes('edits') || approve.includes('everything') ? [{ taskName: part.taskId, host }] : [];
      }
      case 'Seq':
        return part.works.flatMap(writersIn);
      case 'Par': {
        const branches = part.works.map(writersIn);
        const names = clashing(branches);
        if (names.length > 0) found.push(sentence(names, branches.flat()));
        return branches.flat();
      }
      case 'Loop':
        return [part.preCondition?.[1], part.postCondition?.[1], part.body].flatMap(writersIn);
      case 'Alt':
        return [part.condition, part.trueWork, part.falseWork].flatMap(writersIn);
    }
  };
  writersIn(work);
  return [...new Map(found.map((words) => [english(words), words])).values()];
}

/** Names of the tasks that write where another branch writes too. */
function clashing(branches: readonly Writer[][]): string[] {
  const names = branches.flatMap((writers, at) => {
    const others = branches.filter((_, other) => other !== at).flat();
    return writers.filter(({ host }) => others.some((one) => one.host === host)).map(({ taskName }) => taskName);
  });
  return [...new Set(names)];
}

function sentence(names: readonly string[], writers: readonly Writer[]): Phrase {
  const [first = '', ...others] = names;
  const isHere = writers.every(({ host }) => host === undefined);
  if (others.length === 0)
    return isHere
      ? phrase`“${first}” runs several times at once, and changes files in one folder at the same time, without asking. "worktree": "step" gives each of them a folder of its own.`
      : phrase`“${first}” runs several times at once, and changes files in one folder at the same time, without asking.`;
  return isHere
    ? phrase`These tasks change files in one folder at the same time, without asking: ${names.join(', ')}. "worktree": "step" gives each of them a folder of its own.`
    : phrase`These tasks change files in one folder at the same time, without asking: ${names.join(', ')}.`;
}

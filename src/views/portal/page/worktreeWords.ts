/** Where a job works, in words, where that is not its folder. */
import * as l10n from '../../../base/l10n.ts';
import { said } from '../../../base/text/phrase.ts';
import { oneLine } from '../../text/oneLine.ts';
import type { JobStatus, OfferedJob } from '../jobData.ts';

const MAX_PATH = 300;

/** What a start of the job does, one line each. */
export function offeredFolders({ worktree, warnings = [], words }: Pick<OfferedJob, 'worktree' | 'warnings' | 'words'>): string[] {
  return [...(worktree === undefined ? [] : [policyWords(worktree)]), ...(words ?? warnings).map((warning) => oneLine(said(warning)))];
}

function policyWords(given: NonNullable<OfferedJob['worktree']>): string {
  const { for: scope, merge = 'merge' } = typeof given === 'string' ? { for: given } : given;
  return policySentences[scope === 'step' ? 'step' : 'run'][merge === 'leave' ? 'leave' : 'merge'];
}

const policySentences = {
  run: {
    leave: l10n.t('The run works in a Git work tree of its own, which begins with the last commit. Its work is left on a branch.'),
    merge: l10n.t(
      'The run works in a Git work tree of its own, which begins with the last commit. Its work is merged into the folder when it has succeeded.',
    ),
  },
  step: {
    leave: l10n.t(
      'The run, and each branch that runs beside others, works in a Git work tree of its own, which begins with the last commit. Its work is left on a branch.',
    ),
    merge: l10n.t(
      'The run, and each branch that runs beside others, works in a Git work tree of its own, which begins with the last commit. Its work is merged into the folder when it has succeeded.',
    ),
  },
};

/** Where the work of a run is, one line each. Trees that are merged are gone. */
export function runFolders({ worktrees = [], workingDirectory }: Pick<JobStatus, 'worktrees' | 'workingDirectory'>): string[] {
  return worktrees.flatMap(({ path, branch, status, uncommitted = 0, files = [], id }) => {
    const [where, of] = [oneLine(path, MAX_PATH), oneLine(branch, MAX_PATH)];
    const missing = id === 'run' && uncommitted > 0 ? [missingText(oneLine(workingDirectory, MAX_PATH), uncommitted)] : [];
    if (status === 'Merged') return missing;
    if (status === 'Conflict') return [...missing, l10n.t`In conflict, in ${oneLine(files.join(', '), MAX_PATH)}: ${where}, on ${of}`];
    return [...missing, status === 'Left' ? l10n.t`Left in ${where}, on ${of}` : l10n.t`Works in ${where}, on ${of}`];
  });
}

function missingText(folder: string, count: number): string {
  return l10n.plural(
    count,
    l10n.t`It began without what is not committed in ${folder} (${l10n.countText(count)} file).`,
    l10n.t`It began without what is not committed in ${folder} (${l10n.countText(count)} files).`,
  );
}

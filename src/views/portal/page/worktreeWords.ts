/** Where a job works, in words, where that is not its folder. */
import * as l10n from '@vscode/l10n';
import { oneLine } from '../../text/oneLine.ts';
import type { JobStatus, OfferedJob } from '../jobData.ts';

const MAX_PATH = 300;

/** What a start of the job does, one line each. */
export function offeredFolders({ worktree, warnings = [] }: Pick<OfferedJob, 'worktree' | 'warnings'>): string[] {
  return [...(worktree === undefined ? [] : [policyWords(worktree)]), ...warnings.map((warning) => oneLine(warning))];
}

function policyWords(given: NonNullable<OfferedJob['worktree']>): string {
  const { for: scope, merge = 'merge' } = typeof given === 'string' ? { for: given } : given;
  const who = scope === 'step' ? l10n.t('The run, and each branch that runs beside others, works') : l10n.t('The run works');
  const end = merge === 'leave' ? l10n.t('is left on a branch') : l10n.t('is merged into the folder when it has succeeded');
  return l10n.t`${who} in a Git work tree of its own, which begins with the last commit. Its work ${end}.`;
}

/** Where the work of a run is, one line each. Trees that are merged are gone. */
export function runFolders({ worktrees = [], workingDirectory }: Pick<JobStatus, 'worktrees' | 'workingDirectory'>): string[] {
  return worktrees.flatMap(({ path, branch, status, uncommitted = 0, files = [], id }) => {
    const where = `${oneLine(path, MAX_PATH)}, on ${oneLine(branch, MAX_PATH)}`;
    const missing =
      id === 'run' && uncommitted > 0
        ? [
            l10n.t`It began without what is not committed in ${oneLine(workingDirectory, MAX_PATH)} (${uncommitted} ${uncommitted === 1 ? 'file' : 'files'}).`,
          ]
        : [];
    if (status === 'Merged') return missing;
    if (status === 'Conflict') return [...missing, l10n.t`In conflict, in ${oneLine(files.join(', '), MAX_PATH)}: ${where}`];
    return [...missing, `${status === 'Left' ? 'Left' : 'Works'} in ${where}`];
  });
}

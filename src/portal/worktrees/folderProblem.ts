import { englishOf } from '../../base/errors.ts';
import { GitError } from '../../base/node/git/git.ts';
import type { Phrase } from '../../base/text/phrase.ts';
import { runReasons } from '../../views/portal/records/runReasons.ts';
import { git } from './jobGit.ts';

/** Why a folder can have no work trees. */
export async function folderProblem(folder: string): Promise<Phrase | undefined> {
  try {
    if ((await git(folder, 'rev-parse', '--is-inside-work-tree')) !== 'true') return runReasons.noTree(folder);
    await git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.exitCode === 1) return runReasons.noCommit(folder);
    return runReasons.noTrees(folder, englishOf(error).split('\n')[0] ?? '');
  }
}

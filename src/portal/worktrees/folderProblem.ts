import { englishOf } from '../../base/errors.ts';
import { GitError } from '../../base/node/git/git.ts';
import { type Phrase, phrase } from '../../base/text/phrase.ts';
import { git } from './jobGit.ts';

/** Why a folder can have no work trees. */
export async function folderProblem(folder: string): Promise<Phrase | undefined> {
  try {
    if ((await git(folder, 'rev-parse', '--is-inside-work-tree')) !== 'true')
      return phrase`${folder} is in no work tree of Git, which the job needs.`;
    await git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.exitCode === 1)
      return phrase`${folder} is in a repository without a commit, and the job works in work trees, which begin with one.`;
    return phrase`The job works in work trees of Git, and ${folder} can have none: ${englishOf(error).split('\n')[0] ?? ''}`;
  }
}

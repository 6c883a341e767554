/** What Git says about the branches of a repository. All reject with a `GitError`. */
import { type Git, GitError } from './git.ts';

export function hasBranch(git: Git, branch: string): Promise<boolean> {
  return hasRef(git, `refs/heads/${branch}`);
}

/** `name`: the full one. */
export function hasRef(git: Git, name: string): Promise<boolean> {
  return git.says('show-ref', '--verify', '--quiet', name);
}

/** Whether a branch may have the name. */
export async function isBranchName(git: Git, name: string): Promise<boolean> {
  return !name.startsWith('-') && (await git.says('check-ref-format', `refs/heads/${name}`));
}

/** The one that is checked out. Undefined where none is. */
export async function currentBranch(git: Git): Promise<string | undefined> {
  try {
    return await git.text('symbolic-ref', '--quiet', '--short', 'HEAD');
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined;
    throw error;
  }
}

/**
 * Git worktrees of sessions: a folder and a branch of its own for each, so that an agent's work stays separate until somebody merges it.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { englishOf, WordedError, wordsOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { phrase } from '../../../base/text/phrase.ts';
import { Git, workTreeOf } from '../../../base/node/git/git.ts';

/** A git worktree that was created for one session. The paths are absolute. */
export interface Worktree {
  /** The top folder of the repository that it belongs to. */
  repository: string;
  path: string;
  /** The branch that was created with it. */
  branch: string;
  /** The commit that it started from. */
  base: string;
}

/** Creates a worktree in `folder`, on a new branch that starts at the branch `from`. Rejects with git's message. */
export async function addWorktree(folder: string, repository: string, from: string): Promise<Worktree> {
  const git = await Git.in(repository);
  // With the full name of a branch, texts like `--detach` or `HEAD~5` mean nothing else.
  const base = await git.text('rev-parse', '--verify', '--quiet', `refs/heads/${from}^{commit}`).catch(() => {
    throw new WordedError(phrase`${repository} has no branch ${from}`);
  });
  const name = `${basename(repository)}-${randomUUID().slice(0, 8)}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const worktree: Worktree = { repository, path: join(await realpath(folder), name), branch: `tapline/${name}`, base };
  // Files are checked out later: the configuration may have parts for the new worktree only, which can be read after it was created.
  await git.text('worktree', 'add', '--quiet', '--no-checkout', '-b', worktree.branch, worktree.path, base);
  try {
    if ((await workTreeOf(worktree.path)) !== worktree.path)
      throw new WordedError(phrase`${repository} is configured to have its work tree elsewhere`);
    await (await Git.in(worktree.path)).text('reset', '--hard', '--quiet', '--no-recurse-submodules');
  } catch (error) {
    try {
      await git.text('worktree', 'remove', '--force', worktree.path);
      await git.text('branch', '-D', worktree.branch);
    } catch (left) {
      const words = phrase`${wordsOf(error)}; ${worktree.path} is left, because it cannot be removed: ${wordsOf(left)}`;
      throw new WordedError(words, { cause: error });
    }
    throw error;
  }
  return worktree;
}

/**
 * Removes the worktree if that loses nothing but ignored files. Uncommitted files, and commits on no branch, keep the folder. Other commits
 * keep the branch. The log says what is kept. Never rejects.
 */
export async function discardWorktree({ repository, path, branch, base }: Worktree, logger: Logger): Promise<void> {
  try {
    // Submodules are ignored, because they would be compared by their own configuration. A folder with a submodule is not removed anyway.
    const inside = await Git.in(path);
    const changes = await inside.text('status', '--porcelain', '--ignore-submodules=all');
    // The commits of a detached HEAD, or of a rebase in progress, are on no branch.
    const lost = await inside.text('rev-list', '--max-count=1', 'HEAD', '--not', '--branches', '--tags', '--remotes');
    if (changes !== '' || lost !== '') {
      const why = changes === '' ? 'commits that are on no branch' : 'changes that are not committed';
      logger.warn(`The worktree ${path} of a session that was deleted is kept: it has ${why}.`);
      return;
    }
    const git = await Git.in(repository, { others: [path] });
    // Without --force, git checks for changes once more.
    await git.text('worktree', 'remove', path);
    if ((await git.text('rev-parse', '--verify', `refs/heads/${branch}`)) === base) await git.text('branch', '-D', branch);
    else logger.warn(`The branch ${branch} of a session that was deleted is kept in ${repository}: it has commits of its own.`);
  } catch (error) {
    logger.warn(`The worktree ${path} of a session that was deleted is kept: ${englishOf(error)}`);
  }
}

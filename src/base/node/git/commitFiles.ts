/**
 * Commits files of a work tree, and nothing else that may be staged. The commit is made of single steps of git, not by `git commit`, which
 * would run what a repository names: an editor, hooks, a program that signs.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Git, GitError } from './git.ts';

export interface FilesToCommit {
  /** The top folder of the work tree. */
  top: string;
  /** The commit that the new one follows. Undefined for the first. */
  parent: string | undefined;
  /** Below `top`. Those that go from the disk meanwhile are gone in the commit. */
  paths: readonly string[];
  /** Those that the commit is not to have any more, whatever is in the place of their folders. */
  gone: readonly string[];
  message: string;
  /** The name of a new branch that is to have the commit, where it is not to be that of the work tree. */
  branch?: string;
  /** Called when git has read the files, and before there is a commit. It throws where they are not what they should be. */
  verify: () => Promise<void>;
}

/** Nobody has told git who commits. */
export class NoIdentityError extends Error {
  override readonly name = 'NoIdentityError';
}
/** The commit would be the same as the last one. */
export class NothingToCommitError extends Error {
  override readonly name = 'NothingToCommitError';
}

/** Returns the short hash. Rejects with one of the errors above, with that of `verify`, or with a {@link GitError}. Nothing is committed then. */
export async function commitFiles({ top, parent, paths, gone, message, branch, verify }: FilesToCommit): Promise<string> {
  await requireIdentity(await Git.in(top));
  const folder = await mkdtemp(join(tmpdir(), 'tapline-index-'));
  try {
    const apart = await Git.in(top, { index: join(folder, 'index') });
    await apart.text('read-tree', parent ?? '--empty');
    if (gone.length > 0) await apart.text('update-index', '--force-remove', '--', ...gone);
    if (paths.length > 0) await apart.text('update-index', '--add', '--remove', '--replace', '--', ...paths);
    await verify();
    // What is not there in a partial clone is in the last commit all the same.
    const tree = await apart.text('write-tree', '--missing-ok');
    if (parent !== undefined && tree === (await apart.text('rev-parse', `${parent}^{tree}`))) throw new NothingToCommitError();
    const commit = await apart.text('commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-m', message);
    const subject = message.split('\n', 1)[0] ?? '';
    // Fails where somebody else has committed meanwhile, or has made the branch.
    const place = branch === undefined ? ['HEAD', commit, parent ?? ''] : [`refs/heads/${branch}`, commit, ''];
    await apart.text('update-ref', '-m', `commit: ${subject}`, ...place);
    return await apart.text('rev-parse', '--short', commit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes the index as the last commit for these files, so that they are not staged any more. Rejects with a {@link GitError}. */
export async function unstage(top: string, paths: readonly string[]): Promise<void> {
  await (await Git.in(top)).text('--literal-pathspecs', 'reset', '--quiet', '--', ...paths);
}

/** A merge or something like it was begun, whose commit has to say more than the files. */
export async function isMerging(git: Git): Promise<boolean> {
  const folder = await git.text('rev-parse', '--absolute-git-dir');
  return ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'].some((name) => existsSync(join(folder, name)));
}

/** Of the paths, those that a filter of the repository converts. Because no filter is run, git would store or write them as they must not be. */
export async function filteredPaths(git: Git, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const parts = await git.parts('check-attr', '-z', 'filter', '--', ...paths);
  return parts.filter((_, index) => index % 3 === 0 && !['unspecified', 'unset', 'set'].includes(parts[index + 2] ?? ''));
}

async function requireIdentity(git: Git): Promise<void> {
  try {
    for (const name of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) await git.text('-c', 'user.useConfigOnly=true', 'var', name);
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined)
      throw new NoIdentityError('git does not know who commits', { cause: error });
    throw error;
  }
}

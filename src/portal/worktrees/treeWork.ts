/** What is done in a work tree: its work is committed, and that of another one is merged into it. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { WordedError } from '../../base/errors.ts';
import { currentBranch } from '../../base/node/git/branches.ts';
import { GitError } from '../../base/node/git/git.ts';
import { runReasons } from '../../views/portal/records/runReasons.ts';
import { git, gitAtOnce, gitIn, gitOver, gitParts, gitSays } from './jobGit.ts';

/** Of more files, the rest is counted. */
const MAX_NAMED = 20;

/** Tells a merge of ours from one that a person does in the tree. */
const MERGE_PREFIX = 'Tapline merges ';

/** Two have changed the same. Nothing was merged. */
export class MergeConflict extends Error {
  override readonly name = 'MergeConflict';
  constructor(readonly files: readonly string[]) {
    super(`both have changed ${named(files)}`);
  }
}

/** Paths for the eyes of the user. */
export function named(files: readonly string[]): string {
  const shown = files.slice(0, MAX_NAMED).join(', ');
  return files.length > MAX_NAMED ? `${shown} and ${files.length - MAX_NAMED} more` : shown;
}

export function headOf(folder: string): Promise<string> {
  return git(folder, 'rev-parse', '--verify', 'HEAD^{commit}');
}

/** How many files have changes that are not committed. Git would look into a submodule as the configuration of that one says, so only its commit counts. */
export async function uncommitted(folder: string): Promise<number> {
  const options = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal', '--ignore-submodules=dirty'];
  return (await gitParts(folder, 'status', ...options)).length;
}

/** Returns the commit with all that was done. What Git ignores is not in it. Rejects where the tree is none any more. */
export async function commitAll(tree: string, message: string): Promise<string> {
  await requireTree(tree);
  const open = await unmerged(tree);
  if (open.length > 0) throw new WordedError(runReasons.unresolved(tree, named(open)));
  if ((await uncommitted(tree)) > 0) {
    await stageAll(tree);
    // What differed in nothing but its time, or its line ends, is no change.
    if (!(await gitSays(tree, 'diff', '--cached', '--quiet', '--no-ext-diff', '--no-textconv')))
      await git(tree, ...(await identity(tree)), 'commit', '--quiet', '-m', message);
  }
  return headOf(tree);
}

async function stageAll(tree: string): Promise<void> {
  const links = await submodules(tree);
  // Told to ignore submodules, it looks into them all the same.
  await git(tree, 'add', '--all', '--', '.', ...links.map((path) => `:(exclude,literal)${path}`));
  // This takes their commits only.
  if (links.length > 0) await git(tree, 'update-index', '--remove', '--', ...links);
}

/** Their paths in the tree. */
async function submodules(tree: string): Promise<string[]> {
  // Short hashes, as the output is limited.
  const parts = await gitParts(tree, 'ls-files', '--stage', '--abbrev=4', '-z');
  return parts.flatMap((part) => (part.startsWith('160000 ') ? part.slice(part.indexOf('\t') + 1) : []));
}

/** Merges a commit into the tree, which has nothing uncommitted. Rejects with a {@link MergeConflict}, and has changed nothing then. */
export async function mergeInto(tree: string, commit: string, what: string): Promise<void> {
  try {
    await merge(git, tree, commit, await identity(tree), ['--no-ff', '--no-edit', '-m', `${MERGE_PREFIX}${what}`]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const files = await unmerged(tree);
    await abortMerge(tree);
    if (files.length === 0) throw error;
    throw new MergeConflict(files);
  }
}

/** Moves the folder, and the branch it is at, forward to a commit. Rejects with a `GitError` where that would overwrite something, and where it is locked. */
export function forwardTo(folder: string, commit: string): Promise<void> {
  return merge(gitAtOnce, folder, commit, [], ['--ff-only']);
}

/** What was merged is deleted then, so it is made sure that it is there. */
async function merge(
  run: typeof git,
  folder: string,
  commit: string,
  settings: readonly string[],
  options: readonly string[],
): Promise<void> {
  const all = [...settings, ...(await plainMerge(folder))];
  await run(folder, ...all, 'merge', '--quiet', '--no-squash', '--commit', '--no-gpg-sign', ...options, commit);
  if (!(await isIn(folder, commit, 'HEAD'))) throw new GitError(`Git has merged ${commit} in ${folder}, and it is not there.`);
}

/** Settings for a merge as it is without those of the repository, which could leave the work out, or sign it with any program. */
async function plainMerge(folder: string): Promise<string[]> {
  const settings = (await gitSays(folder, 'config', '--get', 'pull.twohead')) ? ['-c', 'pull.twohead=ort'] : [];
  const branch = await branchOf(folder);
  if (branch === undefined) return settings;
  const name = `branch.${branch}.mergeOptions`;
  // An argument names no setting with such a name.
  if (!name.includes('=')) return [...settings, '-c', `${name}=`];
  if (await gitSays(folder, 'config', '--get', name)) throw new GitError(`${name} cannot be disabled`);
  return settings;
}

/** Undefined where no branch is checked out. */
export async function branchOf(folder: string): Promise<string | undefined> {
  return currentBranch(await gitIn(folder));
}

/** Whether `head` has the commit. */
export function isIn(folder: string, commit: string, head: string): Promise<boolean> {
  return gitSays(folder, 'merge-base', '--is-ancestor', commit, head);
}

/**
 * Makes a tree. `what`: a branch, or what makes a new one. The configuration of the new tree itself may name programs, so it is asked before there is a
 * file in it.
 */
export async function addTree(repository: string, path: string, ...what: string[]): Promise<void> {
  await git(repository, 'worktree', 'add', '--quiet', '--no-checkout', path, ...what);
  if (!(await isTree(path))) throw new WordedError(runReasons.elsewhere(path));
  await git(path, 'reset', '--quiet', '--hard');
}

/** One with uncommitted files is refused by git, and so is one with another repository in it. */
export async function removeTree(repository: string, path: string): Promise<void> {
  await gitOver(repository, path, 'worktree', 'remove', path);
}

/** Whether it is the top folder of a tree, and not only in one. */
export async function isTree(path: string): Promise<boolean> {
  try {
    return resolve(await git(path, 'rev-parse', '--show-toplevel')) === path;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** In the folder of a tree that has lost its `.git`, Git works on the repository around it. */
async function requireTree(path: string): Promise<void> {
  if (await isTree(path)) return;
  throw new WordedError(runReasons.noTreeAnyMore(path));
}

/**
 * Ends what a process that was killed had begun in a tree of ours. A merge in which a person resolves a conflict stays. Rejects where the tree is none
 * any more.
 */
export async function takeUp(tree: string): Promise<void> {
  await requireTree(tree);
  rmSync(await gitFile(tree, 'index.lock'), { force: true });
  const message = await gitFile(tree, 'MERGE_MSG');
  if (existsSync(message) && readFileSync(message, 'utf8').startsWith(MERGE_PREFIX)) await abortMerge(tree);
}

async function abortMerge(tree: string): Promise<void> {
  if (existsSync(await gitFile(tree, 'MERGE_HEAD'))) await git(tree, 'merge', '--abort');
}

async function gitFile(tree: string, name: string): Promise<string> {
  return resolve(tree, await git(tree, 'rev-parse', '--git-path', name));
}

async function unmerged(tree: string): Promise<string[]> {
  const parts = await gitParts(tree, 'ls-files', '--unmerged', '-z', '--full-name');
  return [...new Set(parts.map((part) => part.slice(part.indexOf('\t') + 1)))];
}

/** Settings for who commits, where the user has not said that. */
async function identity(tree: string): Promise<string[]> {
  const isKnown = await gitSays(tree, 'config', '--get', 'user.email');
  return isKnown ? [] : ['-c', 'user.name=Tapline', '-c', 'user.email=tapline@localhost'];
}

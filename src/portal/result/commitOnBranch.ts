/**
 * Commits what a run has changed, exactly as the user has seen it: of its folder on a new branch, and the folder stays as it is; of a work tree of the
 * run on the branch of that.
 */
import { constants, type Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { currentBranch, hasBranch, isBranchName } from '../../base/node/git/branches.ts';
import { commitFiles, filteredPaths, isMerging, NoIdentityError, NothingToCommitError, unstage } from '../../base/node/git/commitFiles.ts';
import { Git, workTreeOf } from '../../base/node/git/git.ts';
import { isMissing } from '../../base/node/missing.ts';
import { openExactly } from '../../base/node/openExactly.ts';
import { revisionOf, sha256 } from '../../base/node/sha256.ts';
import type { CommitPlan } from '../../views/portal/answers/resultAnswers.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { phrase } from '../../base/text/phrase.ts';
import { titleOf } from './requestText.ts';

const MAX_FILES = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Of what is not there. */
const GONE = 'gone';

export interface RunToCommit {
  jobId: string;
  jobName: string;
  userInput: string;
  /** The folder of the run, or the top folder of a work tree of it. Nothing outside of it is committed. */
  folder: string;
  worktree?: { id: string; branch: string };
  /** Absolute paths of what the run has changed on this computer. */
  paths: readonly string[];
}

/** What git is asked to do. */
interface Prepared {
  plan: CommitPlan;
  git: Git;
  top: string;
  head: string;
  there: readonly string[];
  gone: readonly string[];
}

/** Throws a {@link UserError} that says why nothing can be committed, or a `GitError`. */
export async function commitPlan(run: RunToCommit): Promise<CommitPlan> {
  return (await prepare(run)).plan;
}

/** Resolves with the short hash, and what was agreed to. Throws like {@link commitPlan}; `revision` is that of the plan that the user has seen. */
export async function commitOnBranch(
  run: RunToCommit,
  request: { branch: string; message: string; revision: string },
): Promise<{ commit: string; plan: CommitPlan }> {
  const { plan, git, top, head, there, gone } = await prepare(run);
  const { branch, revision } = request;
  const message = request.message.trim();
  const changed = new UserError(
    phrase`Nothing was committed, because the files or the last commit are others than you saw. Look at them again.`,
  );
  if (revision !== plan.revision) throw changed;
  if (message === '') throw new UserError(phrase`A commit needs a message.`);
  if (run.worktree) {
    if (branch !== run.worktree.branch) throw new UserError(phrase`In ${top} the run commits on its own branch, ${run.worktree.branch}.`);
  } else if (!(await isBranchName(git, branch))) throw new UserError(phrase`Git does not take this as the name of a branch.`);
  else if (await hasBranch(git, branch)) throw new UserError(phrase`There is such a branch already.`);
  const verify = async () => {
    if ((await prepare(run)).plan.revision !== revision) throw changed;
  };
  try {
    const commit = await commitFiles({ top, parent: head, paths: there, gone, message, verify, ...(!run.worktree && { branch }) });
    // Its branch has the files now, which are not staged for another commit.
    if (run.worktree) await unstage(top, [...there, ...gone]);
    return { commit, plan };
  } catch (error) {
    if (error instanceof NothingToCommitError) throw new UserError(phrase`There is nothing to commit: Git stores the files as they were.`);
    if (error instanceof NoIdentityError)
      throw new UserError(
        phrase`Git does not know who you are. Set your name and e-mail address with “git config --global user.name” and “user.email”.`,
      );
    throw error;
  }
}

async function prepare({ jobId, jobName, userInput, folder, worktree, paths }: RunToCommit): Promise<Prepared> {
  const root = await realpath(folder).catch(() => undefined);
  const top = root === undefined ? undefined : await workTreeOf(root);
  if (worktree && (root === undefined || top !== root))
    throw new UserError(phrase`The work tree ${folder} of the run is gone. What was committed in it is on the branch ${worktree.branch}.`);
  if (root === undefined || top === undefined) throw new UserError(phrase`The folder of the run is not in a repository of Git.`);
  const git = await Git.in(top);
  if (await isMerging(git)) throw new UserError(phrase`A merge, rebase or the like was begun there. Finish it with Git.`);
  if (!(await git.says('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')))
    throw new UserError(phrase`The repository has no commit yet.`);
  const head = await git.text('rev-parse', 'HEAD');
  const base = await currentBranch(git);
  if (worktree && base !== worktree.branch)
    throw new UserError(phrase`${top} is not on the branch of the run, ${worktree.branch}, any more. Commit there with Git.`);
  const all = [...new Set(paths)];
  const own = all.filter((path) => isIn(root, path)).map((path) => relative(top, path).replaceAll(sep, '/'));
  const leftOut = all.filter((path) => !isIn(root, path)).map((path) => oneLine(path, 1_000));
  if (own.length > MAX_FILES) throw new UserError(phrase`More than ${MAX_FILES} files have changed. Commit them with Git.`);
  const changes = own.length === 0 ? [] : await changesOf(git, own);
  if (changes.length === 0) {
    throw new UserError(
      worktree
        ? phrase`There is nothing to commit: the files are as in the last commit of ${worktree.branch}, in ${top}, or Git ignores them.`
        : phrase`There is nothing to commit: the files are as in the last commit, or Git ignores them.`,
    );
  }
  const names = changes.map(([path]) => path);
  if ((await filteredPaths(git, names)).length > 0)
    throw new UserError(phrase`Some of the files are stored with a filter of Git, which is not run here. Commit them with Git.`);
  const marks: string[][] = [];
  // One after the other, so that there are never many open files.
  for (const [path, change] of changes) marks.push([path, change, change === 'deleted' ? GONE : await markOf(join(top, path))]);
  const slug = jobName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
  const plan: CommitPlan = {
    folder: top,
    ...(base !== undefined && { base }),
    head: head.slice(0, 12),
    branch: worktree?.branch ?? `tapline/${slug === '' ? 'run' : slug}-${jobId.slice(0, 8)}`,
    ...(worktree && { worktree: worktree.id }),
    message: titleOf(userInput, jobName),
    files: changes.map(([path, change]) => ({ path, change })),
    leftOut,
    revision: revisionOf([top, head, marks]),
  };
  const pathsOf = (isGone: boolean) => changes.filter(([, change]) => (change === 'deleted') === isGone).map(([path]) => path);
  return { plan, git, top, head, there: pathsOf(false), gone: pathsOf(true) };
}

/** How files differ from the last commit. Those that do not, and those that Git ignores, are left out. */
async function changesOf(git: Git, paths: readonly string[]): Promise<[path: string, change: 'created' | 'changed' | 'deleted'][]> {
  const literal = '--literal-pathspecs';
  // Git would look into a submodule as the configuration of that one says.
  const options = ['--no-renames', '--no-ext-diff', '--ignore-submodules=all', '--name-status', '-z'];
  const parts = await git.parts(literal, 'diff', ...options, 'HEAD', '--', ...paths);
  const untracked = await git.parts(literal, 'ls-files', '-z', '--others', '--exclude-standard', '--', ...paths);
  const known = new Map<string, 'created' | 'changed' | 'deleted'>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const kind = parts[at];
    known.set(parts[at + 1] ?? '', kind === 'A' ? 'created' : kind === 'D' ? 'deleted' : 'changed');
  }
  // Git also lists what is in a folder that is in the place of a file. Some systems write the same letters in other ways.
  const own = new Set(paths.map((path) => path.normalize()));
  for (const path of untracked) if (own.has(path.normalize())) known.set(path, known.has(path) ? 'changed' : 'created');
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Of what is at the path now. */
async function markOf(path: string): Promise<string> {
  try {
    const stats = await lstat(path);
    if (stats.size > MAX_BYTES) throw new UserError(phrase`One of the files is too large. Commit them with Git.`);
    return `${stats.mode} ${sha256(await contentOf(path, stats))}`;
  } catch (error) {
    if (isMissing(error)) return GONE;
    throw error;
  }
}

async function contentOf(path: string, stats: Stats): Promise<string | Uint8Array> {
  if (stats.isSymbolicLink()) return readlink(path);
  // Git stores nothing else, and who reads a pipe waits for its other end.
  if (!stats.isFile()) throw new UserError(phrase`${oneLine(path, 1_000)} is neither a file nor a link. Commit with Git.`);
  const file = await openExactly(path, constants.O_RDONLY);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function isIn(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

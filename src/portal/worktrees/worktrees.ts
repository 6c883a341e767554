/** The work trees of all runs of a portal. They lie in a folder of its own, so not in the repositories. */
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { englishOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { WorktreeState } from '../runs/worktreeState.ts';
import { git } from './jobGit.ts';
import { RunWorktrees, type RunWorktreesOptions } from './runWorktrees.ts';
import { isTree, removeTree, uncommitted } from './treeWork.ts';

export class Worktrees {
  readonly #root: string;
  readonly #logger: Logger;
  /** By repository: the end of what is done there. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** By folder, while it is looked for: who asks for it meanwhile stays behind who has asked before. */
  readonly #repositories = new Map<string, Promise<string>>();

  /** `root`: only this portal uses it. */
  constructor(root: string, logger: Logger) {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    // The sessions in it report real paths.
    this.#root = realpathSync(root);
    this.#logger = logger;
  }

  ofRun(options: Omit<RunWorktreesOptions, 'root' | 'inOrder' | 'logger'>): RunWorktrees {
    const inOrder = <T>(work: () => Promise<T>) => this.inOrder(options.folder, work);
    return new RunWorktrees({ ...options, root: this.#root, inOrder, logger: this.#logger });
  }

  /**
   * Removes the trees of a run that has ended, and its branches that are merged. Returns the trees that have something uncommitted, or that cannot be
   * removed; when there are some of the first, nothing is removed.
   */
  remove(runId: string, folder: string, states: readonly WorktreeState[]): Promise<string[]> {
    return this.inOrder(folder, async () => {
      const there: string[] = [];
      // A merged one may have been removed by half. The rest of it is no tree any more.
      for (const { path, status } of states) if (existsSync(path) && (status !== 'Merged' || (await isTree(path)))) there.push(path);
      const open: string[] = [];
      for (const path of there) if (!(await isClean(path))) open.push(path);
      if (open.length > 0) return open;
      const stay: string[] = [];
      for (const path of there) if (!(await this.#done(`the work tree ${path}`, removeTree(folder, path)))) stay.push(path);
      if (stay.length > 0) return stay;
      await this.#removeRest(runId, folder);
      if (states.length > 0) await this.#done(`a branch of the run ${runId}`, removeBranches(folder, runId));
      return [];
    });
  }

  /** What a process that was killed had made and not recorded, in which nobody has worked, or had removed by half. */
  async #removeRest(runId: string, folder: string): Promise<void> {
    const left = readdirSync(this.#root).filter((name) => name.startsWith(`${runId}.`));
    for (const name of left) rmSync(join(this.#root, name), { recursive: true, force: true });
    if (left.length > 0) await this.#done(`what Git knows of the work trees of ${runId}`, git(folder, 'worktree', 'prune'));
  }

  async #done(what: string, work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      this.#logger.warn(`${what} stays: ${englishOf(error)}`);
      return false;
    }
  }

  /** What is done in a repository, in whichever of its folders and work trees, one after the other: Git refuses what meets on a lock. */
  async inOrder<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const repository = await this.#repositoryOf(folder);
    const before = this.#last.get(repository);
    const now = (before ?? Promise.resolve()).then(work);
    const settled = now.catch(() => undefined);
    this.#last.set(repository, settled);
    try {
      return await now;
    } finally {
      if (this.#last.get(repository) === settled) this.#last.delete(repository);
    }
  }

  #repositoryOf(folder: string): Promise<string> {
    const found = this.#repositories.get(folder) ?? repositoryOf(folder).finally(() => this.#repositories.delete(folder));
    this.#repositories.set(folder, found);
    return found;
  }
}

/** The same for all its work trees. A folder without one is what it is, and what is to be done there says so. */
async function repositoryOf(folder: string): Promise<string> {
  try {
    return realpathSync(resolve(folder, await git(folder, 'rev-parse', '--git-common-dir')));
  } catch {
    return folder;
  }
}

/** Those with work that is nowhere else stay. */
async function removeBranches(folder: string, runId: string): Promise<void> {
  const merged = await git(folder, 'for-each-ref', '--format=%(refname:short)', '--merged', 'HEAD', `refs/heads/tapline/${runId}/`);
  for (const branch of merged.split('\n').filter(Boolean)) await git(folder, 'branch', '--quiet', '-D', branch);
}

/** A tree whose repository is gone cannot be compared with anything. */
async function isClean(path: string): Promise<boolean> {
  return (await isTree(path)) && (await uncommitted(path)) === 0;
}

/** The work trees of one run of a job: made when a step needs one, merged in order, and taken up again after the portal was killed. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { englishOf, UserError, WordedError } from '../../base/errors.ts';
import { hasBranch } from '../../base/node/git/branches.ts';
import { GitError, GitLockedError, LOCK_RETRY_MS } from '../../base/node/git/git.ts';
import type { Logger } from '../../base/log.ts';
import { english, type Phrase } from '../../base/text/phrase.ts';
import { places, runReasons } from '../../views/portal/records/runReasons.ts';
import type { WorktreePolicy } from '../entry/folders/worktreePolicy.ts';
import type { StepKey, WithoutTime } from '../runs/runEvents.ts';
import { idOf, reduceWorktrees, RUN_TREE, type WorktreeEvent, type WorktreeId, type WorktreeState } from '../runs/worktreeState.ts';
import { folderProblem } from './folderProblem.ts';
import { git, gitIn, LOCK_WAIT_MS } from './jobGit.ts';
import {
  addTree,
  branchOf,
  commitAll,
  forwardTo,
  headOf,
  isIn,
  MergeConflict,
  mergeInto,
  named,
  removeTree,
  takeUp,
  uncommitted,
} from './treeWork.ts';

/** So many files of a conflict are recorded. */
const MAX_FILES = 1_000;

/** So often a run is merged into its folder while others commit there. */
const MERGE_TRIES = 3;

export interface RunWorktreesOptions {
  runId: string;
  jobName: string;
  /** Of the job: a folder in a repository, whose files are not touched until the run has succeeded. */
  folder: string;
  policy: WorktreePolicy;
  /** As they were recorded before. */
  states: readonly WorktreeState[];
  /** Some of the run counts as done, and is nowhere but in its trees and branches. */
  hasWork: boolean;
  /** Throws when the run has ended, or it cannot be recorded. Nothing goes on then. */
  record(event: WithoutTime<WorktreeEvent>): void;
  /** Throws when the run has ended. */
  check(): void;
  /** Where the trees are. */
  root: string;
  /** One after the other: what is done in this folder and its trees. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  logger: Logger;
}

export class RunWorktrees {
  readonly #options: RunWorktreesOptions;
  #states: readonly WorktreeState[];
  /** Trees that were looked at by this process. */
  readonly #known = new Set<string>();

  constructor(options: RunWorktreesOptions) {
    this.#options = options;
    this.#states = options.states;
  }

  /** Where a step works. `branches`: of each Par around it, outermost first. Rejects with words for the user. */
  folderOf(branches: readonly StepKey[]): Promise<string> {
    const place = this.#options.policy.for === 'run' ? [] : branches;
    return this.#options.inOrder(async () => (await this.#tree(place)).folder);
  }

  /** All branches of a Par have succeeded: merges them in that order. Rejects with words for the user when one cannot be, and keeps it. */
  join(branches: readonly (readonly StepKey[])[]): Promise<void> {
    if (this.#options.policy.for === 'run') return Promise.resolve();
    return this.#options.inOrder(async () => {
      for (const place of branches) await this.#joinOne(place);
    });
  }

  /** The run has succeeded. Rejects with words for the user when its work cannot be merged, and keeps it. */
  finish(): Promise<void> {
    return this.#options.inOrder(async () => {
      if (!this.#open(RUN_TREE)) return;
      const run = await this.#tree([]);
      const commit = await commitAll(run.path, this.#message());
      if (this.#options.policy.merge === 'leave') return this.#record({ type: 'worktreeLeft', id: RUN_TREE, commit });
      await this.#mergeIntoFolder(run);
    });
  }

  async #joinOne(place: readonly StepKey[]): Promise<void> {
    const id = idOf(place);
    if (!this.#open(id)) return;
    const tree = await this.#tree(place);
    const parent = await this.#tree(place.slice(0, -1));
    const commit = await commitAll(tree.path, this.#message(place.at(-1)));
    await commitAll(parent.path, this.#message());
    try {
      await mergeInto(parent.path, commit, tree.branch);
    } catch (error) {
      if (!(error instanceof MergeConflict)) throw error;
      this.#record({ type: 'worktreeConflict', id, files: error.files.slice(0, MAX_FILES) });
      const words = runReasons.branchConflict(named(error.files), parent.branch, tree.branch, tree.path);
      throw new WordedError(words, { cause: error });
    }
    this.#record({ type: 'worktreeMerged', id, commit });
    await this.#removeMerged(tree, commit);
  }

  /** Others may finish into the same folder: another portal, or a person who commits. */
  async #mergeIntoFolder(run: WorktreeState): Promise<void> {
    const { folder } = this.#options;
    const until = performance.now() + LOCK_WAIT_MS;
    let tried = 1;
    for (;;) {
      const before = await this.#takeUpFolder(run);
      const commit = await headOf(run.path);
      // What it has taken up may have waited for a lock in its tree.
      await this.#requireBranch(run);
      // Who has stopped the run meanwhile wants nothing in the folder.
      this.#options.check();
      try {
        await forwardTo(folder, commit);
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        if (error instanceof GitLockedError) {
          if (await this.#isGone(error.lock, until)) continue;
          throw new WordedError(runReasons.left(error.stillThereAfter(LOCK_WAIT_MS), run.branch, run.path), { cause: error });
        }
        if (tried++ < MERGE_TRIES && (await headOf(folder)) !== before) continue;
        throw new WordedError(refusalOf(folder, error, run), { cause: error });
      }
      this.#record({ type: 'worktreeMerged', id: RUN_TREE, commit });
      return this.#removeMerged(run, commit);
    }
  }

  /** Whether the other Git has let go of the folder in time. It may have switched the branch, or committed. */
  async #isGone(lock: string, until: number): Promise<boolean> {
    while (performance.now() < until) {
      await setTimeout(LOCK_RETRY_MS);
      this.#options.check();
      if (!existsSync(lock)) return true;
    }
    return false;
  }

  async #requireBranch(run: WorktreeState): Promise<void> {
    const { folder } = this.#options;
    const onto = await branchOf(folder);
    if (onto === run.onto) return;
    throw new WordedError(runReasons.otherBranch(folder, where(onto), where(run.onto), run.branch, run.path));
  }

  /**
   * The run takes up what the folder has got meanwhile, so that the folder itself only goes forward, and never stands in a conflict. Resolves with the
   * commit of the folder.
   */
  async #takeUpFolder(run: WorktreeState): Promise<string> {
    const { folder } = this.#options;
    await this.#requireBranch(run);
    const commit = await headOf(folder);
    if (await isIn(run.path, commit, 'HEAD')) return commit;
    try {
      await mergeInto(run.path, commit, `what ${english(where(run.onto))} has got meanwhile`);
    } catch (error) {
      if (!(error instanceof MergeConflict)) throw error;
      this.#record({ type: 'worktreeConflict', id: RUN_TREE, files: error.files.slice(0, MAX_FILES) });
      throw new WordedError(runReasons.conflict(where(run.onto), named(error.files), run.branch, run.path), { cause: error });
    }
    return commit;
  }

  #open(id: WorktreeId): WorktreeState | undefined {
    const last = this.#states.findLast((state) => state.id === id);
    return last?.status === 'Merged' ? undefined : last;
  }

  /** The one that is open, or a new one. */
  async #tree(place: readonly StepKey[]): Promise<WorktreeState> {
    const id = idOf(place);
    const open = this.#open(id);
    if (!open) return this.#make(place);
    if (!this.#known.has(open.path)) {
      if (!(await this.#again(open))) return this.#make(place);
      this.#known.add(open.path);
    }
    return open;
  }

  /** False: nothing is left of it, and nothing is missed. */
  async #again({ path, branch, folder }: WorktreeState): Promise<boolean> {
    if (existsSync(path)) {
      await takeUp(path);
      return true;
    }
    const { folder: repository, hasWork } = this.#options;
    const problem = await folderProblem(repository);
    if (problem !== undefined) throw new UserError(problem);
    if (!(await hasBranch(await gitIn(repository), branch))) {
      if (!hasWork) return false;
      throw new WordedError(runReasons.isGone(path, branch));
    }
    // What was not committed is lost with the folder, which somebody has removed, or which another computer has.
    await git(repository, 'worktree', 'prune');
    await addTree(repository, path, branch);
    mkdirSync(folder, { recursive: true });
    return true;
  }

  async #make(place: readonly StepKey[]): Promise<WorktreeState> {
    const { folder: given, runId, root } = this.#options;
    const id = idOf(place);
    const problem = await folderProblem(given);
    if (problem !== undefined) throw new UserError(problem);
    const parent = place.length === 0 ? undefined : await this.#tree(place.slice(0, -1));
    const base = parent ? await commitAll(parent.path, this.#message()) : await headOf(given);
    const times = this.#states.filter((state) => state.id === id).length;
    const name = id.replaceAll('#', '-').replaceAll('/', '.') + (times === 0 ? '' : `-again${times}`);
    const path = join(root, `${runId}.${name}`);
    const branch = `tapline/${runId}/${name}`;
    await this.#clear(path, branch);
    await addTree(given, path, '-b', branch, base);
    const folder = resolve(path, await git(given, 'rev-parse', '--show-prefix'));
    // Git knows no empty folders.
    mkdirSync(folder, { recursive: true });
    const onto = parent ? undefined : await branchOf(given);
    const open = parent ? 0 : await uncommitted(given);
    const more = { ...(onto !== undefined && { onto }), ...(open > 0 && { uncommitted: open }) };
    this.#record({ type: 'worktreeMade', id, path, folder, branch, base, ...more });
    this.#known.add(path);
    return this.#open(id) as WorktreeState;
  }

  /** What a process that was killed had made and not recorded: nobody has worked in it. */
  async #clear(path: string, branch: string): Promise<void> {
    const { folder } = this.#options;
    rmSync(path, { recursive: true, force: true });
    await git(folder, 'worktree', 'prune');
    if (await hasBranch(await gitIn(folder), branch)) await git(folder, 'branch', '--quiet', '-D', branch);
  }

  /** Only where all of it is in what it was merged into. What stays is removed with the run. */
  async #removeMerged({ path, branch }: WorktreeState, commit: string): Promise<void> {
    const { folder, logger } = this.#options;
    try {
      await removeTree(folder, path);
      await git(folder, 'update-ref', '-d', `refs/heads/${branch}`, commit);
    } catch (error) {
      logger.warn(`the work tree ${path} was merged, and stays: ${englishOf(error)}`);
    }
  }

  #record(event: WithoutTime<WorktreeEvent>): void {
    this.#options.record(event);
    this.#states = reduceWorktrees(this.#states, { at: 0, ...event });
  }

  #message(step?: StepKey): string {
    const { jobName, runId } = this.#options;
    const name = jobName.replaceAll(/\s+/g, ' ').trim().slice(0, 100);
    return `${name}${step === undefined ? '' : `, step ${step}`}\n\nMade by a run of Tapline, ${runId}.`;
  }
}

function where(branch: string | undefined): Phrase {
  return branch === undefined ? places.noBranch() : places.branch(branch);
}

/** Git lists the files below a line that says what is wrong with them. */
function refusalOf(folder: string, { message }: GitError, { branch, path }: WorktreeState): Phrase {
  const lines = message.split('\n');
  const files = lines.flatMap((line) => (line.startsWith('\t') ? line.trim() : []));
  if (files.length > 0) return runReasons.overwrites(folder, named(files), branch, path);
  return runReasons.notMerged(folder, lines[0] ?? '', branch, path);
}

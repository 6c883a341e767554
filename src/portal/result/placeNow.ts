import { relative, resolve, sep } from 'node:path';
import type { JobState } from '../runs/jobState.ts';
import { idOf, RUN_TREE, type WorktreeState } from '../runs/worktreeState.ts';

/** `tree`: the work tree of the run that it is in. */
export interface PlaceNow {
  path: string;
  tree?: WorktreeState;
}

/** Where a file of a run is. A work tree that was merged is gone, and what was in it is where that was merged into. */
export function placeNow({ worktrees = [], workingDirectory }: Pick<JobState, 'worktrees' | 'workingDirectory'>, path: string): PlaceNow {
  const index = worktrees.findLastIndex((one) => path === one.path || path.startsWith(one.path + sep));
  const tree = worktrees[index];
  if (!tree) return { path };
  if (tree.status !== 'Merged') return { path, tree };
  const before = worktrees.slice(0, index);
  const parent = treeInto(before, tree);
  // The folder of the job is at the same place in all of them.
  const merged = resolve(parent?.folder ?? workingDirectory, relative(tree.folder, path));
  return placeNow({ worktrees: before, workingDirectory }, merged);
}

/** The one that a tree of a branch is merged into. Undefined for that of the run, which is merged into the folder. */
function treeInto(before: readonly WorktreeState[], { id }: WorktreeState): WorktreeState | undefined {
  if (id === RUN_TREE) return undefined;
  const parts = id.split('/').slice(0, -1);
  return before.findLast((one) => one.id === idOf(parts));
}

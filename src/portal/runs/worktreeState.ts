/** The work trees of a run, made of its events. */

/** Of the run itself, or of a branch of a Par: the first steps of the branches that lead to it, joined by `/`. */
export type WorktreeId = string;
export const RUN_TREE: WorktreeId = 'run';

export interface WorktreeState {
  id: WorktreeId;
  /** Its top folder. */
  path: string;
  /** In it: where the steps work. */
  folder: string;
  branch: string;
  /** The commit with which it began. */
  base: string;
  /** The branch of the folder at that time, into which it is merged. Only of the run, and absent where there was none. */
  onto?: string;
  /** So many files of the folder had changes that were not committed, and are not in it. */
  uncommitted?: number;
  /** Conflict: it was not merged, because others have changed the same. Merged: it is gone, and its work is in that of the run, or in the folder. */
  status: 'Made' | 'Merged' | 'Conflict' | 'Left';
  madeAt: number;
  /** When it came to its status. */
  at: number;
  /** The last commit of it that was merged or left. */
  commit?: string;
  /** Of a conflict. */
  files?: string[];
}

export type WorktreeEvent = { at: number } & (
  | {
      type: 'worktreeMade';
      id: WorktreeId;
      path: string;
      folder: string;
      branch: string;
      base: string;
      onto?: string;
      uncommitted?: number;
    }
  /** Into that of the run, or into the folder. */
  | { type: 'worktreeMerged'; id: WorktreeId; commit: string }
  /** It stays, and its branch too. */
  | { type: 'worktreeConflict'; id: WorktreeId; files: string[] }
  /** Its work is to stay on the branch. */
  | { type: 'worktreeLeft'; id: WorktreeId; commit: string }
);

export function isWorktreeEvent<T extends { type: string }>(event: T): event is Extract<T, WorktreeEvent> {
  return event.type.startsWith('worktree');
}

export function idOf(branches: readonly string[]): WorktreeId {
  return branches.length === 0 ? RUN_TREE : branches.join('/');
}

/** The states after the event. A tree that is made again with an id is there again. */
export function reduceWorktrees(states: readonly WorktreeState[], { type, ...event }: WorktreeEvent): WorktreeState[] {
  if (type === 'worktreeMade')
    return [...states, { ...(event as Omit<WorktreeState, 'status' | 'madeAt'>), madeAt: event.at, status: 'Made' }];
  const index = states.findLastIndex(({ id }) => id === event.id);
  const state = states[index];
  if (!state) return [...states];
  const { files: _before, ...rest } = state;
  const status = ({ worktreeMerged: 'Merged', worktreeConflict: 'Conflict', worktreeLeft: 'Left' } as const)[type];
  return states.with(index, { ...rest, ...event, status });
}

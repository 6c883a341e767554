/** Git work trees of a job: who gets one, and what becomes of the work in it. */
import * as z from 'zod';

const merge = z
  .enum(['merge', 'leave'])
  .describe(
    'What happens to the work when the run has succeeded. merge: it is committed and merged into the folder. leave: it is committed on the branch of the run.',
  );
const scope = z
  .enum(['run', 'step'])
  .describe('run: the run has a work tree. step: besides, each branch of a Par has one, which is merged into that of the run.');

/** `"step"` is short for `{"for": "step"}`. */
export const worktree = z
  .union([scope, z.strictObject({ for: scope, merge: merge.optional().describe('Absent: merge.') })], {
    error: 'must be "run", "step", or {"for": one of them, "merge": "merge" or "leave"}',
  })
  .describe(
    'Git work trees in which the job works instead of its folder, which must be in a repository. They begin with the last commit. Absent: it works in the folder.',
  );
export type Worktree = z.infer<typeof worktree>;

export interface WorktreePolicy {
  for: 'run' | 'step';
  merge: 'merge' | 'leave';
}

export function worktreePolicy(given: Worktree): WorktreePolicy {
  return typeof given === 'string' ? { for: given, merge: 'merge' } : { for: given.for, merge: given.merge ?? 'merge' };
}

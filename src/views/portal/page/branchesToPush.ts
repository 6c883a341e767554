/** The branches on which the work of a run is committed, and not merged yet: what a pull request can be made of. */

interface Committed {
  worktrees?: readonly { id: string; branch: string; status: string; onto?: string | undefined }[] | undefined;
  resultChanges?: readonly { did: string; branch?: string | undefined; base?: string | undefined }[] | undefined;
}

export interface BranchToPush {
  branch: string;
  /** The branch of the folder at that time. */
  base?: string;
}

/** The last one is that of the last commit. */
export function branchesToPush({ worktrees = [], resultChanges = [] }: Committed): BranchToPush[] {
  const onto = worktrees.findLast((tree) => tree.onto !== undefined)?.onto;
  const found = new Map<string, string | undefined>();
  for (const { branch, status } of worktrees) if (status === 'Left' || status === 'Conflict') found.set(branch, onto);
  for (const { did, branch, base } of resultChanges) {
    if (did !== 'committed' || branch === undefined) continue;
    found.delete(branch);
    found.set(branch, base ?? onto);
  }
  // What was merged has no branch of its own any more.
  for (const { branch, status } of worktrees) if (status === 'Merged') found.delete(branch);
  return Array.from(found, ([branch, base]) => ({ branch, ...(base !== undefined && { base }) }));
}

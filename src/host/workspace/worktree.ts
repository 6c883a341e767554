/** A git worktree that was made for one session. All are absolute paths. */
export interface Worktree {
  /** Top folder of the repository that it belongs to. */
  repository: string;
  path: string;
  /** The branch that was made with it. */
  branch: string;
  /** The commit that it began at. */
  base: string;
}

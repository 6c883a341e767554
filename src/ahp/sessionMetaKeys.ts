/** Keys of a session's `_meta` by which our host tells our views what the protocol has no field for. */

/** Why the session cannot be saved, in words for the user. */
export const NOT_SAVED = 'tapline.notSaved';
/** The branch of the git worktree that the session works in. */
export const WORKTREE_BRANCH = 'tapline.worktreeBranch';

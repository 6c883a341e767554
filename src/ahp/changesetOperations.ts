/** Operations on changesets that Tapline knows by their ids, and how long one may take. */

/** Takes changes back. */
export const DISCARD = 'discard';
/** Takes files out of the list, as they are. */
export const KEEP = 'keep';

/** An operation may be about many files, make a pull request, or wait for hooks. */
export const OPERATION_TIMEOUT_MS = 5 * 60_000;

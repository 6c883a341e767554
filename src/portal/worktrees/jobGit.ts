/** Git in the folder of a job and in its work trees, as the user's own Git would do it, but without what the configuration of a repository names. */
import { Git, type GitOptions } from '../../base/node/git/git.ts';

const TIMEOUT_MS = 120_000;
/** Another portal, or the user, may be at work in the same repository. */
export const LOCK_WAIT_MS = 30_000;
const ALWAYS = [
  ...['commit.gpgSign=false', 'gc.auto=0', 'maintenance.auto=false', 'merge.autoStash=false', 'merge.verifySignatures=false'],
  ...['submodule.recurse=false', 'advice.detachedHead=false'],
].flatMap((setting) => ['-c', setting]);

/** Without the last line feed. Rejects with a `GitError`, also when there is no git, or it takes too long. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  return (await gitIn(folder)).text(...ALWAYS, ...args);
}

/** The same, where something was checked before that may not hold any more after a wait: rejects with a `GitLockedError` at once. */
export async function gitAtOnce(folder: string, ...args: string[]): Promise<string> {
  return (await gitIn(folder, { lockWaitMs: 0 })).text(...ALWAYS, ...args);
}

/** The same for a command that also looks at the files of another tree, whose configuration may differ. */
export async function gitOver(folder: string, other: string, ...args: string[]): Promise<string> {
  return (await gitIn(folder, { others: [other] })).text(...ALWAYS, ...args);
}

/** The parts of an output with `-z`. */
export async function gitParts(folder: string, ...args: string[]): Promise<string[]> {
  return (await gitIn(folder)).parts(...ALWAYS, ...args);
}

/** The answer of a command that says yes with exit code 0, and no with 1. */
export async function gitSays(folder: string, ...args: string[]): Promise<boolean> {
  return (await gitIn(folder)).says(...ALWAYS, ...args);
}

/** For commands that no setting above concerns. */
export function gitIn(folder: string, options: GitOptions = {}): Promise<Git> {
  return Git.in(folder, { lockWaitMs: LOCK_WAIT_MS, ...options, timeoutMs: TIMEOUT_MS, isOfUser: true });
}

/**
 * Pushes a commit of a repository without what the configuration of that repository names.
 *
 * That may have been written by an agent, and could name programs in many places: those that connect, sign, know passwords, or are started at the
 * remote. So the push is made from a repository of its own that has the objects of the other one, and an address. What the user's own configuration
 * says holds there, as it does for every push of the user.
 */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isMissing } from '../missing.ts';
import { ALWAYS_OFF, Git, GitError } from './git.ts';
import { runUnattended, type UnattendedEnd } from './unattendedRun.ts';

/** It is ended then. */
export const PUSH_MS = 5 * 60_000;
const REMOTE = 'there';
/** Others run a program of any name, or show what is sent to everybody on the way. */
const PROTOCOLS = 'https:ssh:file';
const OFF = [
  ...ALWAYS_OFF,
  ...['push.gpgSign=false', 'push.followTags=false', 'push.recurseSubmodules=no', 'credential.interactive=false'],
].flatMap((setting) => ['-c', setting]);

/** As a repository has them. */
export interface RemoteAddresses {
  url: string;
  /** Where pushes go instead. */
  pushUrl?: string | undefined;
}

export interface CommitToPush {
  /** The top folder of the work tree. */
  top: string;
  addresses: RemoteAddresses;
  /** Its full hash. */
  commit: string;
  /** The branch of the remote that gets it. Only forward. */
  branch: string;
  signal: AbortSignal;
}

/** Where a push goes to, once the user's own configuration has rewritten the addresses. Rejects with a {@link GitError}. */
export function pushAddress(top: string, addresses: RemoteAddresses): Promise<string> {
  return inRepositoryOfItsOwn(top, addresses, async (folder) =>
    (await Git.in(folder)).text('--git-dir=.', 'remote', 'get-url', '--push', REMOTE),
  );
}

/** Rejects with a {@link GitError} when it could not be begun. */
export function pushCommit({ top, addresses, commit, branch, signal }: CommitToPush): Promise<UnattendedEnd> {
  return inRepositoryOfItsOwn(top, addresses, (folder) =>
    runUnattended({
      command: 'git',
      args: [...OFF, '--git-dir=.', 'push', '--no-verify', '--no-progress', '--', REMOTE, `${commit}:refs/heads/${branch}`],
      cwd: folder,
      env: { GIT_ALLOW_PROTOCOL: PROTOCOLS },
      timeoutMs: PUSH_MS,
      signal,
    }),
  );
}

async function inRepositoryOfItsOwn<T>(top: string, { url, pushUrl }: RemoteAddresses, work: (folder: string) => Promise<T>): Promise<T> {
  const git = await Git.in(top);
  const path = async (name: string) => resolve(top, await git.text('rev-parse', '--git-path', name));
  const [objects, shallow, format] = [await path('objects'), await path('shallow'), await git.text('rev-parse', '--show-object-format')];
  if (/[\n\r]|^["#]/.test(objects)) throw new GitError('the folder of the repository has a name that Git cannot refer to');
  const folder = await mkdtemp(join(tmpdir(), 'tapline-push-'));
  try {
    const own = await Git.in(folder);
    await own.text('init', '--bare', '--quiet', '--template=', `--object-format=${format}`, '.');
    await writeFile(join(folder, 'objects', 'info', 'alternates'), `${objects}\n`);
    await copyFile(shallow, join(folder, 'shallow')).catch(unlessMissing);
    // In the file, and not as an argument, which every user of the computer could read.
    const lines = [`[remote "${REMOTE}"]`, `url = ${quoted(url)}`, ...(pushUrl === undefined ? [] : [`pushurl = ${quoted(pushUrl)}`])];
    await writeFile(join(folder, 'config'), `${lines.join('\n')}\n`, { flag: 'a' });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function quoted(value: string): string {
  if (/[\0\n\r]/.test(value)) throw new GitError('the address of the remote has a line break');
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

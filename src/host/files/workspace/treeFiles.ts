/** What git reports of the files of a work tree, with their contents on disk and in a commit. */
import type { Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, GitError } from '../../../base/node/git/git.ts';
import { isMissing } from '../../../base/node/missing.ts';

/** With more files that differ from the last commit, they are not followed. */
const MAX_LISTED = 5_000;
/** Bytes of one file whose content is kept. */
export const MAX_FILE = 1024 * 1024;

/** Bytes of files that git reads at once. */
const MAX_BATCH = 8 * 1024 * 1024;

/** `unknown`: it is too large, or not a regular file. */
export type FileContent = Uint8Array | 'unknown';

/** The last commit, if there is one. */
export async function headOf(git: Git): Promise<string | undefined> {
  try {
    return await git.text('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  } catch (error) {
    if (error instanceof GitError) return undefined; // There was no commit yet.
    throw error;
  }
}

/** The files of the folder that differ from the last commit, by path below the top folder. Rejects where they are too many. */
export async function dirtyPaths(git: Git): Promise<string[]> {
  const options = ['--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];
  const entries = await git.parts('status', ...options, '--', '.');
  if (entries.length > MAX_LISTED) throw new GitError(`more than ${MAX_LISTED} files differ from the last commit`);
  return entries.map((entry) => entry.slice(3));
}

/** A file of a commit. */
export interface CommittedFile {
  oid: string;
  /** As `100755` and `120000`. */
  mode: string;
  /** Bytes, as git stores it. NaN for a submodule. */
  size: number;
}

/** Those of the paths that the commit has. */
export async function committedFiles(git: Git, commit: string | undefined, paths: readonly string[]): Promise<Map<string, CommittedFile>> {
  const files = new Map<string, CommittedFile>();
  if (commit === undefined || paths.length === 0) return files;
  for (const entry of await git.parts('ls-tree', '-z', '-l', '--full-tree', commit, '--', ...paths)) {
    const [, mode = '', oid = '', size, path] = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(entry) ?? [];
    if (path === undefined) throw new GitError('the list of a commit’s files is not as expected');
    files.set(path, { oid, mode, size: Number(size) });
  }
  return files;
}

/** The content of these files in the commit, absent where it has none. Read without filters, because their effect is not known. */
export async function committedContents(git: Git, commit: string | undefined, paths: readonly string[]): Promise<Map<string, FileContent>> {
  return await contentsOf(git, await committedFiles(git, commit, paths));
}

/** As {@link committedContents}. */
export async function contentsOf(git: Git, files: ReadonlyMap<string, CommittedFile>): Promise<Map<string, FileContent>> {
  const contents = new Map<string, FileContent>([...files.keys()].map((path) => [path, 'unknown']));
  const read = [...files].filter(([, file]) => isRegular(file) && file.size <= MAX_FILE);
  for (const batch of batchesOf(read)) {
    const output = await git.bytesFor(batch.map(([, { oid }]) => `${oid}\n`).join(''), 'cat-file', '--batch');
    let at = 0;
    for (const [path, { oid, size }] of batch) {
      const head = `${oid} blob ${size}\n`;
      if (output.toString('latin1', at, at + head.length) !== head) throw new GitError(`the content of ${path} could not be read`);
      contents.set(path, output.subarray((at += head.length), (at += size)));
      at += 1; // A line feed.
    }
  }
  return contents;
}

/** Each of at most {@link MAX_BATCH} bytes. */
function batchesOf(files: readonly [path: string, file: CommittedFile][]): (typeof files)[] {
  const batches: [path: string, file: CommittedFile][][] = [];
  let room = -1;
  for (const file of files) {
    const { size } = file[1];
    if (size > room) {
      batches.push([]);
      room = MAX_BATCH;
    }
    batches.at(-1)?.push(file);
    room -= size;
  }
  return batches;
}

export function isRegular({ mode }: CommittedFile): boolean {
  return mode.startsWith('100');
}

/** Changes whenever the file does. Undefined where there is no file. */
export function identityOf(info: Stats | undefined): string | undefined {
  return info && `${info.mode} ${info.ino} ${info.size} ${info.mtimeMs} ${info.ctimeMs}`;
}

/** With at most `room` bytes. */
export async function contentOf(path: string, info: Stats | undefined, room: number): Promise<FileContent | undefined> {
  if (!info) return undefined;
  if (!info.isFile() || info.size > Math.min(MAX_FILE, room)) return 'unknown';
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'EACCES') return 'unknown';
    throw error;
  }
}

/** Follows no link, neither at the end of the path nor in the folders between it and `top`. Undefined where there is nothing. */
export async function infoOf(top: string, path: string): Promise<Stats | undefined> {
  return (await foldersAbove(top, path)) === 'real' ? await statsOf(join(top, path)) : undefined;
}

/** What is in the place of the folders between a path of git and `top`. `other`: something that is no folder, such as a link to one. */
export async function foldersAbove(top: string, path: string): Promise<'real' | 'missing' | 'other'> {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const info = await statsOf(join(top, path.slice(0, end)));
    if (!info?.isDirectory()) return info ? 'other' : 'missing';
  }
  return 'real';
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

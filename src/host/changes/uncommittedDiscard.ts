/**
 * Puts files back as the last commit has them, one by one: of each it is looked once more whether it is what the user has seen, right before
 * it is touched.
 */
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import * as l10n from '../../base/l10n.ts';
import { filteredPaths } from '../../base/node/git/commitFiles.ts';
import { Git } from '../../base/node/git/git.ts';
import { type CommittedFile, committedFiles, foldersAbove, isRegular } from '../files/workspace/treeFiles.ts';
import { CannotDiscard, write } from './edits/discardFile.ts';
import { fileNow, type UncommittedFile } from './uncommittedFiles.ts';

/** Bytes. Larger files are written by git itself. */
const MAX_WRITTEN = 4 * 1024 * 1024;

export interface DiscardedFiles {
  done: string[];
  /** Paths that are left as they are, by the reason, as a sentence that goes on with the paths. */
  left: Map<string, string[]>;
}

export function filteredText(): string {
  return l10n.t('Left as they are, because they are stored with a filter of Git, which this host does not run');
}
export function changedText(): string {
  return l10n.t('Left as they are, because they changed since you saw them');
}

/** Rejects with a `GitError` before anything is done. */
export async function discardFiles(
  top: string,
  head: string | undefined,
  files: readonly Pick<UncommittedFile, 'path' | 'mark'>[],
): Promise<DiscardedFiles> {
  const git = await Git.in(top);
  const paths = files.map(({ path }) => path);
  const committed = await committedFiles(git, head, paths);
  const filtered = new Set(await filteredPaths(git, [...committed.keys()]));
  const done: string[] = [];
  const left = new Map<string, string[]>();
  const isNew = ({ path }: { path: string }) => !committed.has(path);
  // New files go first: they may be in the place of folders of others.
  for (const { path, mark } of [...files.filter(isNew), ...files.filter((file) => !isNew(file))]) {
    const why = filtered.has(path)
      ? filteredText()
      : await discardOne(git, { top, head: head ?? '', path, mark, committed: committed.get(path) });
    if (why === undefined) done.push(path);
    else left.set(why, [...(left.get(why) ?? []), path]);
  }
  return { done, left };
}

/** Makes the index as the commit for these files. Rejects with a `GitError`. */
export async function unstageDiscarded(top: string, head: string | undefined, paths: readonly string[]): Promise<void> {
  const git = await Git.in(top);
  const committed = await committedFiles(git, head, paths);
  const added = paths.filter((path) => !committed.has(path));
  if (added.length > 0) await git.text('update-index', '--force-remove', '--', ...added);
  if (committed.size > 0) await git.text('--literal-pathspecs', 'restore', `--source=${head ?? ''}`, '--staged', '--', ...committed.keys());
}

interface Place {
  top: string;
  head: string;
  path: string;
  mark: string;
  /** Absent: the commit does not have it. */
  committed: CommittedFile | undefined;
}

/** Why it is left as it is. Undefined: it was put back. */
async function discardOne(git: Git, { top, head, path, mark, committed }: Place): Promise<string | undefined> {
  const place = join(top, path);
  try {
    // As git writes it to the disk, for example with other line ends.
    const data =
      committed && isRegular(committed) && committed.size <= MAX_WRITTEN
        ? await git.bytes('cat-file', '--filters', `${head}:${path}`)
        : undefined;
    if ((await foldersAbove(top, path)) === 'other')
      return l10n.t('Left as they are, because they have a file or a link in the place of their folder');
    const now = await fileNow(top, path);
    if (now.mark !== mark) return changedText();
    if (!committed) await removed(place);
    else if (data && now.content !== 'unknown') await write(place, now.content, data, committed.mode === '100755');
    else await git.text('--literal-pathspecs', 'restore', `--source=${head}`, '--worktree', '--', path);
    return undefined;
  } catch (error) {
    if (error instanceof CannotDiscard) return changedText();
    return l10n.t`Left as they are, because they could not be put back (${messageOf(error).slice(0, 200)})`;
  }
}

async function removed(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

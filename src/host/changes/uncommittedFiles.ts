/** The files of a folder that differ from the last commit, as git reports them, and whether they still are what they were. */
import { join } from 'node:path';
import { sha256 } from '../../base/node/sha256.ts';
import { currentBranch } from '../../base/node/git/branches.ts';
import { isMerging } from '../../base/node/git/commitFiles.ts';
import { Git, GitError, workTreeOf } from '../../base/node/git/git.ts';
import {
  committedFiles,
  contentOf,
  contentsOf,
  dirtyPaths,
  type FileContent,
  headOf,
  identityOf,
  infoOf,
  MAX_FILE,
} from '../files/workspace/treeFiles.ts';

/** The most files of one list. */
export const MAX_FILES = 200;
/** For each command that only reads. */
export const TIMEOUT_MS = 5_000;

/** The mark of a file that is not there. */
export const GONE = 'gone';

export interface UncommittedFile {
  /** Below the top folder. */
  path: string;
  /** Undefined: the commit does not have it. */
  before: FileContent | undefined;
  /** Undefined: it was deleted. */
  after: FileContent | undefined;
  /** See {@link fileNow}. */
  mark: string;
}
export interface UncommittedFiles {
  /** The top folder of the work tree, absolute. */
  top: string;
  /** The last commit, if there is one. */
  head: string | undefined;
  /** Its short name. Undefined when no branch is checked out. */
  branch: string | undefined;
  isMerging: boolean;
  /** The first {@link MAX_FILES} by name. */
  files: UncommittedFile[];
  /** There are more. */
  isCut: boolean;
  /** How many files differ for git and are not listed. */
  unlisted: Unlisted;
}
export interface Unlisted {
  /** Links, repositories of their own and the like. */
  special: number;
  /** Those that are staged, but are on disk as in the last commit. */
  staged: number;
  /** Those whose name is not UTF-8, so that it cannot be told to a client. */
  unnamed: number;
}

/** `folder`: a real path. Rejects with a {@link GitError}, also where it is in no work tree, or where too many files differ. */
export async function uncommittedFiles(folder: string): Promise<UncommittedFiles> {
  const top = await workTreeOf(folder, TIMEOUT_MS);
  // eslint-disable-next-line texts/translated -- for programs
  if (top === undefined) throw new GitError(`${folder} is in no work tree of git`);
  const git = await Git.in(folder, { timeoutMs: TIMEOUT_MS });
  const [head, branch, merging, paths] = await Promise.all([headOf(git), currentBranch(git), isMerging(git), dirtyPaths(git)]);
  const unlisted: Unlisted = { special: 0, staged: 0, unnamed: 0 };
  const found: (Omit<UncommittedFile, 'before'> & { isExecutable: boolean })[] = [];
  for (const path of [...new Set(paths)].sort()) {
    if (found.length > MAX_FILES) break;
    const info = await infoOf(top, path);
    const why = path.includes('\uFFFD') ? 'unnamed' : info && !info.isFile() ? 'special' : undefined;
    if (why) {
      unlisted[why]++;
      continue;
    }
    const after = await contentOf(join(top, path), info, MAX_FILE);
    found.push({ path, after, mark: markOfContent(info, after), isExecutable: ((info?.mode ?? 0) & 0o100) !== 0 });
  }
  const listed = found.slice(0, MAX_FILES);
  const committed = await committedFiles(
    git,
    head,
    listed.map(({ path }) => path),
  );
  const contents = await contentsOf(git, committed);
  const files: UncommittedFile[] = [];
  for (const { isExecutable, ...file } of listed) {
    const { path, after } = file;
    const before = await asOnDisk(git, `${head ?? ''}:${path}`, contents.get(path), after);
    const isSameMode = !committed.has(path) || (committed.get(path)?.mode === '100755') === isExecutable;
    if (isSame(before, after) && isSameMode) unlisted.staged++;
    else files.push({ ...file, before });
  }
  return { top, head, branch, isMerging: merging, files, isCut: found.length > MAX_FILES, unlisted };
}

/** What the commit has, with the line ends that git would write to the disk where those there are others. */
async function asOnDisk(
  git: Git,
  object: string,
  before: FileContent | undefined,
  after: FileContent | undefined,
): Promise<FileContent | undefined> {
  if (!(before instanceof Uint8Array) || !(after instanceof Uint8Array)) return before;
  const hasCrlf = (content: Uint8Array) => Buffer.from(content).includes('\r\n');
  return hasCrlf(after) && !hasCrlf(before) ? await git.bytes('cat-file', '--filters', object) : before;
}

function isSame(one: FileContent | undefined, other: FileContent | undefined): boolean {
  return one instanceof Uint8Array && other instanceof Uint8Array
    ? Buffer.compare(one, other) === 0
    : one === undefined && other === undefined;
}

/** The mark changes whenever the content of the file does, or whether it can be executed. It is {@link GONE} without a file. */
export async function fileNow(top: string, path: string): Promise<{ mark: string; content: FileContent | undefined }> {
  const info = await infoOf(top, path);
  const content = await contentOf(join(top, path), info, MAX_FILE);
  return { mark: markOfContent(info, content), content };
}

/** The last commit and the branch as they are now. */
export async function headNow(folder: string): Promise<Pick<UncommittedFiles, 'head' | 'branch'>> {
  const git = await Git.in(folder, { timeoutMs: TIMEOUT_MS });
  const [head, branch] = await Promise.all([headOf(git), currentBranch(git)]);
  return { head, branch };
}

function markOfContent(info: Awaited<ReturnType<typeof infoOf>>, content: FileContent | undefined): string {
  if (!info) return GONE;
  return content instanceof Uint8Array ? `${info.mode & 0o111} ${sha256(content)}` : `at ${identityOf(info)}`;
}

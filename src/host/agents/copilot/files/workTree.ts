/**
 * Finds the files of a folder that a command changed, as git reports them, with their earlier content. That is read from the last commit
 * for files that were unchanged until then, otherwise from a copy. Files that git ignores and everything outside the folder do not count.
 *
 * Git only reads and compares: no hook, filter, monitor or transport that the repository names is run.
 */
import { join } from 'node:path';
import { Git, workTreeOf } from '../../../../base/node/git/git.ts';
import {
  committedContents,
  contentOf,
  dirtyPaths,
  type FileContent,
  headOf,
  identityOf,
  infoOf,
} from '../../../files/workspace/treeFiles.ts';

/** The most changed files of one comparison. */
const MAX_CHANGED = 200;
/** Bytes of all copies. */
const MAX_COPIES = 16 * 1024 * 1024;
/** For each git command, because the model's command waits for it. */
const TIMEOUT_MS = 5_000;
/** File times come from a clock that is up to one tick of the kernel behind the system clock. */
const CLOCK_LAG_MS = 50;

export interface ChangedFile {
  path: string;
  /** `undefined`: the file did not exist. */
  before: FileContent | undefined;
}

interface FileRecord {
  /** Changes whenever the file does. `undefined` where there is no file. */
  identity: string | undefined;
  content: FileContent | undefined;
}
/** The folder at one moment. `takenAt` is in ms of the system clock. */
export interface WorkTreeState {
  takenAt: number;
  /** The top folder of the work tree, absolute. */
  top: string;
  /** The last commit, if there is one. */
  head: string | undefined;
  /** The files that differ from it, by path below `top`. */
  dirty: ReadonlyMap<string, FileRecord>;
}

export class WorkTree {
  /** `folder`: a real path. */
  constructor(private readonly folder: string) {}

  /** Undefined where the folder is in no work tree of git. Rejects when git fails or there is too much to follow. */
  async state(): Promise<WorkTreeState | undefined> {
    const takenAt = Date.now();
    const top = await workTreeOf(this.folder, TIMEOUT_MS);
    if (top === undefined) return undefined;
    const git = await Git.in(this.folder, { timeoutMs: TIMEOUT_MS });
    const [head, paths] = await Promise.all([headOf(git), dirtyPaths(git)]);
    const dirty = new Map<string, FileRecord>();
    let room = MAX_COPIES;
    for (const path of paths) {
      const info = await infoOf(top, path);
      const content = await contentOf(join(top, path), info, room);
      if (content instanceof Uint8Array) room -= content.length;
      dirty.set(path, { identity: identityOf(info), content });
    }
    return { takenAt, top, head, dirty };
  }

  /** What has changed since then, the first {@link MAX_CHANGED} files by name. Rejects like {@link state}. */
  async changedSince({ takenAt, top, head, dirty }: WorkTreeState): Promise<ChangedFile[]> {
    const git = await Git.in(this.folder, { timeoutMs: TIMEOUT_MS });
    const [headNow, dirtyNow] = await Promise.all([headOf(git), dirtyPaths(git)]);
    const moved = head !== undefined && headNow !== undefined && head !== headNow ? await movedPaths(git, head, headNow) : [];
    const candidates = [...new Set([...dirty.keys(), ...dirtyNow, ...moved])].sort();
    const touched: string[] = [];
    for (const path of candidates) {
      if (touched.length === MAX_CHANGED) break;
      if (await this.#isTouched(top, path, dirty.get(path), takenAt)) touched.push(path);
    }
    const committed = await committedContents(
      git,
      head,
      touched.filter((path) => !dirty.has(path)),
    );
    return touched.map((path) => {
      const record = dirty.get(path);
      return { path: join(top, path), before: record ? record.content : committed.get(path) };
    });
  }

  async #isTouched(top: string, path: string, before: FileRecord | undefined, takenAt: number): Promise<boolean> {
    const info = await infoOf(top, path);
    // Links are not followed, and a folder is a repository of its own.
    if (info && !info.isFile()) return false;
    if (before) return identityOf(info) !== before.identity;
    // It has not changed. Git reports it only now, because it ignored it until then.
    return info === undefined || info.ctimeMs >= takenAt - CLOCK_LAG_MS;
  }
}

/** The files of the folder that differ between two commits. */
async function movedPaths(git: Git, from: string, to: string): Promise<string[]> {
  return await git.parts('diff-tree', '-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=all', from, to, '--', '.');
}

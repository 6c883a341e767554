/** The notes of a folder, as they are now. Only files of the folder itself: links are left out, wherever they lead. */
import { constants, type Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { englishOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { type Note, parseNote } from './note.ts';

export const MAX_NOTES = 2_000;
/** Bytes. */
export const MAX_NOTE_BYTES = 256 * 1024;
const MAX_DEPTH = 20;

export interface StoredNote extends Note {
  /** Absolute. */
  file: string;
  /** In the folder, with `/`. */
  path: string;
}

interface Read {
  mtimeMs: number;
  size: number;
  note: StoredNote | undefined;
}

export class NotesFolder {
  /** By file. What has not changed is not read again. */
  #read = new Map<string, Read>();
  #saidTooMany = false;

  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
  ) {}

  /** In the order of their paths. Rejects when the folder cannot be read. */
  async notes(): Promise<StoredNote[]> {
    const files: string[] = [];
    await this.#collect(this.folder, 0, files);
    if (files.length > MAX_NOTES && !this.#saidTooMany) {
      this.#saidTooMany = true;
      this.logger.warn(`${this.folder} has more than ${MAX_NOTES} notes. The others are left out.`);
    }
    const before = this.#read;
    const now = new Map<string, Read>();
    for (const file of files.slice(0, MAX_NOTES)) {
      const read = await this.#readNote(file, before.get(file));
      if (read) now.set(file, read);
    }
    this.#read = now;
    return [...now.values()].flatMap(({ note }) => note ?? []);
  }

  async #collect(folder: string, depth: number, files: string[]): Promise<void> {
    let entries: Dirent[];
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (depth === 0) throw error;
      return; // It was removed meanwhile, or is not for us.
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (files.length > MAX_NOTES) return;
      const path = join(folder, entry.name);
      if (entry.isFile() && /\.md$/i.test(entry.name)) files.push(path);
      else if (entry.isDirectory() && depth < MAX_DEPTH && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        await this.#collect(path, depth + 1, files);
    }
  }

  /** Undefined: there is no such file any more. */
  async #readNote(file: string, before: Read | undefined): Promise<Read | undefined> {
    try {
      const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        const { mtimeMs, size } = await handle.stat();
        if (before?.mtimeMs === mtimeMs && before.size === size) return before;
        if (size > MAX_NOTE_BYTES) {
          this.logger.warn(`${file} is left out: a note has at most ${MAX_NOTE_BYTES / 1024} KiB.`);
          return { mtimeMs, size, note: undefined };
        }
        const path = relative(this.folder, file).split(sep).join('/');
        const note = parseNote(path.slice(path.lastIndexOf('/') + 1), await handle.readFile('utf8'));
        if (note.problem !== undefined) this.logger.warn(`The heading of ${file} is ignored: ${note.problem}`);
        return { mtimeMs, size, note: { ...note, file, path } };
      } finally {
        await handle.close();
      }
    } catch (error) {
      this.logger.debug(`${file} cannot be read: ${englishOf(error)}`);
      return undefined;
    }
  }
}

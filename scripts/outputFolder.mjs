// Writes dist/ while other programs use it. Each file is replaced as a whole, and only where it changed, so that a build disturbs no
// program, test or packaging run.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from './folders.mjs';

/** Marks the files that a build is still writing. */
const UNFINISHED = '.unfinished';

/** False for a file that a build is still writing, which may go at any moment. */
export const isFinished = (file) => !file.endsWith(UNFINISHED);

export class OutputFolder {
  /** What this build has written or kept, with the digest of what it has written. */
  #files = new Map();

  constructor(path) {
    this.path = path;
  }

  /** `file`: absolute, below the folder. `mode` as in `chmod`. Throws where the file has got another content before: one of the two would be lost. */
  put(file, data, mode = 0o644) {
    const digest = createHash('sha256').update(data).digest('hex');
    if ((this.#files.get(file) ?? digest) !== digest) throw new Error(`${file}: the build has two contents for it`);
    this.#files.set(file, digest);
    if (isSame(file, data)) return;
    mkdirSync(dirname(file), { recursive: true });
    const unfinished = `${file}.${process.pid}${UNFINISHED}`;
    writeFileSync(unfinished, data, { mode });
    renameSync(unfinished, file);
  }

  /** Copies all files below a folder. */
  copy(from, to) {
    for (const file of filesBelow(from)) {
      const source = join(from, file);
      this.put(join(to, file), readFileSync(source), statSync(source).mode & 0o777);
    }
  }

  /** Leaves all files below a folder as they are. */
  keep(folder) {
    for (const file of filesBelow(folder)) this.#files.set(join(folder, file), undefined);
  }

  /** Removes what an earlier build wrote and this one did not. Files that another build is writing stay. */
  removeOthers() {
    for (const file of filesBelow(this.path)) {
      const path = join(this.path, file);
      if (!this.#files.has(path) && isFinished(file)) rmSync(path, { force: true });
    }
  }
}

function isSame(file, data) {
  try {
    return readFileSync(file).equals(Buffer.from(data));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return false;
  }
}

/** Writes files that appear as a whole or not at all. */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes bytes from `offset` on, and returns how many were written. Tests pass one that fails. */
export type Write = (fd: number, data: Uint8Array, offset: number) => number;

export const writeToDisk: Write = (fd, data, offset) => writeSync(fd, data, offset);

/** Throws when not everything could be written. What was written until then stays. */
export function writeFully(fd: number, data: Uint8Array, write: Write): void {
  for (let written = 0; written < data.length;) written += write(fd, data, written);
}

/**
 * Creates or replaces a file. With `sync` its data is on the disk before it gets its name, so that a power failure leaves the old or the
 * new file. After an error the old file is unchanged.
 */
export function replaceFile(path: string, data: Uint8Array, { sync, write = writeToDisk }: { sync: boolean; write?: Write }): void {
  const temporary = `${path}.new`;
  try {
    const fd = openSync(temporary, 'w', 0o600);
    try {
      writeFully(fd, data, write);
      if (sync) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (sync) syncFolder(dirname(path));
}

/** Creates a file with its data in it, for its user alone. False: there is one already, which is unchanged. */
export function createFile(path: string, data: Uint8Array): boolean {
  // In a folder that others can write to, a name that can be guessed may be a link of theirs.
  const temporary = `${path}.${randomUUID()}.new`;
  writeFileSync(temporary, data, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** False only when it is certain that there is no such file. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function syncFolder(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

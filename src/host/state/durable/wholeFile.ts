/** Files that appear whole or not at all. */
import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes bytes from `offset` on and answers how many went; tests pass one that fails. */
export type Write = (fd: number, data: Uint8Array, offset: number) => number;

export const writeToDisk: Write = (fd, data, offset) => writeSync(fd, data, offset);

/** Throws when not everything could be written; what was written until then stays. */
export function writeFully(fd: number, data: Uint8Array, write: Write): void {
  for (let written = 0; written < data.length;) written += write(fd, data, written);
}

/**
 * Puts a file in place of the one of this name, if there is one. With `sync` it is on the disk before it takes the name, so that a power
 * failure leaves the old or the new one. After an error the old one is untouched.
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

/** False only when there is surely nothing of this name. */
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

/** Files that hold secrets: only their user may be able to read and write them. */
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { phrase } from '../text/phrase.ts';
import { UserError } from '../errors.ts';

/** Windows has no such modes: there the folder of the user is private. */
export function isOwnersOnly(stat: Stats): boolean {
  return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
}

/** The text of a file, and whether only this user can read and write it. Throws when it cannot be read. */
export function readFileOf(path: string): { text: string; isPrivate: boolean } {
  const fd = openSync(path, 'r');
  try {
    const stat = fstatSync(fd);
    return { text: readFileSync(fd, 'utf8'), isPrivate: stat.isFile() && isOwnersOnly(stat) };
  } finally {
    closeSync(fd);
  }
}

/** Throws a {@link UserError} when others could have written or read the file. */
export function readOwnFile(path: string): string {
  const { text, isPrivate } = readFileOf(path);
  if (!isPrivate) throw new UserError(phrase`${path} is not used: it must be a file that only you can read and write.`);
  return text;
}

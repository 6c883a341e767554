import { lstatSync, readFileSync } from 'node:fs';
import { idKeyShape, newIdKey } from './callIds.ts';

/**
 * The key that the last gateway has left in this file, else a new one. It grants no access: a program that could write the file could only
 * have late results ignored.
 */
export function keptIdKey(path: string): string {
  try {
    const key = lstatSync(path).isFile() ? readFileSync(path, 'utf8') : '';
    return idKeyShape.test(key) ? key : newIdKey();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return newIdKey();
    throw error;
  }
}

import { lstatSync, readFileSync } from 'node:fs';
import { idKeyShape, newIdKey } from '../tools/callIds.ts';

/**
 * The key that the gateway before has left in this file, else a new one. It lets nobody in: whoever could write the file would have late
 * results ignored, and no more.
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

/** Which of the window's folders a session works in. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** The innermost of `folders` that contains `cwd`, with all links resolved. Undefined where none does. */
export function folderOf(cwd: string | undefined, folders: readonly string[]): string | undefined {
  if (cwd === undefined || !isAbsolute(cwd)) return undefined;
  const real = realPath(cwd);
  return folders.filter((folder) => isWithin(real, realPath(folder))).reduce<string | undefined>(longer, undefined);
}

/** The path with all links resolved. Of a path that does not exist, those of its nearest folder that does. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** The same folder, or something in it. Both are real paths. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function longer(one: string | undefined, other: string): string {
  return one !== undefined && realPath(one).length >= realPath(other).length ? one : other;
}

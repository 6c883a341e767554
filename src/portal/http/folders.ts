import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** What is wrong with a working directory. */
export async function directoryProblem(path: string): Promise<'WorkingDirectoryNotAbsolutePath' | 'WorkingDirectoryNotExists' | undefined> {
  if (!isAbsolute(path)) return 'WorkingDirectoryNotAbsolutePath';
  try {
    return (await stat(path)).isDirectory() ? undefined : 'WorkingDirectoryNotExists';
  } catch {
    return 'WorkingDirectoryNotExists';
  }
}

/** The real path of a file that really lies in the folder, whatever links lead there. */
export async function realPathIn(folder: string, path: string): Promise<string | undefined> {
  if (!isAbsolute(path)) return undefined;
  try {
    const real = await realpath(path);
    const below = relative(await realpath(folder), real);
    return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below) ? real : undefined;
  } catch {
    return undefined;
  }
}

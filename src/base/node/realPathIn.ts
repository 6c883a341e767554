import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

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

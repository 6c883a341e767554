import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

/** What is wrong with a working directory. */
export async function directoryProblem(path: string): Promise<'WorkingDirectoryNotAbsolutePath' | 'WorkingDirectoryNotExists' | undefined> {
  if (!isAbsolute(path)) return 'WorkingDirectoryNotAbsolutePath';
  try {
    return (await stat(path)).isDirectory() ? undefined : 'WorkingDirectoryNotExists';
  } catch {
    return 'WorkingDirectoryNotExists';
  }
}

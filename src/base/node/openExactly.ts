/** Opens a file and makes sure that it is the one that was checked. */
import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';

/** Why a file that was opened is not the one that was asked for. */
export class NotThatFile extends Error {
  override readonly name = 'NotThatFile';
  constructor(
    readonly why: 'replaced' | 'notAFile',
    message: string,
  ) {
    super(message);
  }
}

/**
 * Opens a regular file at a real path (no links in it), and makes sure that it is the file at that path: no part of the path was replaced by
 * a link since. A file is never truncated before that check. Rejects with {@link NotThatFile}, or with the error of the system. The caller
 * closes the handle.
 */
export async function openExactly(realPath: string, flags: number): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  const handle = await open(realPath, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666);
  try {
    const [opened, there] = [await handle.stat({ bigint: true }), await lstat(realPath, { bigint: true })];
    if ((await realpath(realPath)) !== realPath || opened.dev !== there.dev || opened.ino !== there.ino)
      throw new NotThatFile('replaced', `${realPath} was replaced while it was opened`);
    if (!opened.isFile()) throw new NotThatFile('notAFile', `${realPath} is not a file`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

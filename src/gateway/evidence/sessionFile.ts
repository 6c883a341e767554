/** Files that a model names as evidence: inside the folder of its session by their real path, and not too large. */
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { withTimeout } from '../../base/errors.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const READ_MS = 5_000;

/** `folder`: is there, and no file. `refused`: nothing of it is looked at, and why. */
export type SessionFile =
  | { readonly is: 'file'; readonly bytes: number; readonly text: string }
  | { readonly is: 'large'; readonly bytes: number }
  | { readonly is: 'folder' }
  | { readonly is: 'missing' }
  | { readonly is: 'refused'; readonly why: string };

/** Rejects with the error of the file system, or when it takes too long. */
export async function readSessionFile(cwd: string | undefined, path: string): Promise<SessionFile> {
  if (cwd === undefined) return { is: 'refused', why: 'this session has no folder on this computer' };
  return withTimeout(readInside(cwd, path), READ_MS, 'reading the file');
}

async function readInside(cwd: string, path: string): Promise<SessionFile> {
  const folder = await realpath(cwd);
  const given = resolve(cwd, path);
  // What lies outside by its very words is not touched, so that nobody learns what is there.
  if (isOutside(resolve(cwd), given) && isOutside(folder, given))
    return { is: 'refused', why: 'it lies outside the folder of the session' };
  try {
    const real = await realpath(given);
    if (isOutside(folder, real)) return { is: 'refused', why: 'it leads outside the folder of the session' };
    const kind = await lstat(real);
    if (kind.isDirectory()) return { is: 'folder' };
    // Opening a device may do something.
    if (!kind.isFile()) return { is: 'refused', why: 'it is neither a file nor a folder' };
    // It may be something else by now: no link is followed, and a pipe does not block.
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { dev, ino, size } = await handle.stat();
      // A folder on the way may have become a link meanwhile.
      if (dev !== kind.dev || ino !== kind.ino || (await realpath(given)) !== real)
        return { is: 'refused', why: 'it changed while it was read' };
      if (size > MAX_BYTES) return { is: 'large', bytes: size };
      const content = Buffer.alloc(size);
      const { bytesRead } = await handle.read(content, 0, size, 0);
      return { is: 'file', bytes: size, text: content.toString('utf8', 0, bytesRead).replaceAll('\r\n', '\n') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { is: 'missing' };
    throw error;
  }
}

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

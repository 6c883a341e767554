/**
 * Paths that may be touched: those whose real place is below a root. Symbolic links are followed before it is judged, and what was opened
 * is checked again after, because a link can be put in between.
 */
import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';

/**
 * The real path of `path`, which may not exist yet: then the nearest parent that does decides. Throws PermissionDenied when it lies outside
 * the roots (whether or not it exists, so that nothing can be found out) or is a link that leads nowhere.
 */
export async function confined(path: string, roots: readonly string[]): Promise<string> {
  const real = await realPlace(path);
  await requireInside(real, path, roots);
  return real;
}

/** As {@link confined}, for the entry itself: a link at the end of the path is not followed. */
export async function confinedEntry(path: string, roots: readonly string[]): Promise<string> {
  const entry = join(await realPlace(dirname(path)), basename(path));
  await requireInside(entry, path, roots);
  return entry;
}

/** True for a path, real or not, that is a root; those may be used but not deleted or moved. */
export async function isRoot(realPath: string, roots: readonly string[]): Promise<boolean> {
  return (await realRoots(roots)).includes(realPath);
}

/**
 * Opens a regular file at a path that {@link confined} returned, and makes sure that it is what lies at that path: nothing on the way
 * was replaced by a link since. Without the flag, a file is never emptied before that is sure. The caller closes the handle.
 */
export async function openConfined(realPath: string, flags: number): Promise<FileHandle> {
  // O_NONBLOCK: a pipe would make us wait for its other end.
  const handle = await open(realPath, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666);
  try {
    const [opened, there] = [await handle.stat({ bigint: true }), await lstat(realPath, { bigint: true })];
    if ((await realpath(realPath)) !== realPath || opened.dev !== there.dev || opened.ino !== there.ino)
      throw new RpcError(ErrorCode.PermissionDenied, `${realPath} was replaced while it was opened`);
    if (!opened.isFile()) throw new RpcError(ErrorCode.NotFound, `${realPath} is not a file`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The content of a regular file, checked as {@link openConfined} does. Throws InvalidParams above `maxSize` bytes. */
export async function readConfined(realPath: string, maxSize: number): Promise<Buffer> {
  const handle = await openConfined(realPath, constants.O_RDONLY);
  try {
    requireSize((await handle.stat()).size, maxSize, realPath);
    const data = await handle.readFile();
    // It may have grown since.
    requireSize(data.length, maxSize, realPath);
    return data;
  } finally {
    await handle.close();
  }
}

/** Makes or overwrites a file, checked as {@link openConfined} does; with `mustBeNew`, fails with EEXIST when there is one. */
export async function writeConfined(realPath: string, data: string | Uint8Array, mustBeNew: boolean): Promise<void> {
  const handle = await openConfined(realPath, constants.O_WRONLY | constants.O_CREAT | (mustBeNew ? constants.O_EXCL : 0));
  try {
    // Emptied only now that it is known to be the right file.
    await handle.truncate();
    await handle.writeFile(data);
  } finally {
    await handle.close();
  }
}

export function requireSize(size: number, maxSize: number, path: string): void {
  if (size > maxSize) throw new RpcError(ErrorCode.InvalidParams, `${path} has ${size} bytes; at most ${maxSize} are possible here`);
}

/** Failures of the file system as the protocol's errors; {@link RpcError}s as they are. */
export async function asProtocolErrors<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const code = byErrno[(error as NodeJS.ErrnoException).code ?? ''];
    throw new RpcError(code ?? ErrorCode.InternalError, `${what}: ${messageOf(error)}`);
  }
}

const byErrno: Readonly<Record<string, ErrorCode>> = {
  ENOENT: ErrorCode.NotFound,
  ENOTDIR: ErrorCode.NotFound,
  EISDIR: ErrorCode.NotFound,
  // Opening a socket, or a pipe that nobody reads.
  ENXIO: ErrorCode.NotFound,
  EACCES: ErrorCode.PermissionDenied,
  EPERM: ErrorCode.PermissionDenied,
  EROFS: ErrorCode.PermissionDenied,
  ELOOP: ErrorCode.PermissionDenied,
  EEXIST: ErrorCode.AlreadyExists,
  ENOTEMPTY: ErrorCode.AlreadyExists,
  ENAMETOOLONG: ErrorCode.InvalidParams,
};

async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    if (await exists(path)) throw new RpcError(ErrorCode.PermissionDenied, `${path} is a link that leads nowhere`);
    const parent = dirname(path);
    if (parent === path) throw error;
    return join(await realPlace(parent), basename(path));
  }
}

async function requireInside(real: string, asked: string, roots: readonly string[]): Promise<void> {
  const inside = (await realRoots(roots)).some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));
  if (!inside) throw new RpcError(ErrorCode.PermissionDenied, `${asked} is outside the folders of this host's sessions`);
}

async function realRoots(roots: readonly string[]): Promise<string[]> {
  const found = await Promise.allSettled(roots.map((root) => realpath(root)));
  // A session's folder may be gone while the session is listed; then there is nothing below it.
  return found.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Links count as what they are, not as what they lead to. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

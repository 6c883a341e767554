/**
 * Paths that may be accessed: those whose real path is below a root. Symbolic links are resolved before the check, and an opened file is
 * checked again, because a link may have been added in between.
 */
import { constants } from 'node:fs';
import { lstat, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { NotThatFile, openExactly } from '../../base/node/openExactly.ts';

/**
 * The real path of `path`. If it does not exist, its nearest existing parent decides. Throws PermissionDenied when the path is outside the
 * roots, whether or not it exists, so that nothing can be found out about it, and for a link without a target.
 */
export async function confined(path: string, roots: readonly string[]): Promise<string> {
  const real = await realPlace(path);
  await requireInside(real, path, roots);
  return real;
}

/** Like {@link confined}, but does not follow a link at the end of the path. */
export async function confinedEntry(path: string, roots: readonly string[]): Promise<string> {
  const entry = join(await realPlace(dirname(path)), basename(path));
  await requireInside(entry, path, roots);
  return entry;
}

/** True for a path, real or not, that is a root. Roots may be used, but not deleted or moved. */
export async function isRoot(realPath: string, roots: readonly string[]): Promise<boolean> {
  return (await realRoots(roots)).includes(realPath);
}

/** Opens a regular file at a path that {@link confined} returned, as {@link openExactly} does. The caller closes the handle. */
export async function openConfined(realPath: string, flags: number): Promise<FileHandle> {
  try {
    return await openExactly(realPath, flags);
  } catch (error) {
    if (!(error instanceof NotThatFile)) throw error;
    throw new RpcError(error.why === 'replaced' ? ErrorCode.PermissionDenied : ErrorCode.NotFound, error.message);
  }
}

/** The content of a regular file, checked like {@link openConfined}. Throws InvalidParams above `maxSize` bytes. */
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

/** Creates or overwrites a file, checked like {@link openConfined}. With `mustBeNew` it fails with EEXIST when the file exists. */
export async function writeConfined(realPath: string, data: string | Uint8Array, mustBeNew: boolean): Promise<void> {
  const handle = await openConfined(realPath, constants.O_WRONLY | constants.O_CREAT | (mustBeNew ? constants.O_EXCL : 0));
  try {
    // Truncated only after the checks.
    await handle.truncate();
    await handle.writeFile(data);
  } finally {
    await handle.close();
  }
}

export function requireSize(size: number, maxSize: number, path: string): void {
  if (size > maxSize) throw new RpcError(ErrorCode.InvalidParams, `${path} has ${size} bytes; at most ${maxSize} are possible here`);
}

/** Converts errors of the file system to errors of the protocol. Returns {@link RpcError}s unchanged. */
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
  // Opening a socket, or a pipe that no process reads.
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
  // The folder of a listed session may have been deleted. Then there is nothing in it.
  return found.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Does not follow links. */
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

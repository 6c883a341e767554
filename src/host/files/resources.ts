/**
 * The `resource…` commands, for files below the working directories of sessions and the workspace roots, and for contents of the host's
 * store (read only). Errors are those of the protocol: NotFound, PermissionDenied (outside the roots, or denied by the system),
 * AlreadyExists, and InvalidParams for other URIs, for content that is too large, and for requests that make no sense.
 */
import { constants } from 'node:fs';
import { cp, link, lstat, mkdir, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CommandParams, CommandResult, ResolvedResource } from '../../ahp/channels/commands.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import {
  asProtocolErrors,
  confined,
  confinedEntry,
  isRoot,
  openConfined,
  readConfined,
  requireSize,
  writeConfined,
} from './confinedPath.ts';
import { CONTENT_SCHEME, type Contents } from './contentStore.ts';
import { contentTypeOf } from './contentType.ts';
import { utf8Of } from '../../base/text/utf8.ts';

/** Bytes of one resource, for reading and writing. */
const MAX_SIZE = 32 * 1024 * 1024;
const COPY_BUFFER = 256 * 1024;

type Empty = Record<string, never>;
type Transfer = Pick<CommandParams<'resourceMove'>, 'source' | 'destination' | 'failIfExists'>;
type ReadResult = CommandResult<'resourceRead'>;
type Encoding = ReadResult['encoding'];
type DirectoryEntry = CommandResult<'resourceList'>['entries'][number];

export interface ResourcesOptions {
  /** The roots at present. */
  roots: () => readonly string[];
  contents: Contents;
  /** Bytes of one resource, for reading and writing. */
  maxSize?: number;
}

export class Resources {
  readonly #contents: Contents;
  readonly #maxSize: number;
  readonly #rootsNow: () => readonly string[];

  constructor(options: ResourcesOptions) {
    this.#contents = options.contents;
    this.#maxSize = options.maxSize ?? MAX_SIZE;
    this.#rootsNow = options.roots;
  }

  /** Text as UTF-8, anything else as base64. A requested encoding is used, except that content which is not text is never sent as text. */
  async read(params: Pick<CommandParams<'resourceRead'>, 'uri' | 'encoding'>): Promise<ReadResult> {
    const encoding = params.encoding === undefined ? undefined : checkedEncoding(params.encoding);
    if (typeof params.uri === 'string' && params.uri.startsWith(`${CONTENT_SCHEME}:`)) {
      const content = this.#content(params.uri);
      return encode(content.data, encoding, () => content.contentType);
    }
    const path = pathOf(params.uri);
    return await asProtocolErrors(`reading ${path}`, async () => {
      const data = await readConfined(await confined(path, this.#rootsNow()), this.#maxSize);
      return encode(data, encoding, (isText) => contentTypeOf(path, data, isText));
    });
  }

  /** Creates or overwrites a file, and creates missing parents. */
  async write(params: Pick<CommandParams<'resourceWrite'>, 'uri' | 'data' | 'encoding' | 'createOnly'>): Promise<Empty> {
    const path = pathOf(params.uri);
    const data = decode(params.data, checkedEncoding(params.encoding));
    requireSize(data.length, this.#maxSize, path);
    return await asProtocolErrors(`writing ${path}`, async () => {
      const roots = this.#rootsNow();
      const real = await confined(path, roots);
      await makeParents(real, roots);
      await writeConfined(real, data, params.createOnly === true);
      return {};
    });
  }

  /** Sorted by name. A link counts as its target, where that may be read. Whatever is not a folder counts as a file. */
  async list(params: { uri: URI }): Promise<{ entries: DirectoryEntry[] }> {
    const path = pathOf(params.uri);
    return await asProtocolErrors(`listing ${path}`, async () => {
      const roots = this.#rootsNow();
      const real = await confined(path, roots);
      const found = await readdir(real, { withFileTypes: true });
      const entries = await Promise.all(
        found.map(async (entry): Promise<DirectoryEntry> => {
          const isDirectory = entry.isSymbolicLink() ? await leadsToDirectory(join(real, entry.name), roots) : entry.isDirectory();
          return { name: entry.name, type: isDirectory ? 'directory' : 'file' };
        }),
      );
      return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    });
  }

  /** What is there. With `followSymlinks: false` a link at the end of the path is not followed. */
  async resolve({ uri, followSymlinks = true }: { uri: URI; followSymlinks?: boolean | undefined }): Promise<ResolvedResource> {
    if (uri.startsWith(`${CONTENT_SCHEME}:`)) {
      const { data, contentType } = this.#content(uri);
      return { uri, type: 'file', size: data.length, contentType };
    }
    const path = pathOf(uri);
    return await asProtocolErrors(`looking at ${path}`, async () => {
      const real = await (followSymlinks ? confined : confinedEntry)(path, this.#rootsNow());
      const found = await lstat(real);
      return {
        uri: pathToFileURL(real).href,
        type: found.isDirectory() ? 'directory' : found.isSymbolicLink() ? 'symlink' : 'file',
        size: found.size,
        mtime: found.mtime.toISOString(),
        ctime: found.ctime.toISOString(),
      };
    });
  }

  /** Creates missing parents too. A folder that is there stays as it is. */
  async makeDirectory({ uri }: { uri: URI }): Promise<Empty> {
    const path = pathOf(uri);
    return await asProtocolErrors(`making the folder ${path}`, async () => {
      const roots = this.#rootsNow();
      const real = await confined(path, roots);
      await makeParents(real, roots);
      await mkdir(real).catch(async (error: unknown) => {
        if (!(await lstat(real)).isDirectory()) throw error;
      });
      return {};
    });
  }

  /** Copies files, and folders with everything in them. Links inside a folder stay links. */
  async copy(params: Transfer): Promise<Empty> {
    const [sourcePath, destinationPath] = [pathOf(params.source), pathOf(params.destination)];
    return await asProtocolErrors(`copying ${sourcePath} to ${destinationPath}`, async () => {
      const roots = this.#rootsNow();
      const [source, destination] = [await confined(sourcePath, roots), await confined(destinationPath, roots)];
      requireApart(source, destination);
      const isFile = await transferredKind(source, destination, params.failIfExists === true);
      await makeParents(destination, roots);
      if (isFile) await copyConfined(source, destination, params.failIfExists === true);
      else
        await cp(source, destination, {
          recursive: true,
          verbatimSymlinks: true,
          errorOnExist: params.failIfExists === true,
          force: params.failIfExists !== true,
        });
      return {};
    });
  }

  /** Deletes a link itself and never its target. A folder that is not empty needs `recursive`. */
  async delete(params: Pick<CommandParams<'resourceDelete'>, 'uri' | 'recursive'>): Promise<Empty> {
    const path = pathOf(params.uri);
    return await asProtocolErrors(`deleting ${path}`, async () => {
      const roots = this.#rootsNow();
      const entry = await confinedEntry(path, roots);
      await requireNoRoot(entry, roots);
      if (!(await lstat(entry)).isDirectory()) await unlink(entry);
      else if (params.recursive === true) await rm(entry, { recursive: true });
      else await removeEmpty(entry, path);
      return {};
    });
  }

  async move(params: Transfer): Promise<Empty> {
    const [sourcePath, destinationPath] = [pathOf(params.source), pathOf(params.destination)];
    return await asProtocolErrors(`moving ${sourcePath} to ${destinationPath}`, async () => {
      const roots = this.#rootsNow();
      const [source, destination] = [await confinedEntry(sourcePath, roots), await confinedEntry(destinationPath, roots)];
      await requireNoRoot(source, roots);
      requireApart(source, destination);
      const isFile = await transferredKind(source, destination, params.failIfExists === true);
      await makeParents(destination, roots);
      if (isFile && params.failIfExists === true) {
        // A hard link fails when the name exists, even if it was created meanwhile. A rename would replace it.
        await link(source, destination);
        await unlink(source);
      } else {
        await rename(source, destination);
      }
      return {};
    });
  }

  #content(uri: URI) {
    const content = this.#contents.read(uri);
    if (!content) throw new RpcError(ErrorCode.NotFound, `there is no content ${uri} (any more)`);
    return content;
  }
}

/** The path of a `file:` URI of this computer. */
function pathOf(uri: unknown): string {
  if (typeof uri !== 'string' || !uri.startsWith('file:')) throw new RpcError(ErrorCode.InvalidParams, `${String(uri)} is not a file URI`);
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch (error) {
    throw new RpcError(ErrorCode.InvalidParams, `${uri}: ${messageOf(error)}`);
  }
  if (path.includes('\0')) throw new RpcError(ErrorCode.InvalidParams, `${uri} holds a null character`);
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}

function checkedEncoding(encoding: unknown): Encoding {
  if (encoding !== 'base64' && encoding !== 'utf-8') throw new RpcError(ErrorCode.InvalidParams, 'encoding must be base64 or utf-8');
  return encoding;
}

function encode(data: Uint8Array, asked: Encoding | undefined, contentType: (isText: boolean) => string): ReadResult {
  const text = utf8Of(data);
  const type = contentType(text !== undefined);
  return text === undefined || asked === 'base64'
    ? { data: Buffer.from(data).toString('base64'), encoding: 'base64', contentType: type }
    : { data: text, encoding: 'utf-8', contentType: type };
}

function decode(data: unknown, encoding: Encoding): Buffer {
  if (typeof data !== 'string') throw new RpcError(ErrorCode.InvalidParams, 'data must be a string');
  if (encoding === 'utf-8') return Buffer.from(data, 'utf8');
  // Buffer skips characters that are not base64. They would be missing in the file.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data) || data.length % 4 === 1) throw new RpcError(ErrorCode.InvalidParams, 'data is not base64');
  return Buffer.from(data, 'base64');
}

async function makeParents(real: string, roots: readonly string[]): Promise<void> {
  // The parent of a root is not below any root.
  if (await isRoot(real, roots)) return;
  const parent = dirname(real);
  try {
    await mkdir(parent, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new RpcError(ErrorCode.NotFound, `${parent} is not a folder`);
  }
  if ((await confined(parent, roots)) !== parent) throw new RpcError(ErrorCode.PermissionDenied, `${parent} was replaced by a link`);
}

/** Copies content and mode of one file. Both files are checked after they were opened. */
async function copyConfined(source: string, destination: string, mustBeNew: boolean): Promise<void> {
  const from = await openConfined(source, constants.O_RDONLY);
  try {
    const to = await openConfined(destination, constants.O_WRONLY | constants.O_CREAT | (mustBeNew ? constants.O_EXCL : 0));
    try {
      const [given, there] = [await from.stat({ bigint: true }), await to.stat({ bigint: true })];
      // Both names belong to the same file. Truncating it would lose the content.
      if (given.dev === there.dev && given.ino === there.ino) return;
      await to.truncate();
      const buffer = Buffer.alloc(COPY_BUFFER);
      for (;;) {
        const { bytesRead } = await from.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0) break;
        // Without a position, writeFile continues at the end of the last one.
        await to.writeFile(buffer.subarray(0, bytesRead));
      }
      await to.chmod(Number(given.mode & 0o777n));
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** True for a file, false for a folder. Rejects when the destination is of the other kind, or exists and must be new. */
async function transferredKind(source: string, destination: string, mustBeNew: boolean): Promise<boolean> {
  const kind = await lstat(source);
  if (!kind.isDirectory() && !kind.isFile() && !kind.isSymbolicLink())
    throw new RpcError(ErrorCode.NotFound, `${source} is neither a file nor a folder`);
  let there;
  try {
    there = await lstat(destination);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  if (there && (mustBeNew || there.isDirectory() !== kind.isDirectory()))
    throw new RpcError(ErrorCode.AlreadyExists, `${destination} exists already`);
  return !kind.isDirectory();
}

function requireApart(source: string, destination: string): void {
  if (
    source === destination ||
    `${destination}${sep}`.startsWith(`${source}${sep}`) ||
    `${source}${sep}`.startsWith(`${destination}${sep}`)
  )
    throw new RpcError(ErrorCode.InvalidParams, 'one of source and destination lies in the other');
}

async function requireNoRoot(entry: string, roots: readonly string[]): Promise<void> {
  if (await isRoot(entry, roots)) throw new RpcError(ErrorCode.PermissionDenied, `${entry} is the folder of a session`);
}

async function removeEmpty(entry: string, path: string): Promise<void> {
  try {
    await rmdir(entry);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    throw new RpcError(ErrorCode.InvalidParams, `${path} is not empty; deleting it needs recursive`);
  }
}

async function leadsToDirectory(linkPath: string, roots: readonly string[]): Promise<boolean> {
  try {
    return (await stat(await confined(linkPath, roots))).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Outside the roots, or without a target: nothing is told about the target.
    if (error instanceof RpcError || code === 'ENOENT' || code === 'EACCES' || code === 'ELOOP') return false;
    throw error;
  }
}

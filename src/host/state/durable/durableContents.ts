/**
 * Contents of sessions as files in their folders: a line with the content type, then the bytes. A content that several sessions use is one
 * file with several hard links.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ContentRef, URI } from '../../../ahp/common/shapes.ts';
import { CONTENT_SCHEME, type Contents, type StoredContent } from '../../files/contentStore.ts';
import { replaceFile } from '../../../base/node/wholeFile.ts';

/** Bytes for each session. */
const DEFAULT_LIMIT = 256 * 1024 * 1024;
const FOLDER = 'contents';
const NEWLINE = 10;

interface Usage {
  size: number;
  /** Names and sizes, oldest first. */
  files: Map<string, number>;
}

export class DurableContents implements Contents {
  /** By session, for sessions that stored something in this run. */
  readonly #usage = new Map<URI, Usage>();

  constructor(
    private readonly archive: { readonly folder: string; folderOf(session: URI): string },
    private readonly limit = DEFAULT_LIMIT,
  ) {}

  /** Throws when it cannot be written. When a session exceeds the limit, its oldest contents are deleted. */
  put(session: URI, data: string | Uint8Array, contentType: string): ContentRef {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    if (bytes.length > this.limit) throw new RangeError(`content of ${bytes.length} bytes is more than the host keeps (${this.limit})`);
    const uri = this.#add(session, (path) =>
      replaceFile(path, Buffer.concat([Buffer.from(`${JSON.stringify({ contentType })}\n`), bytes]), { sync: false }),
    );
    return { uri, sizeHint: bytes.length, contentType };
  }

  /** Throws like {@link put}. */
  share(uri: URI, session: URI): URI | undefined {
    const source = this.#pathOf(uri);
    if (source === undefined || !existsSync(source)) return undefined;
    return this.#add(session, (path) => linkOrCopy(source, path));
  }

  read(uri: URI): StoredContent | undefined {
    const path = this.#pathOf(uri);
    if (path === undefined) return undefined;
    let data: Buffer;
    try {
      data = readFileSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const end = data.indexOf(NEWLINE);
    const { contentType } = JSON.parse(data.toString('utf8', 0, end)) as { contentType: string };
    return { data: data.subarray(end + 1), contentType };
  }

  drop(uri: URI, session: URI): void {
    const path = this.#pathOf(uri);
    const usage = this.#usage.get(session);
    if (path === undefined || basename(this.archive.folderOf(session)) !== basename(dirname(dirname(path)))) return;
    rmSync(path, { force: true });
    if (!usage) return;
    usage.size -= usage.files.get(basename(path)) ?? 0;
    usage.files.delete(basename(path));
  }

  /** The files are deleted with the session's folder. */
  disposeOfSession(session: URI): void {
    this.#usage.delete(session);
  }

  /** Undefined for URIs of other kinds. */
  #pathOf(uri: URI): string | undefined {
    // Only these two names of the URI are used in the path.
    const [, sessionName, name] = /^[a-z-]+:\/([0-9a-f]{32})\/([0-9a-f-]{36})$/.exec(uri) ?? [];
    return sessionName && name && join(this.archive.folder, sessionName, FOLDER, name);
  }

  /** Lets `write` create a new file of the session. Returns its URI. */
  #add(session: URI, write: (path: string) => void): URI {
    const sessionFolder = this.archive.folderOf(session);
    const folder = join(sessionFolder, FOLDER);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = randomUUID();
    write(join(folder, name));
    this.#count(session, folder, name);
    return `${CONTENT_SCHEME}:/${basename(sessionFolder)}/${name}`;
  }

  #count(session: URI, folder: string, name: string): void {
    const usage = this.#usage.get(session) ?? earlierUsage(folder, name);
    const { size } = statSync(join(folder, name));
    this.#usage.set(session, usage);
    usage.files.set(name, size);
    usage.size += size;
    for (const [oldest, oldestSize] of usage.files) {
      if (usage.size <= this.limit || oldest === name) break;
      rmSync(join(folder, oldest), { force: true });
      usage.files.delete(oldest);
      usage.size -= oldestSize;
    }
  }
}

/** Needs no space where the file system has hard links. */
function linkOrCopy(source: string, path: string): void {
  try {
    linkSync(source, path);
  } catch {
    copyFileSync(source, path); // This throws the error where the hard link was not the problem.
  }
}

/** What earlier runs left, without `newest`, which is being added. */
function earlierUsage(folder: string, newest: string): Usage {
  const files = readdirSync(folder)
    .filter((name) => name !== newest)
    .map((name) => ({ name, stats: statSync(join(folder, name)) }))
    .sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs);
  return {
    size: files.reduce((sum, { stats }) => sum + stats.size, 0),
    files: new Map(files.map(({ name, stats }) => [name, stats.size])),
  };
}

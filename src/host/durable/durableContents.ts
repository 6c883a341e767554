/** Contents of sessions as files of their folders: a line with the type, then the bytes. They live as long as their session. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ContentRef, URI } from '../../ahp/v1/common.ts';
import { CONTENT_SCHEME, type Contents, type StoredContent } from '../contentStore.ts';
import { replaceFile } from './wholeFile.ts';

/** Bytes of one session. */
const DEFAULT_LIMIT = 256 * 1024 * 1024;
const FOLDER = 'contents';
const NEWLINE = 10;

interface Usage {
  size: number;
  /** Names and sizes, oldest first. */
  files: Map<string, number>;
}

export class DurableContents implements Contents {
  /** By session, of those that stored something in this run. */
  readonly #usage = new Map<URI, Usage>();

  constructor(
    private readonly archive: { readonly folder: string; folderOf(session: URI): string },
    private readonly limit = DEFAULT_LIMIT,
  ) {}

  /** Throws when it cannot be written. When a session has more than the limit, its oldest contents go. */
  put(session: URI, data: string | Uint8Array, contentType: string): ContentRef {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    if (bytes.length > this.limit) throw new RangeError(`content of ${bytes.length} bytes is more than the host keeps (${this.limit})`);
    const sessionFolder = this.archive.folderOf(session);
    const folder = join(sessionFolder, FOLDER);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = randomUUID();
    replaceFile(join(folder, name), Buffer.concat([Buffer.from(`${JSON.stringify({ contentType })}\n`), bytes]), { sync: false });
    this.#count(session, folder, name, bytes.length);
    return { uri: `${CONTENT_SCHEME}:/${basename(sessionFolder)}/${name}`, sizeHint: bytes.length, contentType };
  }

  read(uri: URI): StoredContent | undefined {
    // Nothing of the URI but these two names comes into the path.
    const [, sessionName, name] = /^[a-z-]+:\/([0-9a-f]{32})\/([0-9a-f-]{36})$/.exec(uri) ?? [];
    if (sessionName === undefined || name === undefined) return undefined;
    let data: Buffer;
    try {
      data = readFileSync(join(this.archive.folder, sessionName, FOLDER, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const end = data.indexOf(NEWLINE);
    const { contentType } = JSON.parse(data.toString('utf8', 0, end)) as { contentType: string };
    return { data: data.subarray(end + 1), contentType };
  }

  /** Their files go with the session's folder. */
  disposeOfSession(session: URI): void {
    this.#usage.delete(session);
  }

  #count(session: URI, folder: string, name: string, size: number): void {
    const usage = this.#usage.get(session) ?? earlierUsage(folder, name);
    this.#usage.set(session, usage);
    usage.files.set(name, size);
    usage.size += size;
    for (const [oldest, oldestSize] of usage.files) {
      if (usage.size <= this.limit) break;
      rmSync(join(folder, oldest), { force: true });
      usage.files.delete(oldest);
      usage.size -= oldestSize;
    }
  }
}

/** What earlier runs left; without `newest`, which is being added. */
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

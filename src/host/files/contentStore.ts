/**
 * Content that sessions refer to and do not hold in their state, such as both sides of file edits and large results. It is deleted with the
 * last session that it belongs to. Anyone who has a URI may read it, so URIs cannot be guessed.
 */
import { randomUUID } from 'node:crypto';
import { sha256 } from '../../base/node/sha256.ts';
import type { ContentRef, URI } from '../../ahp/common/shapes.ts';

export const CONTENT_SCHEME = 'tapline-content';

export interface StoredContent {
  data: Uint8Array;
  contentType: string;
}

export interface Contents {
  /** Keeps a copy. When there is too much content, the oldest is dropped. Throws a RangeError for a content that is too large by itself. */
  put(session: URI, data: string | Uint8Array, contentType: string): ContentRef;
  read(uri: URI): StoredContent | undefined;
  /** Makes the content belong to this session too. Returns the URI for it there, or undefined when it does not exist any more. */
  share(uri: URI, session: URI): URI | undefined;
  /** The session needs the content no more. */
  drop(uri: URI, session: URI): void;
  disposeOfSession(session: URI): void;
}

/** Copies a JSON value of another session, and makes the contents in it belong to this session too. */
export function withContents<T>(value: T, session: URI, contents: Contents): T {
  const shared = new Map<URI, URI>();
  const share = (uri: URI) => {
    const own = shared.get(uri) ?? contents.share(uri, session) ?? uri;
    shared.set(uri, own);
    return own;
  };
  const isContent = (key: string, value: unknown): value is URI =>
    key === 'uri' && typeof value === 'string' && value.startsWith(`${CONTENT_SCHEME}:`);
  return JSON.parse(JSON.stringify(value), (key, value: unknown) => (isContent(key, value) ? share(value) : value)) as T;
}

/** Bytes of all sessions together. */
const DEFAULT_LIMIT = 256 * 1024 * 1024;

/** In memory. */
export class ContentStore implements Contents {
  /** Oldest first. */
  readonly #contents = new Map<URI, StoredContent & { sessions: Set<URI> }>();
  #size = 0;

  constructor(private readonly limit = DEFAULT_LIMIT) {}

  /**
   * Keeps a copy. When all content exceeds the limit, the oldest is dropped. Throws a RangeError for a content that exceeds it by itself.
   */
  put(session: URI, data: string | Uint8Array, contentType: string): ContentRef {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data);
    if (bytes.length > this.limit) throw new RangeError(`content of ${bytes.length} bytes is more than the host keeps (${this.limit})`);
    const folder = sha256(session).slice(0, 16);
    const uri = `${CONTENT_SCHEME}:/${folder}/${randomUUID()}`;
    this.#contents.set(uri, { sessions: new Set([session]), data: bytes, contentType });
    this.#size += bytes.length;
    for (const oldest of this.#contents.keys()) {
      if (this.#size <= this.limit) break;
      this.#delete(oldest);
    }
    return { uri, sizeHint: bytes.length, contentType };
  }

  read(uri: URI): StoredContent | undefined {
    const content = this.#contents.get(uri);
    return content && { data: content.data, contentType: content.contentType };
  }

  share(uri: URI, session: URI): URI | undefined {
    const content = this.#contents.get(uri);
    content?.sessions.add(session);
    return content && uri;
  }

  drop(uri: URI, session: URI): void {
    const sessions = this.#contents.get(uri)?.sessions;
    if (sessions?.delete(session) && sessions.size === 0) this.#delete(uri);
  }

  disposeOfSession(session: URI): void {
    for (const uri of this.#contents.keys()) this.drop(uri, session);
  }

  #delete(uri: URI): void {
    this.#size -= this.#contents.get(uri)?.data.length ?? 0;
    this.#contents.delete(uri);
  }
}

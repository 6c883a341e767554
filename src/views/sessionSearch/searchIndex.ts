/** What was said in sessions, in memory, for the search. */
import { plainLine, type Saying } from './sayings.ts';

/** In characters, of one session. What was said last is kept. */
export const MAX_SESSION = 400_000;
/** In characters, of all sessions. */
const MAX_ALL = 20_000_000;
/** Of a search. In characters. */
const MAX_QUERY = 200;
/** Characters of the line before and after a match. */
const BEFORE = 30;
const AFTER = 120;

interface Entry {
  readonly modifiedAt: string | undefined;
  readonly sayings: readonly Saying[];
  readonly size: number;
}

export class SearchIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #limits: { readonly session: number; readonly all: number };
  #size = 0;

  constructor(limits: { session: number; all: number } = { session: MAX_SESSION, all: MAX_ALL }) {
    this.#limits = limits;
  }

  /** Nothing more is taken up until something is forgotten. */
  get isFull(): boolean {
    return this.#size >= this.#limits.all;
  }

  /** `modifiedAt`: of the session when it was read. */
  has(key: string, modifiedAt: string): boolean {
    return this.#entries.get(key)?.modifiedAt === modifiedAt;
  }

  /** Replaces what is known of the session. `modifiedAt`: undefined where only a part of it could be read. */
  set(key: string, modifiedAt: string | undefined, sayings: Iterable<Saying>): void {
    this.delete(key);
    const room = Math.min(this.#limits.session, this.#limits.all - this.#size);
    const kept: Saying[] = [];
    let size = 0;
    for (const saying of sayings) {
      if (size + saying.text.length > room) break;
      kept.push(saying);
      size += saying.text.length;
    }
    this.#entries.set(key, { modifiedAt, sayings: kept, size });
    this.#size += size;
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  /** Forgets the others. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of [...this.#entries.keys()]) if (!keys.has(key)) this.delete(key);
  }

  /** What was said last of what has the words, which are those of {@link searchWords}. */
  find(key: string, words: string): { saying: Saying; line: string } | undefined {
    for (const saying of this.#entries.get(key)?.sayings ?? []) {
      // In a few languages the lower case is longer than the text. The line begins a little later then.
      const index = saying.text.toLowerCase().indexOf(words);
      if (index >= 0) return { saying, line: lineAround(saying.text, index, words.length) };
    }
    return undefined;
  }
}

/** In lower case, and plain as what was said is. Undefined where there is nothing to search for. */
export function searchWords(query: string): string | undefined {
  return plainLine(query.slice(0, MAX_QUERY)).toLowerCase() || undefined;
}

function lineAround(text: string, index: number, length: number): string {
  const start = Math.max(0, index - BEFORE);
  const end = Math.min(text.length, index + length + AFTER);
  // Half a surrogate pair at an end would be shown as a box.
  const cut = text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
}

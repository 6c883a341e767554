/** A folder of Markdown notes as a provider: notes about a file are its items, and every note can be mentioned. */
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { matchesPaths } from '../../openctx/matching/selectors.ts';
import type { Item, Mention } from '../../openctx/protocol/later.ts';
import type { Position, Range, Resource } from '../../openctx/protocol/messages.ts';
import type { MentionQuery, ResourceItem, ServedProvider } from '../servedProvider.ts';
import { NotesFolder, type StoredNote } from './notesFolder.ts';

const MAX_MENTIONS = 50;
/** Places of one note in a document. */
const MAX_PLACES = 20;
const MAX_ITEMS = 1_000;
/** Characters of all items of an answer, which clients cap. */
const MAX_TEXT = 2_000_000;
/** Characters. A hover shows the beginning of a note. */
const MAX_HOVER = 4_000;

export class NotesProvider implements ServedProvider {
  readonly name: string;
  readonly path = 'notes';
  readonly #folder: NotesFolder;
  /** With a slash at the end: what globs are relative to, beside the root of all. */
  readonly #roots: readonly string[];

  /** `folder`: its real path. */
  constructor(
    folder: string,
    private readonly logger: Logger,
  ) {
    this.name = `Notes in ${basename(folder)}`;
    this.#folder = new NotesFolder(folder, logger);
    this.#roots = [folder, dirname(folder)].map((one) => decoded(pathToFileURL(one).pathname).replace(/\/?$/, '/'));
  }

  /** Says in the log what is wrong with notes. Rejects when the folder cannot be read. */
  async read(): Promise<void> {
    await this.#folder.notes();
  }

  async itemsOf(resource: Resource): Promise<ResourceItem[]> {
    const items: ResourceItem[] = [];
    let room = MAX_TEXT;
    let starts: number[] | undefined;
    const lines = () => (starts ??= lineStarts(resource.content));
    for (const note of await this.#folder.notes()) {
      if (!this.#isAbout(note, resource)) continue;
      const { ai, ...shown } = itemOf(note);
      const [first, ...others] = placesOf(note.contains, resource.content, lines);
      // A model reads it once.
      const found = [{ ...shown, ai, ...(first && { range: first }) }, ...others.map((range) => ({ ...shown, range }))];
      for (const item of found) {
        room -= JSON.stringify(item).length;
        if (room < 0 || items.length === MAX_ITEMS) return items;
        items.push(item);
      }
    }
    return items;
  }

  async mentions({ query = '' }: MentionQuery): Promise<Mention[]> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = (await this.#folder.notes()).filter(({ title, path }) => {
      const text = `${title} ${path}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return found.slice(0, MAX_MENTIONS).map(({ title, path, file }) => ({ title, description: path, uri: pathToFileURL(file).href }));
  }

  /** Only what is a note: a client cannot have other files read. */
  async itemsOfMention({ uri }: Mention): Promise<Item[]> {
    const note = (await this.#folder.notes()).find(({ file }) => pathToFileURL(file).href === uri);
    if (!note) throw new UserError(`There is no note ${JSON.stringify(uri)}.`);
    return [itemOf(note)];
  }

  #isAbout({ selectors, contains, path }: StoredNote, resource: Resource): boolean {
    if (selectors.length === 0 || (contains.length > 0 && !contains.some((text) => resource.content.includes(text)))) return false;
    try {
      return matchesPaths(selectors, this.#pathsOf(resource.uri), resource.content);
    } catch (error) {
      this.logger.warn(`${path}: ${(error as Error).message}`);
      return false;
    }
  }

  /** As it is encoded, as it is read, and from the folder of the notes and the one around it. */
  #pathsOf(uri: string): string[] {
    const { protocol, pathname } = new URL(uri);
    const path = decoded(pathname);
    const roots = protocol === 'file:' ? this.#roots.filter((root) => path.startsWith(root)) : [];
    return [...new Set([pathname, path, ...roots.map((root) => path.slice(root.length))])];
  }
}

/** A percent sign may stand for itself. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function itemOf({ title, text }: StoredNote) {
  const body = text.trim();
  const isCut = body.length > MAX_HOVER;
  return {
    title,
    ui: { hover: { markdown: isCut ? `${body.slice(0, MAX_HOVER)}…` : body } },
    ai: { content: body },
  } satisfies Item;
}

/** Where one of the texts is, at most one a line, in the order of the document. */
function placesOf(texts: readonly string[], content: string, lines: () => readonly number[]): Range[] {
  const found = texts.flatMap((text) => {
    const places: { at: number; length: number }[] = [];
    for (let at = content.indexOf(text); at >= 0 && places.length < MAX_PLACES; at = content.indexOf(text, at + text.length))
      places.push({ at, length: text.length });
    return places;
  });
  const ranges: Range[] = [];
  for (const { at, length } of found.sort((a, b) => a.at - b.at)) {
    const start = positionAt(lines(), at);
    if (start.line !== ranges.at(-1)?.start.line) ranges.push({ start, end: positionAt(lines(), at + length) });
    if (ranges.length === MAX_PLACES) break;
  }
  return ranges;
}

/** Where lines begin. */
function lineStarts(content: string): number[] {
  return [0, ...Array.from(content.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length)];
}

function positionAt(starts: readonly number[], offset: number): Position {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - (starts[low] ?? 0) };
}

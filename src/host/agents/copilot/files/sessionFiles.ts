/** The files that the engine's tools change: what a change would do, what it did, and what the session has changed so far. */
import { readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FileEdit, FileEditSide } from '../../../../ahp/common/shapes.ts';
import { lineCounts } from '../../../../base/text/lineChanges.ts';
import { utf8Of } from '../../../../base/text/utf8.ts';
import type { AgentChatHost } from '../../agent.ts';
import type { ChangedFile } from './workTree.ts';

/** Bytes of a file up to which its content is kept for comparison. */
const MAX_SIZE = 4 * 1024 * 1024;
/** Files in the session's changes, above which changes by commands are not added. */
const MAX_CHANGES = 500;

/** One side of a change. `text` is absent for binary or large content. */
interface Content {
  side: FileEditSide;
  text: string | undefined;
}
interface Change {
  uri: string;
  before: Content | undefined;
  after: Content | undefined;
}
export interface PlannedChange {
  path: string;
  before: Content | undefined;
  edit: FileEdit;
}

export class SessionFiles {
  /** The original content of each changed file, by URI. `undefined`: the file did not exist. It stays when a file is as it was. */
  readonly #first = new Map<string, Content | undefined>();

  constructor(private readonly host: Pick<AgentChatHost, 'changes' | 'setChanges' | 'storeContent' | 'readContent'>) {}

  /** What a write would do. Nothing is changed. */
  async plan(path: string, newText: string | undefined): Promise<PlannedChange> {
    const before = await this.#read(path);
    const after = newText === undefined ? undefined : this.#keep(path, newText);
    return { path, before, edit: editOf(before, after) };
  }

  /** What the finished write really did. Undefined when it changed nothing. */
  async done({ path, before }: PlannedChange): Promise<FileEdit | undefined> {
    const after = await this.#read(path);
    if (isSame(before, after)) return undefined;
    await this.#record([{ uri: pathToFileURL(path).href, before, after }]);
    return editOf(before, after);
  }

  /** Files that a command changed. */
  async changed(files: readonly ChangedFile[]): Promise<void> {
    const changes: Change[] = [];
    for (const { path, before: bytes } of files) {
      const text = bytes instanceof Uint8Array ? utf8Of(bytes) : undefined;
      const after = await this.#read(path);
      if (text !== undefined && text === after?.text) continue;
      const before = bytes === undefined ? undefined : text === undefined ? this.#unread(path) : this.#keep(path, text);
      if (before || after) changes.push({ uri: pathToFileURL(path).href, before, after });
    }
    const shown = new Set(this.host.changes.map(uriOf));
    let room = MAX_CHANGES - shown.size;
    await this.#record(changes.filter(({ uri }) => shown.has(uri) || room-- > 0));
  }

  /** Updates the session's changes with the original and the current content of each file. */
  async #record(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    const edits: FileEdit[] = [];
    const shown = new Map(this.host.changes.map((edit) => [uriOf(edit), edit]));
    for (const { uri, before, after } of changes) {
      const first = this.#firstOf(uri, shown.get(uri), before);
      if (isSame(first, after)) continue;
      edits.push(editOf(first, after));
      // Counting the lines of many files must not hold everything else up.
      await setImmediate();
    }
    const changed = new Set(changes.map(({ uri }) => uri));
    const others = this.host.changes.filter((edit) => !changed.has(uriOf(edit) ?? ''));
    this.host.setChanges([...others, ...edits]);
  }

  /** What the session has shown comes first: another chat, or an earlier run, may have changed the file before. */
  #firstOf(uri: string, shown: FileEdit | undefined, before: Content | undefined): Content | undefined {
    const known = this.#first.get(uri);
    const isKnown = this.#first.has(uri) && (!shown || shown.before?.content.uri === known?.side.content.uri);
    if (!isKnown) this.#first.set(uri, shown ? this.#stored(shown.before) : before);
    return this.#first.get(uri);
  }

  #stored(side: FileEditSide | undefined): Content | undefined {
    const data = side && this.host.readContent(side.content.uri);
    return side && { side, text: data && utf8Of(data) };
  }

  async #read(path: string): Promise<Content | undefined> {
    let data: Uint8Array;
    try {
      const info = await stat(path);
      if (!info.isFile() || info.size > MAX_SIZE) return this.#unread(path);
      data = await readFile(path);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
    const text = utf8Of(data);
    return text === undefined ? this.#unread(path) : this.#keep(path, text);
  }

  #keep(path: string, text: string): Content {
    return { side: { uri: pathToFileURL(path).href, content: this.host.storeContent(text, 'text/plain') }, text };
  }

  /** Too large, or not text: refers to the file itself, with its current content. */
  #unread(path: string): Content {
    const { href } = pathToFileURL(path);
    return { side: { uri: href, content: { uri: href } }, text: undefined };
  }
}

function uriOf({ before, after }: FileEdit): string | undefined {
  return after?.uri ?? before?.uri;
}

/** Content that was not read cannot be compared. */
function isSame(before: Content | undefined, after: Content | undefined): boolean {
  return before && after ? before.text !== undefined && before.text === after.text : before === after;
}

function editOf(before: Content | undefined, after: Content | undefined): FileEdit {
  const textOf = (content: Content | undefined) => (content ? content.text : '');
  const [old, fresh] = [textOf(before), textOf(after)];
  const diff = old !== undefined && fresh !== undefined ? lineCounts(old, fresh) : undefined;
  return { ...(before && { before: before.side }), ...(after && { after: after.side }), ...(diff && { diff }) };
}

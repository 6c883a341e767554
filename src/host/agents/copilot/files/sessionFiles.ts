/** The files that the engine's tools change: what a change would do, and what it did. */
import { readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FileEdit, FileEditSide } from '../../../../ahp/common/shapes.ts';
import { lineCounts } from '../../../../base/text/lineChanges.ts';
import { utf8Of } from '../../../../base/text/utf8.ts';
import { isMissing } from '../../../../base/node/missing.ts';
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
export interface PlannedChange {
  path: string;
  before: Content | undefined;
  edit: FileEdit;
}

export class SessionFiles {
  constructor(private readonly host: Pick<AgentChatHost, 'recordEdits' | 'storeContent'>) {}

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
    const edit = editOf(before, after);
    await this.host.recordEdits([edit]);
    return edit;
  }

  /** What a command did to files that it changed. */
  async changed(files: readonly ChangedFile[]): Promise<FileEdit[]> {
    const edits: FileEdit[] = [];
    for (const { path, before: bytes } of files) {
      const text = bytes instanceof Uint8Array ? utf8Of(bytes) : undefined;
      const after = await this.#read(path);
      if (text !== undefined && text === after?.text) continue;
      const before = bytes === undefined ? undefined : text === undefined ? this.#unread(path) : this.#keep(path, text);
      if (before || after) edits.push(editOf(before, after));
      // Counting the lines of many files must not hold everything else up.
      await setImmediate();
    }
    await this.host.recordEdits(edits, MAX_CHANGES);
    return edits;
  }

  async #read(path: string): Promise<Content | undefined> {
    let data: Uint8Array;
    try {
      const info = await stat(path);
      if (!info.isFile() || info.size > MAX_SIZE) return this.#unread(path);
      data = await readFile(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
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

/** The files that the engine's tools change: what a change would do, what it did, and what the session changed so far. */
import { readFile, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { FileEdit, FileEditSide } from '../../../ahp/v1/common.ts';
import { utf8Of } from '../../utf8.ts';
import type { AgentSessionHost } from '../agent.ts';
import { lineCounts } from './lineCounts.ts';

/** Bytes of a file whose contents are kept for comparison. */
const MAX_SIZE = 4 * 1024 * 1024;

/** One side of a change; `text` is absent for binary or large content. */
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
  /** By URI: how each changed file was first. `undefined`: it was not there. */
  readonly #first = new Map<string, Content | undefined>();

  constructor(private readonly host: AgentSessionHost) {
    // A session that the host has kept.
    for (const { before, after } of host.state.summary.diffs ?? []) {
      const uri = after?.uri ?? before?.uri;
      if (uri === undefined) continue;
      const data = before && host.readContent(before.content.uri);
      this.#first.set(uri, before && { side: before, text: data && utf8Of(data) });
    }
  }

  /** What a write would do; nothing is touched. */
  async plan(path: string, newText: string | undefined): Promise<PlannedChange> {
    const before = await this.#read(path);
    const after = newText === undefined ? undefined : this.#keep(path, newText);
    return { path, before, edit: editOf(before, after) };
  }

  /** The write is done: what it really did. Undefined when it changed nothing. */
  async done({ path, before }: PlannedChange): Promise<FileEdit | undefined> {
    const after = await this.#read(path);
    if (before?.text !== undefined && before.text === after?.text) return undefined;
    const uri = pathToFileURL(path).href;
    if (!this.#first.has(uri)) this.#first.set(uri, before);
    const others = (this.host.state.summary.diffs ?? []).filter(({ before: b, after: a }) => (a?.uri ?? b?.uri) !== uri);
    const first = this.#first.get(uri);
    const unchanged = first?.text !== undefined && first.text === after?.text;
    this.host.setDiffs(unchanged || (!first && !after) ? others : [...others, editOf(first, after)]);
    return editOf(before, after);
  }

  async #read(path: string): Promise<Content | undefined> {
    let data: Uint8Array;
    try {
      const info = await stat(path);
      if (!info.isFile() || info.size > MAX_SIZE) return { side: this.#reference(path), text: undefined };
      data = await readFile(path);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
    const text = utf8Of(data);
    return text === undefined ? { side: this.#reference(path), text } : this.#keep(path, text);
  }

  #keep(path: string, text: string): Content {
    return { side: { uri: pathToFileURL(path).href, content: this.host.storeContent(text, 'text/plain') }, text };
  }

  /** Too large or no text: the file itself, as it is whenever somebody looks. */
  #reference(path: string): FileEditSide {
    const { href } = pathToFileURL(path);
    return { uri: href, content: { uri: href } };
  }
}

function editOf(before: Content | undefined, after: Content | undefined): FileEdit {
  const countable = (content: Content | undefined) => !content || content.text !== undefined;
  return {
    ...(before && { before: before.side }),
    ...(after && { after: after.side }),
    ...(countable(before) && countable(after) && { diff: lineCounts(before?.text ?? '', after?.text ?? '') }),
  };
}

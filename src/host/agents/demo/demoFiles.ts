/** The files of the working directory, as the demo agent's tools touch them: text only, never outside, and with what it changed so far. */
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileEdit, FileEditSide } from '../../../ahp/v1/common.ts';
import { asProtocolErrors, confined, readConfined, writeConfined } from '../../files/confinedPath.ts';
import { utf8Of } from '../../files/utf8.ts';
import type { AgentSessionHost } from '../agent.ts';

/** Bytes of a file that the demo agent reads or changes. */
const MAX_SIZE = 1024 * 1024;

/** A change that is prepared but not made; `before` is undefined for a new file. */
export interface PlannedEdit {
  path: string;
  before: string | undefined;
  after: string;
  edit: FileEdit;
}

export class DemoFiles {
  /** By URI: the first and the newest side of every file that was changed, and their texts. */
  readonly #changes = new Map<string, { first: FileEditSide | undefined; firstText: string; newest: FileEditSide; newestText: string }>();

  /** What was changed before this backend was made is taken over, as far as its contents are still kept. */
  constructor(private readonly host: AgentSessionHost) {
    for (const { before, after } of host.state.summary.diffs ?? []) {
      if (!after) continue;
      const [firstText, newestText] = [before, after].map((side) => this.#stored(side));
      if (firstText !== undefined && newestText !== undefined)
        this.#changes.set(after.uri, { first: before, firstText, newest: after, newestText });
    }
  }

  /** Undefined when there is no such file. Throws an error that says why for a folder, binary content or a path outside. */
  async read(name: string): Promise<string | undefined> {
    return await asProtocolErrors(name, async () => await readText(await this.#resolve(name)));
  }

  /** Prepares adding a line at the end, with both contents stored, so that a person can look at them. */
  async planAppend(name: string, line: string): Promise<PlannedEdit> {
    return await asProtocolErrors(name, async () => {
      const path = await this.#resolve(name);
      const before = await readText(path);
      const glue = !before || before.endsWith('\n') ? '' : '\n';
      const after = `${before ?? ''}${glue}${line}\n`;
      return { path, before, after, edit: fileEdit(this.#side(path, before), before ?? '', this.#side(path, after), after) };
    });
  }

  /** Makes the change; false when the file is no longer what the plan was made for. */
  async apply(plan: PlannedEdit): Promise<boolean> {
    return await asProtocolErrors(plan.path, async () => {
      const path = await this.#resolve(plan.path);
      if (path !== plan.path || (await readText(path)) !== plan.before) return false;
      await writeConfined(path, plan.after, plan.before === undefined);
      this.#remember(plan);
      return true;
    });
  }

  /** What the session changed so far: each file from how it was first to how it was left. */
  get diffs(): FileEdit[] {
    return [...this.#changes.values()].map(({ first, firstText, newest, newestText }) => fileEdit(first, firstText, newest, newestText));
  }

  #remember({ path, before, after, edit }: PlannedEdit): void {
    if (!edit.after) return;
    const uri = pathToFileURL(path).href;
    const earlier = this.#changes.get(uri);
    const { first, firstText } = earlier ?? { first: edit.before, firstText: before ?? '' };
    this.#changes.set(uri, { first, firstText, newest: edit.after, newestText: after });
  }

  async #resolve(name: string): Promise<string> {
    const { workingDirectory } = this.host;
    return await confined(isAbsolute(name) ? name : join(workingDirectory, name), [workingDirectory]);
  }

  /** '' for the side of a file that was not there. */
  #stored(side: FileEditSide | undefined): string | undefined {
    if (!side) return '';
    const data = this.host.readContent(side.content.uri);
    return data && utf8Of(data);
  }

  #side(path: string, text: string): FileEditSide;
  #side(path: string, text: string | undefined): FileEditSide | undefined;
  #side(path: string, text: string | undefined): FileEditSide | undefined {
    return text === undefined ? undefined : { uri: pathToFileURL(path).href, content: this.host.storeContent(text, 'text/plain') };
  }
}

async function readText(path: string): Promise<string | undefined> {
  let data: Uint8Array;
  try {
    data = await readConfined(path, MAX_SIZE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const text = utf8Of(data);
  if (text === undefined) throw new Error('it is no text in UTF-8');
  return text;
}

function fileEdit(before: FileEditSide | undefined, beforeText: string, after: FileEditSide, afterText: string): FileEdit {
  return { ...(before && { before }), after, diff: changedLines(beforeText, afterText) };
}

/** Lines that differ between the common beginning and the common end of both: exact for what the demo agent does, one block a change. */
function changedLines(before: string, after: string): { added: number; removed: number } {
  const [a, b] = [lines(before), lines(after)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { added: b.length - start - end, removed: a.length - start - end };
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

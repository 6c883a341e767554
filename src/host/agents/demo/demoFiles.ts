/** The files of the working directory for the tools of the demo agent: text only, never outside it, with a record of all changes. */
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileEdit, FileEditSide } from '../../../ahp/common/shapes.ts';
import { WordedError } from '../../../base/errors.ts';
import { lineCounts } from '../../../base/text/lineChanges.ts';
import { phrase } from '../../../base/text/phrase.ts';
import { asProtocolErrors, confined, readConfined, writeConfined } from '../../files/confinedPath.ts';
import { utf8Of } from '../../../base/text/utf8.ts';
import type { AgentChatHost } from '../agent.ts';

/** The largest file that the demo agent reads or changes, in bytes. */
const MAX_SIZE = 1024 * 1024;

/** A change that was prepared and not made. `before` is undefined for a new file. */
export interface PlannedEdit {
  path: string;
  before: string | undefined;
  after: string;
  edit: FileEdit;
}

export class DemoFiles {
  constructor(private readonly host: Pick<AgentChatHost, 'workingDirectory' | 'recordEdits' | 'storeContent'>) {}

  /** Undefined when there is no such file. Throws an error with the reason for a folder, binary content or a path outside. */
  async read(name: string): Promise<string | undefined> {
    return await asProtocolErrors(name, async () => await readText(await this.#resolve(name)));
  }

  /** Prepares to add a line at the end. Both contents are stored, so that the user can see them. */
  async planAppend(name: string, line: string): Promise<PlannedEdit> {
    return await asProtocolErrors(name, async () => {
      const path = await this.#resolve(name);
      const before = await readText(path);
      const glue = !before || before.endsWith('\n') ? '' : '\n';
      const after = `${before ?? ''}${glue}${line}\n`;
      return { path, before, after, edit: fileEdit(this.#side(path, before), before ?? '', this.#side(path, after), after) };
    });
  }

  /** Makes the change. False when the file is not the one that the change was prepared for. */
  async apply(plan: PlannedEdit): Promise<boolean> {
    return await asProtocolErrors(plan.path, async () => {
      const path = await this.#resolve(plan.path);
      if (path !== plan.path || (await readText(path)) !== plan.before) return false;
      await writeConfined(path, plan.after, plan.before === undefined);
      await this.host.recordEdits([plan.edit]);
      return true;
    });
  }

  async #resolve(name: string): Promise<string> {
    const { workingDirectory } = this.host;
    return await confined(isAbsolute(name) ? name : join(workingDirectory, name), [workingDirectory]);
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
  if (text === undefined) throw new WordedError(phrase`it is no text in UTF-8`);
  return text;
}

function fileEdit(before: FileEditSide | undefined, beforeText: string, after: FileEditSide, afterText: string): FileEdit {
  const diff = lineCounts(beforeText, afterText);
  return { ...(before && { before }), after, ...(diff && { diff }) };
}

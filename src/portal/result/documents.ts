/** Reads the documents that tasks have reported, which are files in the folder of their run. */
import { constants } from 'node:fs';
import { extname, resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { openExactly } from '../../base/node/openExactly.ts';
import { realPathIn } from '../../base/node/realPathIn.ts';
import { utf8Of } from '../../base/text/utf8.ts';
import { phrase } from '../../base/text/phrase.ts';
import type { DocumentText } from '../../views/portal/answers/resultAnswers.ts';

const MAX_BYTES = 512 * 1024;
const MARKDOWN = new Set(['.md', '.markdown', '.mdown', '.txt', '']);

/**
 * `path`: as an agent wrote it. `folders`: a document has to be in one of them, whatever links lead there; a relative path is one in the first that
 * has such a file. Throws a {@link UserError} that says why there is nothing to show.
 */
export async function readDocument(path: string, folders: readonly string[]): Promise<DocumentText> {
  for (const folder of folders) {
    const real = await realPathIn(folder, resolve(folder, path));
    if (real !== undefined) return { localPath: real, isMarkdown: MARKDOWN.has(extname(real).toLowerCase()), text: await textOf(real) };
  }
  throw new UserError(phrase`There is no such file in the folder of the run, or not any more.`);
}

async function textOf(realPath: string): Promise<string> {
  const handle = await openExactly(realPath, constants.O_RDONLY);
  try {
    if ((await handle.stat()).size > MAX_BYTES) throw new UserError(phrase`This is too long to be shown here.`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    const text = utf8Of(buffer.subarray(0, bytesRead));
    if (text === undefined || text.includes('\0')) throw new UserError(phrase`This is no text.`);
    return text;
  } finally {
    await handle.close();
  }
}

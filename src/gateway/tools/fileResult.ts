/** Reads file results, and results that came as files because of their size. A file must lie in the provider's own folder and have the size that the provider has announced. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { messageOf, withTimeout } from '../../base/errors.ts';
import { CallErrorCode } from '../../tap/wire/errorCodes.ts';
import type { ToolOutcome } from '../../tap/wire/owner/ownerMessages.ts';
import { parseJson } from '../../tap/wire/parsing/parseFrame.ts';
import type { FileReference } from '../../tap/wire/providerMessages.ts';
import { RESULT_FILE_TYPE } from '../../tap/wire/resultContent.ts';

const MAX_FILE = 32 * 1024 * 1024;
const MAX_READ_MS = 10_000;

/** The outcome for the caller. For a file that breaks a rule it is an error that names the rule. */
export async function readFileResult(file: FileReference, persistDir: string): Promise<ToolOutcome> {
  const fail = (error: string, errorCode: CallErrorCode = CallErrorCode.Internal): ToolOutcome => ({
    ok: false,
    error: `The provider's file result: ${error}`,
    errorCode,
  });
  if (file.size > MAX_FILE) return fail(`larger than ${MAX_FILE} bytes`, CallErrorCode.PayloadTooLarge);
  if (!isAbsolute(file.path)) return fail('the path must be absolute');
  try {
    const content = await withTimeout(readConfined(file, persistDir), Math.min(file.ttl * 1000, MAX_READ_MS), 'reading the file');
    if (typeof content === 'string') return fail(content);
    if (file.mimeType === RESULT_FILE_TYPE) {
      const parsed = parseJson(content.toString());
      return parsed.ok ? { ok: true, data: parsed.message } : fail(parsed.bad.problem);
    }
    return { ok: true, file: { mimeType: file.mimeType, size: content.byteLength, base64: content.toString('base64') } };
  } catch (error) {
    return fail(messageOf(error));
  }
}

/** The content, or the rule that the file breaks. */
async function readConfined({ path, size }: FileReference, persistDir: string): Promise<Buffer | string> {
  const [folder, real] = await Promise.all([realpath(persistDir), realpath(path)]);
  if (!real.startsWith(folder + sep)) return "it lies outside the provider's folder";
  // The file may change after the check, so its last part must not be a link now, and a pipe must not block.
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return 'it is not a regular file';
    if (stats.size !== size) return `its size is ${stats.size}, not ${size}`;
    const content = Buffer.alloc(size);
    const { bytesRead } = await handle.read(content, 0, size, 0);
    return bytesRead === size ? content : 'it changed while it was read';
  } finally {
    await handle.close();
  }
}

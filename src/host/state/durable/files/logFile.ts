/** The file `log.jsonl` of a session, whatever its format: a first line, which says the format, and what came after it. */
import { copyFileSync, readFileSync } from 'node:fs';
import { WordedError } from '../../../../base/errors.ts';
import { phrase } from '../../../../base/text/phrase.ts';
import { join } from 'node:path';
import { isRecord } from '../../../../base/isRecord.ts';
import { isThere } from '../../../../base/node/wholeFile.ts';

/** The file does not begin with a session, so nothing can be read. */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
}

/** The file was written by a newer version, and only that may change it. */
export class NewerFormatError extends WordedError {
  override readonly name = 'NewerFormatError';
  /** `head`: the first line. */
  constructor(readonly head: Record<string, unknown>) {
    super(phrase`This session was written by a newer version of Tapline. Update Tapline to open it.`);
  }
}

export const LOG_FILE = 'log.jsonl';
export const FORMAT = 2;
const NEWLINE = 10;

export interface LogFile {
  folder: string;
  path: string;
  format: number;
  head: Record<string, unknown>;
  /** Bytes of the first line. */
  headSize: number;
  /** The complete lines after the first. */
  lines: readonly string[];
  /** Bytes of all complete lines. */
  size: number;
  /** An incomplete line follows, which its process was killed over. */
  isTorn: boolean;
}

/** Throws {@link DamagedLogError}, {@link NewerFormatError}, or an error of the file system. */
export function readLogFile(folder: string): LogFile {
  const path = join(folder, LOG_FILE);
  const data = readFileSync(path);
  const size = data.lastIndexOf(NEWLINE) + 1;
  const [first = '', ...lines] = data.toString('utf8', 0, size).split('\n').slice(0, -1);
  const head = parsedLine(first);
  const format = head?.format;
  if (!head || typeof format !== 'number') throw new DamagedLogError(`${path} does not begin with a session`);
  if (format > FORMAT) throw new NewerFormatError(head);
  return { folder, path, format, head, headSize: Buffer.byteLength(first) + 1, lines, size, isTorn: size < data.length };
}

/** Undefined for what is no JSON object. The caller decides what that means for the log. */
export function parsedLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Copies a log with a line that cannot be read, because what follows that line will be dropped. The words say so. */
export function keepDamaged({ path }: LogFile, index: number, folder: string, name = 'log.damaged.jsonl'): string {
  copyFileSync(path, join(folder, name));
  return `line ${index + 2} of its log cannot be read; ${name} keeps what follows`;
}

/** True also where it is not known. */
export function hasLog(folder: string): boolean {
  return isThere(join(folder, LOG_FILE));
}

/** Puts a file of a change back as it was before, on disk. What others have changed since stays as it is. */
import { chmod, lstat, mkdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextRange } from '../../../ahp/channels/shapes/basic.ts';
import { ErrorCode } from '../../../ahp/common/errors.ts';
import type { FileEdit, FileEditSide, URI } from '../../../ahp/common/shapes.ts';
import { WordedError } from '../../../base/errors.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { sha256 } from '../../../base/node/sha256.ts';
import type { Change } from '../../../base/text/changes.ts';
import { phrase } from '../../../base/text/phrase.ts';
import { utf8Of } from '../../../base/text/utf8.ts';
import { isMissing } from '../../../base/node/missing.ts';
import { confinedEntry, openConfined, readConfined } from '../../files/confinedPath.ts';
import type { CommittedModes } from './committedModes.ts';
import { type EditContents, fileOf, isUnread, textOf } from './composition.ts';
import { putBack } from './putBack.ts';

/** Bytes of a file. Of larger ones no content is kept. */
const MAX_SIZE = 4 * 1024 * 1024;

/** The lines of one side. Only the places of the change that touch them are put back. */
export interface WantedLines {
  side: 'before' | 'after';
  range: TextRange;
}

export interface DiscardRequest {
  /** Real path. Nothing outside of it is written. */
  folder: string;
  contents: EditContents;
  lines?: WantedLines | undefined;
  modes: Pick<CommittedModes, 'isExecutable'>;
}

export interface Discarded {
  /** From what was on disk to what is there now. Absent where the file was as it had been already. */
  written?: FileEdit;
  /** A script that was deleted is there again, and neither Git nor anybody else knows whether it could be executed. */
  isScript?: boolean;
  /** What is left of the change. Absent where that is nothing. */
  left?: FileEdit;
}

/** Why a file is left as it is, for the user: what completes “It is left as it is: …”. */
export class CannotDiscard extends WordedError {
  override readonly name = 'CannotDiscard';
}

/** Rejects with {@link CannotDiscard}, and with errors of the file system. The file is whole in any case. */
export async function discardFile(edit: FileEdit, { folder, contents, lines, modes }: DiscardRequest): Promise<Discarded> {
  const { before, after } = edit;
  const uri = fileOf(edit);
  if (uri === undefined) throw new CannotDiscard(phrase`the change names no file`);
  if (before && after && before.uri !== after.uri) throw new CannotDiscard(phrase`it was moved`);
  const path = await placeOf(uri, folder);
  const current = await contentAt(path);
  const wanted = lines && linesIn(lines);
  const aim = aimOf(edit, current, contents, wanted);
  const left = wanted && leftOf(edit, contents, wanted);
  if (isSame(aim, current)) return {};
  const isExecutable = current || !aim ? undefined : await modes.isExecutable(path);
  await write(path, current, aim, isExecutable);
  const sideOf = (data: Uint8Array): FileEditSide => {
    const known = [before, after].find((side) => side && !isUnread(side) && isSame(contents.read(side.content.uri), data));
    return known ?? { uri, content: contents.keep(data) };
  };
  const written = { ...(current && { before: sideOf(current) }), ...(aim && { after: sideOf(aim) }) };
  const isScript =
    !current && aim !== undefined && isExecutable === undefined && Buffer.from(aim.subarray(0, 2)).toString('latin1') === '#!';
  return { written, ...(isScript && { isScript }), ...(left && { left }) };
}

/** What the file has to be. Undefined: it has to go. */
function aimOf(
  { before, after }: FileEdit,
  current: Uint8Array | undefined,
  contents: EditContents,
  wanted: ((place: Change) => boolean) | undefined,
): Uint8Array | undefined {
  const [first, last] = [contentOf(before, contents), contentOf(after, contents)];
  if (!wanted && isSame(first, current)) return first;
  if ((!before || !after) && !isSame(last, current))
    throw new CannotDiscard(after ? phrase`it has been changed since` : phrase`it is there again`);
  // A file that was created or deleted has one place, the whole file.
  if (!before || !after) return first;
  if (!wanted && isSame(last, current)) return first;
  const [old, fresh, found] = [textOf(before, contents), textOf(after, contents), current && utf8Of(current)];
  if (!current) throw new CannotDiscard(phrase`it is not there any more`);
  if (old === undefined || fresh === undefined || found === undefined)
    throw new CannotDiscard(phrase`it is no text, and has been changed since`);
  const text = putBack(old, fresh, found, wanted);
  if (text === undefined) throw new CannotDiscard(phrase`the same lines have been changed since`);
  if (wanted && text === found) throw new CannotDiscard(phrase`nothing was changed in these lines`);
  return Buffer.from(text);
}

/** The change without the places that are put back. */
function leftOf({ before, after }: FileEdit, contents: EditContents, wanted: (place: Change) => boolean): FileEdit | undefined {
  if (!before || !after) return undefined;
  const [old, fresh] = [textOf(before, contents) ?? '', textOf(after, contents) ?? ''];
  const text = putBack(old, fresh, fresh, wanted);
  return text === undefined || text === old ? undefined : { before, after: { uri: after.uri, content: contents.keep(text) } };
}

function linesIn({ side, range: { start, end } }: WantedLines): (place: Change) => boolean {
  const isEmpty = start.line === end.line && start.character === end.character;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return ({ removed, added }) => {
    const [from, to] = side === 'before' ? removed : added;
    // Where nothing is on this side, the place is between two lines. An empty range means one place, not its neighbours.
    return from === to ? from >= start.line && from <= (isEmpty ? last : last + 1) : from <= last && to > start.line;
  };
}

function contentOf(side: FileEditSide | undefined, contents: EditContents): Uint8Array | undefined {
  if (!side) return undefined;
  const data = isUnread(side) ? undefined : contents.read(side.content.uri);
  if (!data) throw new CannotDiscard(phrase`its content of then was not kept`);
  return data;
}

async function placeOf(uri: URI, folder: string): Promise<string> {
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch {
    throw new CannotDiscard(phrase`it is no file of this computer`);
  }
  try {
    return await confinedEntry(path, [folder]);
  } catch (error) {
    if (error instanceof RpcError && error.code === ErrorCode.PermissionDenied)
      throw new CannotDiscard(phrase`it is outside of the session’s folder`);
    throw error;
  }
}

async function contentAt(path: string): Promise<Uint8Array | undefined> {
  try {
    if ((await lstat(path)).isSymbolicLink()) throw new CannotDiscard(phrase`it is a link now`);
    return await readConfined(path, MAX_SIZE);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof RpcError)
      throw new CannotDiscard(error.code === ErrorCode.InvalidParams ? phrase`it is too large now` : phrase`it is no file now`);
    throw error;
  }
}

/**
 * Whole or not at all, and only while the file is what was `found` there. `isExecutable`: absent for what it is already, and for a new file
 * not.
 */
export async function write(
  path: string,
  found: Uint8Array | undefined,
  data: Uint8Array | undefined,
  isExecutable?: boolean,
): Promise<void> {
  if (!data) {
    await requireStill(path, found);
    return await unlink(path);
  }
  await mkdir(dirname(path), { recursive: true });
  // What a discard that was killed has left there is replaced by the next one.
  const temporary = join(dirname(path), `.tapline-${sha256(path).slice(0, 16)}`);
  await rm(temporary, { force: true });
  try {
    const handle = await openConfined(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (found) await chmod(temporary, (await stat(path)).mode & 0o777);
    if (isExecutable !== undefined) await setExecutable(temporary, isExecutable);
    await requireStill(path, found);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** By those who may read it. */
async function setExecutable(path: string, isExecutable: boolean): Promise<void> {
  const mode = (await lstat(path)).mode & 0o777;
  await chmod(path, isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
}

async function requireStill(path: string, found: Uint8Array | undefined): Promise<void> {
  if (!isSame(await contentAt(path), found)) throw new CannotDiscard(phrase`it was changed just now`);
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other;
}

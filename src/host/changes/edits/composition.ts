/** What several edits of a file come to. */
import { setImmediate } from 'node:timers/promises';
import type { ContentRef, FileEdit, FileEditSide, URI } from '../../../ahp/common/shapes.ts';
import { lineCounts } from '../../../base/text/lineChanges.ts';
import { utf8Of } from '../../../base/text/utf8.ts';
import { putBack } from './putBack.ts';

/** Contents that edits of one session refer to. */
export interface EditContents {
  /** Undefined for what is not kept any more. */
  read(uri: URI): Uint8Array | undefined;
  keep(data: string | Uint8Array): ContentRef;
}

/** The file that an edit is about. An edit without one says nothing. */
export function fileOf({ before, after }: FileEdit): URI | undefined {
  return after?.uri ?? before?.uri;
}

/** True for a side that was too large or no text, and refers to the file itself, with whatever it has now. */
export function isUnread({ uri, content }: FileEditSide): boolean {
  return content.uri === uri;
}

/** Empty for a file that did not exist. Undefined for content that was not read or is not kept any more, and for what is no text. */
export function textOf(side: FileEditSide | undefined, contents: Pick<EditContents, 'read'>): string | undefined {
  if (!side) return '';
  const data = isUnread(side) ? undefined : contents.read(side.content.uri);
  return data && utf8Of(data);
}

/** An edit from one side to another. Undefined when they are the same. */
export function editBetween(
  before: FileEditSide | undefined,
  after: FileEditSide | undefined,
  contents: Pick<EditContents, 'read'>,
): FileEdit | undefined {
  if (isSame(before, after, contents)) return undefined;
  const [old, fresh] = [textOf(before, contents), textOf(after, contents)];
  const diff = old !== undefined && fresh !== undefined ? lineCounts(old, fresh) : undefined;
  return { ...(before && { before }), ...(after && { after }), ...(diff && { diff }) };
}

/**
 * `next` after `known`, as one edit: from the first `before` to the last `after`. Undefined when the file is as it was. What others changed
 * between the two is no part of it, as far as it is about other lines.
 */
export function composed(known: FileEdit | undefined, next: FileEdit, contents: EditContents): FileEdit | undefined {
  const before = known ? beginning(known, next, contents) : next.before;
  return before === next.before && next.diff && !isSame(before, next.after, contents) ? next : editBetween(before, next.after, contents);
}

/** All edits of some files, in order, as one edit a file. */
export async function composedAll(edits: Iterable<FileEdit>, contents: EditContents): Promise<Map<URI, FileEdit>> {
  const files = new Map<URI, FileEdit>();
  for (const edit of edits) {
    const file = fileOf(edit);
    if (file === undefined) continue;
    // Comparing many files must not hold everything else up.
    if (files.has(file)) await setImmediate();
    const whole = composed(files.get(file), edit, contents);
    if (whole) files.set(file, whole);
    else files.delete(file);
  }
  return files;
}

function beginning({ before, after }: FileEdit, next: FileEdit, contents: EditContents): FileEditSide | undefined {
  // A first content that is not kept any more is as good as none.
  if (before && !isUnread(before) && !contents.read(before.content.uri)) return next.before;
  if (isSame(after, next.before, contents)) return before;
  const [first, last, found] = [before, after, next.before].map((side) => textOf(side, contents));
  const text = first === undefined || last === undefined || found === undefined ? undefined : putBack(first, last, found);
  const uri = fileOf(next);
  if (text === undefined || text === first || uri === undefined) return before;
  return { uri, content: contents.keep(text) };
}

/** Content that was not read cannot be compared. */
function isSame(one: FileEditSide | undefined, other: FileEditSide | undefined, contents: Pick<EditContents, 'read'>): boolean {
  if (!one || !other) return one === other;
  if (isUnread(one) || isUnread(other)) return false;
  if (one.content.uri === other.content.uri) return true;
  const [data, otherData] = [contents.read(one.content.uri), contents.read(other.content.uri)];
  return data !== undefined && otherData !== undefined && Buffer.compare(data, otherData) === 0;
}

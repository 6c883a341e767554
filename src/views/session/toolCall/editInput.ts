/** Whether the previews of its edits show everything that a tool's input says. */
import type { FileEdit, URI } from '../../../ahp/common/shapes.ts';
import { displayPath } from '../../text/displayPath.ts';
import { jsonObject } from './toolCallView.ts';

/** An edit, and the texts from which its preview was made. */
export interface ReadEdit {
  edit: FileEdit;
  before: string;
  after: string;
}

type IsShown = (value: string, edits: readonly ReadEdit[], workingDirectory: URI | undefined) => boolean;

const isPath: IsShown = (value, edits, workingDirectory) =>
  edits.some(({ edit }) =>
    [edit.before?.uri, edit.after?.uri].some(
      (uri) => uri !== undefined && (value === displayPath(uri) || value === displayPath(uri, workingDirectory)),
    ),
  );
const isBefore: IsShown = (value, edits) => edits.some(({ before }) => unixLines(before).includes(unixLines(value)));
const isAfter: IsShown = (value, edits) => edits.some(({ after }) => unixLines(after).includes(unixLines(value)));

/** The fields of the tools of our host. The meaning of other fields is not known. */
const fields: Readonly<Record<string, IsShown>> = {
  path: isPath,
  file: isPath,
  old_str: isBefore,
  new_str: isAfter,
  file_text: isAfter,
  line: isAfter,
};

export function isShownByEdits(input: string, edits: readonly ReadEdit[], workingDirectory: URI | undefined): boolean {
  const values = jsonObject(input);
  if (!values) return false;
  return Object.entries(values).every(
    ([name, value]) => typeof value === 'string' && Object.hasOwn(fields, name) && fields[name]?.(value, edits, workingDirectory) === true,
  );
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

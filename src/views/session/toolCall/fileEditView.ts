/** The row of a changed file. */
import type { FileEdit, URI } from '../../../ahp/common/shapes.ts';
import { displayPath } from '../../text/displayPath.ts';

export interface FileEditView {
  change: 'created' | 'changed' | 'deleted' | 'moved';
  /** The file's name and its folder, relative to the working directory if the file is inside it. */
  name: string;
  folder: string;
  /** The old path of a file that was moved. */
  from?: string;
  /** The file after the change, or before it if it was deleted. */
  uri?: URI;
  added?: number;
  removed?: number;
}

export function fileEditView(edit: FileEdit, workingDirectory?: URI): FileEditView {
  const uri = edit.after?.uri ?? edit.before?.uri;
  const path = uri === undefined ? '' : displayPath(uri, workingDirectory);
  const slash = path.lastIndexOf('/');
  const moved = edit.before && edit.after && edit.before.uri !== edit.after.uri;
  return {
    change: moved ? 'moved' : !edit.before ? 'created' : !edit.after ? 'deleted' : 'changed',
    name: path.slice(slash + 1),
    folder: slash > 0 ? path.slice(0, slash) : '',
    ...(moved && edit.before ? { from: displayPath(edit.before.uri, workingDirectory) } : {}),
    ...(uri === undefined ? {} : { uri }),
    ...(edit.diff?.added === undefined ? {} : { added: edit.diff.added }),
    ...(edit.diff?.removed === undefined ? {} : { removed: edit.diff.removed }),
  };
}

/**
 * True when all that the title says is one word and the whole path, with or without a question mark, so that the path need not be said again
 * below it. More words might be read as a part of the path.
 */
export function isTitle(title: string, { name, folder, change }: FileEditView): boolean {
  const path = folder === '' ? name : `${folder}/${name}`;
  const space = title.indexOf(' ');
  const said = title.slice(space + 1);
  return path !== '' && change !== 'moved' && space > 0 && (said === path || said === `${path}?`);
}

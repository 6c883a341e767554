/** A changed file as one line. */
import type { FileEdit, URI } from '../../ahp/v1/common.ts';

export interface FileEditView {
  change: 'created' | 'changed' | 'deleted' | 'moved';
  /** File name, and the folder before it, relative to the working directory where that holds it. */
  name: string;
  folder: string;
  /** Where it was, for a move. */
  from?: string;
  /** The file as it is after the change (or was, when deleted). */
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

/** A `file:` URI as a path, relative to `base` when it is below it; other URIs whole. */
export function displayPath(uri: URI, base?: URI): string {
  if (base !== undefined && uri.startsWith(base.endsWith('/') ? base : `${base}/`)) {
    return decoded(uri.slice(base.endsWith('/') ? base.length : base.length + 1));
  }
  const path = /^file:\/\/[^/]*(\/.*)$/.exec(uri)?.[1];
  return path === undefined ? uri : decoded(path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path; // A stray % of a host that does not encode: show it as it came.
    throw error;
  }
}

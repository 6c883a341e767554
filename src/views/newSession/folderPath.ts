/** Completes the path of a folder on another computer: which folder to list, and which of its entries match. */
import type { URI } from '../../ahp/common/shapes.ts';
import { withoutEnd } from '../../base/text/ends.ts';
import { displayPath } from '../text/displayPath.ts';

export interface TypedPath {
  /** The complete part of the path, with a slash at the end. */
  folder: string;
  /** The beginning of a name in that folder. */
  rest: string;
}

/** Undefined for a path that is not absolute. Backslashes of a Windows path count as slashes. */
export function typedPath(text: string): TypedPath | undefined {
  const path = /^[a-z]:/i.test(text) ? text.replaceAll('\\', '/') : text;
  if (!/^(\/|[a-z]:\/)/i.test(path)) return undefined;
  const end = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, end), rest: path.slice(end) };
}

/** A `file:` URI, without a slash at the end unless it is the root. */
export function folderUri(path: string): URI {
  const trimmed = path.length > 1 && !/^[a-z]:\/$/i.test(path) ? withoutEnd(path, '/') || '/' : path;
  const encoded = trimmed.split('/').map((part, index) => (index === 0 && /^[a-z]:$/i.test(part) ? part : encodeURIComponent(part)));
  return `file://${trimmed.startsWith('/') ? '' : '/'}${encoded.join('/')}`;
}

/** The path of a `file:` URI. */
export function pathOfFolder(uri: URI): string {
  const path = displayPath(uri);
  return /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
}

/** The folders that begin with the typed text. Hidden ones only if it begins with a dot. */
export function matchingFolders(names: readonly string[], rest: string): string[] {
  const start = rest.toLowerCase();
  return names
    .filter((name) => name.toLowerCase().startsWith(start) && (start !== '' || !name.startsWith('.')))
    .sort((a, b) => a.localeCompare(b));
}

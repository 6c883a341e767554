/** A folder of another computer as it is typed: which folder to list, and what of its entries fits. */
import type { URI } from '../ahp/v1/common.ts';
import { displayPath } from './displayPath.ts';

export interface TypedPath {
  /** The folder that was typed to its end, with a slash behind it. */
  folder: string;
  /** The beginning of a name in it. */
  rest: string;
}

/** Undefined for what is no absolute path. Backslashes of a Windows path count as slashes. */
export function typedPath(text: string): TypedPath | undefined {
  const path = /^[a-z]:/i.test(text) ? text.replaceAll('\\', '/') : text;
  if (!/^(\/|[a-z]:\/)/i.test(path)) return undefined;
  const end = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, end), rest: path.slice(end) };
}

/** As a `file:` URI, without a slash at the end unless it is the root. */
export function folderUri(path: string): URI {
  const trimmed = path.length > 1 && !/^[a-z]:\/$/i.test(path) ? path.replace(/\/+$/, '') || '/' : path;
  const encoded = trimmed.split('/').map((part, index) => (index === 0 && /^[a-z]:$/i.test(part) ? part : encodeURIComponent(part)));
  return `file://${trimmed.startsWith('/') ? '' : '/'}${encoded.join('/')}`;
}

/** A `file:` URI as one types it. */
export function pathOfFolder(uri: URI): string {
  const path = displayPath(uri);
  return /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
}

/** Those of the folders that begin with what was typed; hidden ones only where a dot was typed. */
export function matchingFolders(names: readonly string[], rest: string): string[] {
  const start = rest.toLowerCase();
  return names
    .filter((name) => name.toLowerCase().startsWith(start) && (start !== '' || !name.startsWith('.')))
    .sort((a, b) => a.localeCompare(b));
}

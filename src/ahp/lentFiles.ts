/**
 * A vendor extension: a client lends files and folders of its computer to a host elsewhere, and the host reads them with the protocol's own
 * requests to a client (`resourceRead`, `resourceList`). A file that is lent has a URI of its own scheme, because a `file:` URI would mean a
 * file of the host. Both sides announce it in `_meta` of `initialize`. A host without it may read them as well, since the requests are the
 * protocol's.
 */
import { isRecord } from '../base/isRecord.ts';

/** Key in `_meta` of `initialize` and of its result. The value is the version of this extension. */
const LENT_FILES = 'tapline.lentFiles';
const VERSION = 1;
/** Characters of a URI that are looked at. */
const MAX_URI = 4_096;

export const lentFilesMeta: Readonly<Record<string, unknown>> = { [LENT_FILES]: VERSION };

export function hasLentFiles(meta: unknown): boolean {
  return isRecord(meta) && meta[LENT_FILES] === VERSION;
}

export interface LentUri {
  /** Whose file it is. */
  clientId: string;
  /** 32 hexadecimal digits that nobody can guess. */
  key: string;
  /** First the name of what is lent, then what is below it in a folder. Not empty; plain names. */
  names: readonly string[];
}

export function lentUri({ clientId, key, names }: LentUri): string {
  return ['tapline-lent:/', ...[clientId, key, ...names].map(encodeURIComponent)].join('/');
}

/** Undefined for any other URI, and for one that is not written as {@link lentUri} does it. */
export function parseLentUri(uri: string): LentUri | undefined {
  if (uri.length > MAX_URI || !uri.startsWith('tapline-lent://')) return undefined;
  let parts: string[];
  try {
    parts = uri.slice('tapline-lent://'.length).split('/').map(decodeURIComponent);
  } catch {
    return undefined; // Not a percent encoding of UTF-8.
  }
  const [clientId = '', key = '', ...names] = parts;
  const isPlain = clientId !== '' && /^[0-9a-f]{32}$/.test(key) && names.length > 0 && names.every(isName);
  const parsed = { clientId, key, names };
  return isPlain && lentUri(parsed) === uri ? parsed : undefined;
}

export function isLentUri(uri: string): boolean {
  return parseLentUri(uri) !== undefined;
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

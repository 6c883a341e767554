import type { URI } from '../../ahp/common/shapes.ts';

/** True for what is in one of the folders, by their URIs alone. `..` and percent-encoding are resolved. */
export function isInFolders(file: URI, folders: readonly URI[]): boolean {
  const path = partsOf(file);
  return folders.some((folder) => {
    const base = partsOf(folder);
    return path !== undefined && base !== undefined && path.length > base.length && base.every((part, index) => part === path[index]);
  });
}

/** The origin and the names in the path. Undefined for what is not a URI, or is encoded so that it names another path to others. */
function partsOf(uri: URI): string[] | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, host, pathname } = new URL(uri);
  try {
    const names = pathname.split('/').filter(Boolean).map(decodeURIComponent);
    return names.some((name) => name === '.' || name === '..' || name.includes('/')) ? undefined : [`${protocol}//${host}`, ...names];
  } catch {
    return undefined; // Not UTF-8.
  }
}

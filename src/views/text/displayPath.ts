import type { URI } from '../../ahp/common/shapes.ts';

/** A `file:` URI as a path, relative to `base` if it is below it. Other URIs stay as they are. */
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
    if (error instanceof URIError) return path; // A host that does not encode a %: show the path as it is.
    throw error;
  }
}

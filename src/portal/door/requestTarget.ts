/** The target of a request, read once and in one way. Routers, URL parsers and checks differ in what they decode. */

export interface RequestTarget {
  /** Each part decoded, and encoded again as `encodeURIComponent` does it. So a path has one spelling, and `%2F` stays within its part. */
  path: string;
  /** Empty, or with its `?`. */
  query: string;
}

/** Undefined for what some would read as another path: `.`, `..` and empty parts, NUL, and whole URLs. */
export function requestTarget(url: string): RequestTarget | undefined {
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  if (path === '/') return { path, query };
  const [before, ...parts] = path.split('/');
  const decoded = parts.map(decodedPart);
  const isPlain = decoded.every((part) => !['', '.', '..'].includes(part) && !part.includes('\0'));
  if (before !== '' || parts.length === 0 || !isPlain) return undefined;
  return { path: decoded.map((part) => `/${encodeURIComponent(part)}`).join(''), query };
}

/** A part with an escape that stands for no text is what it says literally. */
function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

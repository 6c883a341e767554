/** Every way in which one field of a JSON value can have the wrong type, with the path by which the host names it. */
export function* malformed(value: unknown, path = ''): Generator<{ path: string; bad: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const other = typeof inner === 'string' ? 7 : 'x';
    for (const { path: deeper, bad } of [{ path: place, bad: other }, ...malformed(inner, place)])
      yield { path: deeper, bad: Array.isArray(value) ? value.with(Number(key), bad) : { ...value, [key]: bad } };
  }
}

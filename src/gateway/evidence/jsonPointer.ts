/**
 * RFC 6901. A pointer names one value or none, in time that is linear in its length; a JSONPath names any number, so that “equals” would have no
 * meaning, and brings filters and patterns of its own.
 */

/** Undefined where there is nothing; no JSON value is undefined. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(name) ? (value[Number(name)] as unknown) : undefined;
    else value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
  }
  return value;
}

/** Deeper than any real value. Values below this depth count as different, so that hostile nesting cannot exhaust the stack. */
const MAX_DEPTH = 100;

/**
 * True when two JSON values are equal, in any order of their fields. A field that is undefined counts as absent, as it does in JSON. Stops at
 * the first difference and at shared references, so it is cheap on two versions of a large state.
 */
export function sameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!sameJson(a[index], b[index], depth + 1)) return false;
    return true;
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  // Not through a list of the keys, which would be most of the work.
  for (const key in left) if (!sameJson(left[key], own(right, key), depth + 1)) return false;
  for (const key in right) if (right[key] !== undefined && !Object.hasOwn(left, key)) return false;
  return true;
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

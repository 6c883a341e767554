/**
 * A short digest of a JSON value, the same everywhere. It tells values apart that differ by chance; it is no proof against somebody who looks
 * for two values with the same digest.
 */
export function digest(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  // cyrb53, see https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  const high = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  const low = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return `${text.length.toString(36)}.${(low >>> 0).toString(36)}.${(high >>> 0).toString(36)}`;
}

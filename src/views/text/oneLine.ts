/** Names that a host chose, on one line of bounded length, for labels. */

/** In characters. A label of a megabyte would block the user interface. */
const LIMIT = 300;

/** Line breaks, other control characters, and characters that change the direction of the text after them. */

const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** Returns `''` for a value that is not a string: hosts may send anything. */
export function oneLine(value: unknown, limit = LIMIT): string {
  if (typeof value !== 'string') return '';
  // Cut before the search, with room for the characters that it removes.
  const text = value
    .slice(0, limit * 4)
    .replace(UNSEEN, ' ')
    .trim();
  return text.length > limit ? `${text.slice(0, limit).trimEnd()}…` : text;
}

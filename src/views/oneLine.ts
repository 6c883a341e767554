/** What a host calls something, on one line of bounded length, for labels. */

/** Longer texts are cut: a label of a megabyte would stall whatever draws it. Characters. */
const LIMIT = 300;

/** Line breaks, other controls, and the marks that turn the direction of what follows. */

const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** Hosts may send anything: what is no text gives `''`. */
export function oneLine(value: unknown, limit = LIMIT): string {
  if (typeof value !== 'string') return '';
  // Cut before it is searched, with room for what the search takes out.
  const text = value
    .slice(0, limit * 4)
    .replace(UNSEEN, ' ')
    .trim();
  return text.length > limit ? `${text.slice(0, limit).trimEnd()}…` : text;
}

/** Answers of bounded size that say when something was left out. */

/** In characters. */
const TEXT_LENGTH = 20_000;
/** Of all entries of a list together, as JSON. */
const LIST_LENGTH = 100_000;

/** The beginning of a text, with a note at its end where the rest is left out. */
export function cutText(text: string, limit = TEXT_LENGTH): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}\n[cut: the first ${limit} of ${text.length} characters]`;
}

export interface CutList<T> {
  items: T[];
  /** What is missing, in words; absent when nothing is. */
  cut?: string;
}

/** The first entries. `total`: how many there are, where that is more than `items` has. */
export function cutList<T>(items: readonly T[], limit: number, what: string, total = items.length): CutList<T> {
  let left = LIST_LENGTH;
  const shown: T[] = [];
  for (const item of items.slice(0, limit)) {
    left -= JSON.stringify(item).length;
    if (left < 0) break;
    shown.push(item);
  }
  if (shown.length >= total) return { items: shown };
  return { items: shown, cut: `Only the first ${shown.length} of ${total} ${what} are listed. Ask for less.` };
}

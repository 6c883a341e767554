/** Puts back what a change did to the lines of a text that others may have changed since. */
import type { Change, Span } from '../../../base/text/changes.ts';
import { lineChanges } from '../../../base/text/lineChanges.ts';

/**
 * `current` with the lines of `before` again where the change from `before` to `after` stands as it did. What others changed stays.
 * Undefined where they have changed the same lines, or where the texts differ in too much to be compared. `isWanted`: which places are put
 * back; absent: all.
 */
export function putBack(before: string, after: string, current: string, isWanted?: (place: Change) => boolean): string | undefined {
  if (!isWanted && current === after) return before;
  const own = lineChanges(before, after);
  const others = lineChanges(after, current);
  if (!own || !others) return undefined;
  const lines: string[] = [];
  let from = 0;
  let shift = 0;
  let next = 0;
  for (const { removed, added } of isWanted ? own.changes.filter(isWanted) : own.changes) {
    const [start, end] = added;
    for (let other = others.changes[next]; other && other.removed[1] <= start; other = others.changes[++next]) {
      // Whether the removed lines were above or below what was inserted in their place is not known.
      if (start === end && other.removed[0] === start) return undefined;
      shift += lengthOf(other.added) - lengthOf(other.removed);
    }
    const other = others.changes[next];
    if (other && other.removed[0] < end) return undefined;
    lines.push(...others.after.slice(from, start + shift), ...own.before.slice(...removed));
    from = end + shift;
  }
  return [...lines, ...others.after.slice(from)].join('');
}

function lengthOf([from, to]: Span): number {
  return to - from;
}

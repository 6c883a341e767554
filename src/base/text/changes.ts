/** What differs between two lists of lines or words. */
import { diffArrays } from 'diff';

/** From the first index to the one behind the last. Empty where nothing is removed, or nothing added. */
export type Span = readonly [from: number, to: number];
/** A place where `after` has something else than `before`. What lies between two changes is the same in both. */
export interface Change {
  removed: Span;
  added: Span;
}

/**
 * The fewest changes, in order. Undefined when they need more than `maxEdits` additions and removals of what both have: the time grows with
 * the square of `maxEdits`. What only one of them has counts for nothing, so a text that is new or wholly rewritten is always compared.
 */
export function changesBetween(before: readonly string[], after: readonly string[], maxEdits: number): readonly Change[] | undefined {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const ends: readonly [number, number] = [before.length - tail, after.length - tail];

  const { old, fresh } = inBoth(before.slice(head, ends[0]), after.slice(head, ends[1]));
  const runs = diffArrays(old, fresh, { maxEditLength: maxEdits, comparator: (a, b) => a.id === b.id });
  if (!runs) return undefined;

  const changes: Change[] = [];
  let [i, j] = [head, head];
  const changedUpTo = (removedTo: number, addedTo: number) => {
    if (removedTo > i || addedTo > j) changes.push({ removed: [i, removedTo], added: [j, addedTo] });
    [i, j] = [removedTo, addedTo];
  };
  let [fromOld, fromFresh] = [0, 0];
  for (const { added, removed, count } of runs) {
    for (let k = 0; !added && !removed && k < count; k++) {
      changedUpTo(head + (old[fromOld + k]?.at ?? 0), head + (fresh[fromFresh + k]?.at ?? 0));
      i++;
      j++;
    }
    if (!added) fromOld += count;
    if (!removed) fromFresh += count;
  }
  changedUpTo(...ends);
  return changes;
}

/** Of which text, as a number that is quickly compared, and where. */
interface Token {
  id: number;
  at: number;
}

/** What only one of them has cannot be the same in both, so it need not be compared. */
function inBoth(before: readonly string[], after: readonly string[]): { old: Token[]; fresh: Token[] } {
  const ids = new Map<string, number>();
  for (const text of before) if (!ids.has(text)) ids.set(text, ids.size);
  const fresh = tokens(after, ids);
  const shared = new Set(fresh.map(({ id }) => id));
  return { old: tokens(before, ids).filter(({ id }) => shared.has(id)), fresh };
}

function tokens(texts: readonly string[], ids: ReadonlyMap<string, number>): Token[] {
  const found: Token[] = [];
  texts.forEach((text, at) => {
    const id = ids.get(text);
    if (id !== undefined) found.push({ id, at });
  });
  return found;
}

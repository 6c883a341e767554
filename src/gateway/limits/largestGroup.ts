/** The items of the largest group, in their order; empty where there are none. Of groups of one size it is the one that came first. */
export function largestGroup<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

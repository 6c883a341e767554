/** Those of the key that most of them have, in their order; empty where there are none. Where several have as many, the key that came first. */
export function largestGroup<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

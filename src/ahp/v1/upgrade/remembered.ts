/** What is made of objects that do not change, made once for each. */
import { isRecord } from '../../../base/isRecord.ts';

/** Makes it once for each object. What is no object, as hosts may send it, is left as it is. */
export function remembered<A extends object, B extends object>(make: (source: A) => B): (source: A) => B {
  const known = new WeakMap<A, B>();
  return (source) => {
    if (!isRecord(source)) return source as unknown as B;
    let made = known.get(source);
    if (made === undefined) {
      made = make(source);
      known.set(source, made);
    }
    return made;
  };
}

/** Makes the list of what is made of the items, once for each list: the same list where every item stays what it is. */
export function rememberedList<A, B>(make: (item: A) => B): (list: readonly A[] | null | undefined) => B[] {
  const known = new WeakMap<readonly A[], B[]>();
  return (list) => {
    if (!Array.isArray(list)) return [];
    let made = known.get(list);
    if (made === undefined) {
      made = upgradedItems(list, make);
      known.set(list, made);
    }
    return made;
  };
}

function upgradedItems<A, B>(list: readonly A[], make: (item: A) => B): B[] {
  let items: B[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as A;
    const made = make(item);
    if (made !== (item as unknown)) items ??= list.slice() as unknown as B[];
    if (items) items[index] = made;
  }
  return items ?? (list as unknown as B[]);
}

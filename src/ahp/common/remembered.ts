/** What is made of objects that do not change, made once for each. */
import { isRecord } from '../../base/isRecord.ts';

/** Makes it once for each object. What is no object, as hosts may send it, is left as it is. */
export function remembered<A extends object, B>(make: (source: A) => B): (source: A) => B {
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

/** So that what is made of no list is the same each time, too. */
const NONE = Object.freeze([]) as readonly never[] as never[];

/** Makes the list of what is made of the items, once for each list: the same list where every item stays what it is. */
export function rememberedList<A, B>(make: (item: A) => B): (list: readonly A[] | null | undefined) => B[] {
  const lists = new RememberedLists<A, B>();
  return (list) => (Array.isArray(list) ? lists.of(list, make) : NONE);
}

/**
 * Lists that are made item by item of lists that do not change. States share what did not change, so a list usually differs from the one before it
 * in a few items. Only of these something is made: for the others one comparison is enough, which is much less than looking each of them up.
 */
export class RememberedLists<A, B> {
  readonly #known = new WeakMap<readonly A[], B[]>();
  /** The newest list that begins with an item. That is nearly always the one before. */
  readonly #newest = new WeakMap<object, MadeList<A, B>>();

  /** `make`: it must always make the same of the same item. Where every item stays what it is, the result is the list itself. */
  of(list: readonly A[], make: (item: A) => B): B[] {
    const known = this.#known.get(list);
    if (known) return known;
    const first: unknown = list[0];
    const key = typeof first === 'object' && first !== null ? first : undefined;
    const before = key && this.#newest.get(key);
    if (before?.list === list) return before.made;
    const newest = madeList(list, make, before);
    const { made } = newest;
    // To remember costs more than to compare: a list that stays what it is will be the same another time.
    if (!key || made !== (list as unknown)) this.#known.set(list, made);
    if (key) this.#newest.set(key, newest);
    return made;
  }
}

interface MadeList<A, B> {
  readonly list: readonly A[];
  readonly made: B[];
  /** How many items at the beginning stay what they are. */
  readonly same: number;
}

function madeList<A, B>(list: readonly A[], make: (item: A) => B, before: MadeList<A, B> | undefined): MadeList<A, B> {
  const shared = before ? sharedLength(before.list, list) : 0;
  let same = before ? Math.min(before.same, shared) : 0;
  // One copy of the right length: lists of long turns have thousands of items.
  let items = before && same < shared ? before.made.concat(list.slice(before.made.length) as unknown as B[]) : undefined;
  if (items) items.length = list.length;
  for (let index = shared; index < list.length; index++) {
    const item = list[index] as A;
    const made = before && index < before.list.length && before.list[index] === item ? (before.made[index] as B) : make(item);
    if (!items && made !== (item as unknown)) items = list.slice() as unknown as B[];
    if (items) items[index] = made;
    else same++;
  }
  return { list, made: items ?? (list as unknown as B[]), same };
}

/** How many items at the beginning of both are the same. */
function sharedLength(one: readonly unknown[], other: readonly unknown[]): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length++;
  return length;
}

/**
 * What is made of the few items of lists that something is made of. As with {@link RememberedLists}, what did not change is only compared with the
 * list before: of a long turn nearly all parts are over, and that is asked of each once.
 */
export class RememberedChoice<A extends object, B> {
  readonly #newest = new WeakMap<A, Chosen<A, B>>();

  /** `make`: undefined for what is left out. It must always make the same of the same item. */
  constructor(private readonly make: (item: A) => B | undefined) {}

  /** In the order of the list. */
  of(list: readonly A[]): readonly B[] {
    const [first] = list;
    if (!isRecord(first)) return list.flatMap((item) => this.make(item) ?? []);
    const before = this.#newest.get(first);
    if (before?.list === list) return before.made;
    const chosen = this.#chosen(list, before);
    this.#newest.set(first, chosen);
    return chosen.made;
  }

  #chosen(list: readonly A[], before: Chosen<A, B> | undefined): Chosen<A, B> {
    const shared = before ? sharedLength(before.list, list) : 0;
    let next = 0;
    while (before && (before.places[next] ?? Infinity) < shared) next++;
    const made = before ? before.made.slice(0, next) : [];
    const places = before ? before.places.slice(0, next) : [];
    for (let index = shared; index < list.length; index++) {
      const item = list[index] as A;
      const wasMade = before?.places[next] === index ? before.made[next++] : undefined;
      const one = before && index < before.list.length && before.list[index] === item ? wasMade : this.make(item);
      if (one === undefined) continue;
      made.push(one);
      places.push(index);
    }
    return { list, made, places };
  }
}

interface Chosen<A, B> {
  readonly list: readonly A[];
  readonly made: readonly B[];
  /** Of the items that `made` is made of. */
  readonly places: readonly number[];
}

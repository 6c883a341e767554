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
  readonly #newest = new WeakMap<object, { readonly list: readonly A[]; readonly made: readonly B[] }>();

  /** `make`: it must always make the same of the same item. Where every item stays what it is, the result is the list itself. */
  of(list: readonly A[], make: (item: A) => B): B[] {
    let made = this.#known.get(list);
    if (made === undefined) {
      const first: unknown = list[0];
      const key = typeof first === 'object' && first !== null ? first : undefined;
      made = madeItems(list, make, key && this.#newest.get(key));
      this.#known.set(list, made);
      if (key) this.#newest.set(key, { list, made });
    }
    return made;
  }
}

function madeItems<A, B>(
  list: readonly A[],
  make: (item: A) => B,
  before: { readonly list: readonly A[]; readonly made: readonly B[] } | undefined,
): B[] {
  const shared = before ? Math.min(before.list.length, list.length) : 0;
  let items: B[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as A;
    const made = before && index < shared && before.list[index] === item ? (before.made[index] as B) : make(item);
    if (items) items[index] = made;
    else if (made !== (item as unknown)) {
      items = list.slice() as unknown as B[];
      items[index] = made;
    }
  }
  return items ?? (list as unknown as B[]);
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
    const made: B[] = [];
    const places: number[] = [];
    let next = 0;
    for (let index = 0; index < list.length; index++) {
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

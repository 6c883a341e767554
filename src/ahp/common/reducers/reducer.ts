/**
 * What the reducers of all resources share: how a reducer is made of a recipe, and how a recipe reads and changes parts of a state
 * that came over the wire and may have any shape.
 *
 * A recipe changes its draft in place, as immer has it. Only what was in the state before the batch is a draft. What an action brings is put
 * into the state as it is, so it is not written to either when a later action of the batch changes it: {@link change} copies it then, and a
 * list that an action brings is copied before it is put in.
 */
import { current, enableArrayMethods, Immer, isDraft, isModified, original } from 'immer';
import { isRecord } from '../../../base/isRecord.ts';
import { sameJson } from '../../../base/sameJson.ts';

// A search through a list of a draft, and a move within it, make no drafts of its items.
enableArrayMethods();

/** States are not frozen, but for some new objects. That would take a walk through all of every snapshot and of every value that an action brings. */
const immer = new Immer({ autoFreeze: false });

/** All that these helpers know of an action. */
export interface ActionLike {
  type: string;
}

/** Pure. The same reference comes back when nothing changed, and nothing that a host can send makes it throw. `now`: ms since the epoch. */
export type Reducer<S, A extends ActionLike = ActionLike> = (state: S, action: A, now: number) => S;

/** Applies one action to a draft, under the rules at the head of this file. */
export type Recipe<S, A extends ActionLike> = (draft: S, action: A, now: number) => void;

/** Called with the draft at the end of a batch. What it returns is called with the new state. */
export type AtEnd<S> = (draft: S) => ((next: S) => void) | undefined;

interface Rules<S, A extends ActionLike> {
  recipe: Recipe<S, A>;
  atEnd?: AtEnd<S> | undefined;
}
const rulesOf = new WeakMap<object, unknown>();

/** Makes a reducer of a recipe, which must ignore actions that it does not know. {@link reduceInOneDraft} runs it for several actions. */
export function createReducer<S extends object, A extends ActionLike>(recipe: Recipe<S, A>, atEnd?: AtEnd<S>): Reducer<S, A | ActionLike> {
  const rules: Rules<S, ActionLike> = { recipe: recipe as Recipe<S, ActionLike>, atEnd };
  const reducer: Reducer<S> = (state, action, now) => (isReducible(action) ? reduceWith(rules, state, [action], now) : state);
  rulesOf.set(reducer, rules);
  return reducer;
}

/** Deeper than any real action. Immer walks through new values by recursion. */
const MAX_DEPTH = 100;

/** False for what changes nothing, whatever it says: no object, or one that is nested without sense. */
export function isReducible(action: unknown): boolean {
  return isRecord(action) && !isDeeperThan(action, MAX_DEPTH);
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true;
  // Also through a list: it is the fastest way, and every action is looked at.
  for (const key in value) {
    const field = (value as Record<string, unknown>)[key];
    if (typeof field === 'object' && field !== null && isDeeperThan(field, levels - 1)) return true;
  }
  return false;
}

/** Applies the {@link isReducible} actions in order, in one draft when the reducer is one of {@link createReducer}. */
export function reduceInOneDraft<S, A extends ActionLike>(reducer: Reducer<S, A>, state: S, actions: readonly A[], now: number): S {
  const rules = rulesOf.get(reducer) as Rules<S, A> | undefined;
  if (rules !== undefined) return reduceWith(rules, state, actions, now);
  return actions.reduce((current, action) => reducer(current, action, now), state);
}

function reduceWith<S, A extends ActionLike>(rules: Rules<S, A>, state: S, actions: readonly A[], now: number): S {
  if (!isRecord(state)) return state;
  const { recipe, atEnd } = rules;
  let settle: ((next: S) => void) | undefined;
  try {
    const next = immer.produce<S>(state, (draft) => {
      for (const action of actions) recipe(draft as S, action, now);
      settle = atEnd?.(draft as S);
    });
    settle?.(next);
    return next;
  } catch (error) {
    // A snapshot may be nested deeper than actions. What cannot be changed in it stays.
    if (!(error instanceof RangeError)) throw error;
    return actions.length === 1 ? state : actions.reduce((current, action) => reduceWith(rules, current, [action], now), state);
  }
}

/** `null` counts as absent, because some hosts send it for optional fields. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** The list itself, or an empty one if it is something else. */
export function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** The string itself, or an empty one if it is something else. (Joining an object to a string may throw.) */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value without its draft where that was not written to, to be read or compared at full speed, or put into a new object. */
export function plainOf<T>(value: T): T {
  return isDraft(value) && !isModified(value) ? (original<unknown>(value) as T) : value;
}

/** Every look into a draft that was written to costs more than a copy of what was written. */
export function isSame(previous: unknown, value: unknown): boolean {
  const plain = plainOf(previous);
  if (!isDraft(plain)) return sameJson(plain, value);
  // A copy of a list would be one of all that actions have put into it.
  if (Array.isArray(plain))
    return Array.isArray(value) && plain.length === value.length && plain.every((item, index) => isSame(item, value[index]));
  return sameJson(current(plain), value);
}

/**
 * Sets a field of a draft or of a new object, or removes it when the value is absent. An equal value keeps the old one.
 * Not for `__proto__`, which drafts refuse.
 */
export function setField<S extends object, K extends keyof S>(draft: S, key: K, value: S[K] | null | undefined): void {
  if (isAbsent(value)) {
    if (!isAbsent(draft[key])) Reflect.deleteProperty(draft, key);
  } else if (typeof value !== 'object') {
    if (draft[key] !== value) draft[key] = value;
  } else {
    // A descriptor has the value itself, where `draft[key]` would make a draft of it.
    const previous = Object.getOwnPropertyDescriptor(draft, key)?.value as S[K] | undefined;
    if (!isSame(previous, value)) draft[key] = value;
  }
}

/**
 * Sets a list that is only ever replaced as a whole. It is a frozen copy: immer looks through all that is new for drafts, which takes longer than
 * the rest of an action with a large list, but not through what is frozen. There are none in what an action brings.
 */
export function setWhole<S extends object, K extends keyof S>(draft: S, key: K, list: readonly unknown[]): void {
  setField(draft, key, Object.freeze([...list]) as S[K]);
}

/** Changes an object or list of a draft in place, or a copy of it if an action of this batch has brought it. */
export function change<H extends object, K extends keyof H>(holder: H, key: K, recipe: (value: H[K]) => void): void {
  const value = holder[key];
  if (isDraft(value)) recipe(value);
  else
    holder[key] = immer.produce(value, (draft) => {
      recipe(draft as H[K]);
    });
}

/** The list of a draft, to be changed in place. It is made where there is none. */
export function listIn<S extends object, K extends keyof S>(draft: S, key: K): NonNullable<S[K]> {
  if (!Array.isArray(draft[key])) draft[key] = [] as S[K];
  return draft[key] as NonNullable<S[K]>;
}

/** Puts an item in a place of a list, or last when the place is −1. An equal one stays. */
export function putAt<T>(list: T[], place: number, item: T): void {
  if (place < 0) list.push(item);
  else if (!isSame(list[place], item)) list[place] = item;
}

/** The places of all items that are sought. It makes no drafts of them, as a loop would. */
export function placesWhere<T>(list: readonly T[], isSought: (item: T) => boolean): number[] {
  const places: number[] = [];
  list.every((item, place) => {
    if (isSought(item)) places.push(place);
    return true;
  });
  return places;
}

/** The object without its absent fields, which states do not have. */
export function omitAbsent<T extends object>(value: T): T {
  const present: Record<string, unknown> = {};
  for (const key in value) if (!isAbsent(value[key])) present[key] = value[key];
  return present as T;
}

/** Merges the values into those of a configuration, or replaces them all. They may have any name, such as `__proto__`. */
export function setConfigValues(config: { values: Record<string, unknown> }, values: Record<string, unknown>, replace: boolean): void {
  setField(config, 'values', replace ? values : { ...plainOf(config.values), ...values });
}

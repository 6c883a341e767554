/**
 * What the reducers of all resources share: how a reducer is made of a recipe that changes an immer draft, and how a recipe
 * reads and replaces parts of a state that came from the wire and may have any shape.
 *
 * A recipe drafts the resource's top-level object only. Everything below is read plain and replaced, never drafted: a lookup
 * through drafts makes a proxy of every part that it passes, and immer, once there is more than one draft, searches each newly
 * assigned value (a whole history, at the end of a turn) for drafts inside. Replacing also means that no value of an action or of
 * an earlier state is ever written to, so a batch can share one draft and still give what its actions give one by one.
 */
import { Immer, isDraftable } from 'immer';

/** What all actions have. The helpers know no more of them, so that a resource can use them for its own. */
export interface ActionLike {
  type: string;
}

/** Pure. The same reference comes back when nothing changed, and nothing that a host can send makes it throw. `now`: ms since the epoch. */
export type Reducer<S, A extends ActionLike = ActionLike> = (state: S, action: A, now: number) => S;

/** Applies one action to a draft, under the rules at the head of this file. */
export type Recipe<S, A extends ActionLike> = (draft: S, action: A, now: number) => void;

// No freezing: immer would walk the whole of each snapshot to freeze it, and everything the reducers return is read-only by
// convention already. An own instance, because the setting of the shared one belongs to whoever bundles us.
const immer = new Immer({ autoFreeze: false });

const recipes = new WeakMap<object, unknown>();

/** Makes the reducer of a recipe, which leaves alone what it does not know; {@link reduceInOneDraft} can run it for several actions. */
export function createReducer<S extends object, A extends ActionLike>(recipe: Recipe<S, A>): Reducer<S, A | ActionLike> {
  const reducer: Reducer<S> = (state, action, now) => reduceWith(recipe as Recipe<S, ActionLike>, state, [action], now);
  recipes.set(reducer, recipe);
  return reducer;
}

/** Applies the actions in order, in one draft when the reducer is one of {@link createReducer}. */
export function reduceInOneDraft<S, A extends ActionLike>(reducer: Reducer<S, A>, state: S, actions: readonly A[], now: number): S {
  const recipe = recipes.get(reducer) as Recipe<S, A> | undefined;
  if (recipe !== undefined) return reduceWith(recipe, state, actions, now);
  return actions.reduce((current, action) => reducer(current, action, now), state);
}

function reduceWith<S, A extends ActionLike>(recipe: Recipe<S, A>, state: S, actions: readonly A[], now: number): S {
  if (!isRecord(state) || !isDraftable(state)) return state;
  return immer.produce(state, (draft) => {
    for (const action of actions) if (isRecord(action)) recipe(draft as S, action, now);
  });
}

/** True for what JSON calls an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `null` counts as absent: some hosts send it where the types leave the field out. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** The list itself, or an empty one where a host sent something else. */
export function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** The string itself, or an empty one where a host sent something else (joining an object to a string may throw). */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A draft's own field as it is now, without making a draft of it (reading `draft[key]` would). */
export function peek<S extends object, K extends keyof S>(draft: S, key: K): S[K] | undefined {
  return Reflect.getOwnPropertyDescriptor(draft, key)?.value as S[K] | undefined;
}

/**
 * Sets a field of a draft or of a fresh object, or removes it when there is no value; true when that changed it.
 * An equal value leaves the old one in place.
 */
export function setField<S extends object, K extends keyof S>(draft: S, key: K, value: S[K] | null | undefined): boolean {
  const previous = peek(draft, key);
  if (isAbsent(value)) return !isAbsent(previous) && Reflect.deleteProperty(draft, key);
  if (sameJson(previous, value)) return false;
  draft[key] = value;
  return true;
}

/** The list with another item at an index; the same list when the items are equal. */
export function replaceAt<T>(list: readonly T[], index: number, item: T): T[] {
  return sameJson(list[index], item) ? (list as T[]) : list.with(index, item);
}

/** The object without its absent fields: the wire leaves them out, and so does a state. */
export function omitAbsent<T extends object>(value: T): T {
  const present: Record<string, unknown> = {};
  for (const key in value) if (!isAbsent(value[key])) present[key] = value[key];
  return present as T;
}

/** The configuration with values merged in or replaced; the same object when they are equal already. */
export function withConfigValues<C extends { values: Record<string, unknown> }>(
  config: C,
  values: Record<string, unknown>,
  replace: boolean,
): C {
  const next = replace ? values : { ...config.values, ...values };
  return sameJson(config.values, next) ? config : { ...config, values: next };
}

// Deeper than any real state; what lies below counts as different, so that a hostile nesting cannot exhaust the stack.
const MAX_COMPARED_DEPTH = 100;

/** True when two JSON values are equal. Stops at the first difference and at shared references, so it is cheap on states. */
export function sameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > MAX_COMPARED_DEPTH) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!sameJson(a[index], b[index], depth + 1)) return false;
    return true;
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key) || !sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], depth + 1))
      return false;
  }
  return true;
}

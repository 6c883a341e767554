/**
 * What the reducers of all resources share: how a reducer is made of a recipe, and how a recipe reads and replaces parts of a state
 * that came over the wire and may have any shape.
 *
 * A recipe may assign to the fields of its draft, a shallow copy of the resource's state. Everything below is shared with earlier states
 * and with actions, so it is never written to: a recipe replaces it. A batch can therefore share one draft and still give what its
 * actions give one by one.
 */
import { isRecord } from '../../../base/isRecord.ts';
import { sameJson } from '../../../base/sameJson.ts';

/** All that these helpers know of an action. */
export interface ActionLike {
  type: string;
}

/** Pure. The same reference comes back when nothing changed, and nothing that a host can send makes it throw. `now`: ms since the epoch. */
export type Reducer<S, A extends ActionLike = ActionLike> = (state: S, action: A, now: number) => S;

/** Applies one action to a draft, under the rules at the head of this file. */
export type Recipe<S, A extends ActionLike> = (draft: S, action: A, now: number) => void;

const recipes = new WeakMap<object, unknown>();

/** Makes a reducer of a recipe, which must ignore actions that it does not know. {@link reduceInOneDraft} runs it for several actions. */
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
  if (!isRecord(state)) return state;
  const draft = { ...state };
  for (const action of actions) if (isRecord(action)) recipe(draft, action, now);
  return hasSameFields(draft, state) ? state : draft;
}

function hasSameFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && Object.is(a[key], b[key]));
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

/**
 * Sets a field of a draft or of a new object, or removes it when the value is absent. True when that changed it.
 * An equal value keeps the old one.
 */
export function setField<S extends object, K extends keyof S>(draft: S, key: K, value: S[K] | null | undefined): boolean {
  const previous = draft[key];
  if (isAbsent(value)) return !isAbsent(previous) && Reflect.deleteProperty(draft, key);
  if (sameJson(previous, value)) return false;
  draft[key] = value;
  return true;
}

/** The list with another item at an index. The same list when the items are equal. */
export function replaceAt<T>(list: readonly T[], index: number, item: T): T[] {
  return sameJson(list[index], item) ? (list as T[]) : list.with(index, item);
}

/** The object without its absent fields, which states do not have. */
export function omitAbsent<T extends object>(value: T): T {
  const present: Record<string, unknown> = {};
  for (const key in value) if (!isAbsent(value[key])) present[key] = value[key];
  return present as T;
}

/** The configuration with its values merged or replaced. The same object when they are equal already. */
export function withConfigValues<C extends { values: Record<string, unknown> }>(
  config: C,
  values: Record<string, unknown>,
  replace: boolean,
): C {
  const next = replace ? values : { ...config.values, ...values };
  return sameJson(config.values, next) ? config : { ...config, values: next };
}

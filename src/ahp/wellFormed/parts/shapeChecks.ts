/**
 * Checks of which the shapes in `wellFormed/` are made. What fits stays the same object. What does not is left out, replaced by an empty value,
 * or made a part of unknown kind. They are no zod schemas, because those make new objects at each look: what was checked before is known here by
 * its identity, so that a word that is appended to a chat costs the same whatever the chat holds.
 */
import { isRecord } from '../../../base/isRecord.ts';
import { RememberedLists } from '../../common/remembered.ts';
import { URI_PATTERN } from '../../common/uriPattern.ts';

/** The value as it may be used, the same one where nothing is wrong with it. Undefined when it cannot be used at all. */
export type Check = (value: unknown) => unknown;
export interface Field {
  check: Check;
  /** Replaces what cannot be used. Undefined leaves the member out. */
  otherwise?: unknown;
  /** Without it the whole object cannot be used. */
  required?: true;
  /** It may be absent or null, but if it is wrong, the whole object cannot be used. */
  exact?: true;
}
type Fields = Record<string, Field>;

/** What was checked and cannot be used. */
const UNUSABLE = Symbol('unusable');

export const may = (check: Check): Field => ({ check });
export const or = (otherwise: unknown, check: Check): Field => ({ check, otherwise });
export const needs = (check: Check): Field => ({ check, required: true });
export const exactly = (check: Check): Field => ({ check, exact: true });

export const text: Check = (value) => (typeof value === 'string' ? value : undefined);
/** What names something: never empty. */
export const id: Check = (value) => text(value) || undefined;
/** An absolute one. */
export const uri: Check = (value) => (typeof value === 'string' && URI_PATTERN.test(value) ? value : undefined);
export const flag: Check = (value) => (typeof value === 'boolean' ? value : undefined);
export const number: Check = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
export const primitive: Check = (value) => text(value) ?? number(value) ?? flag(value);
/** How many. */
export const count: Check = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined);
/** From 0, and small enough for every editor. */
export const place: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31 ? value : undefined;
export const anyObject: Check = (value) => (isRecord(value) ? value : undefined);
export const textOrMarkdown: Check = (value) => (typeof value === 'string' ? value : markdown(value));

/** Checks that take less time than to remember what they said, whatever they look at. */
const simple: ReadonlySet<Check> = new Set([text, id, flag, number, primitive, count, place, anyObject]);

export function object(fields: Fields): Check {
  const members = Object.entries(fields);
  const isSimple = members.every(([, { check }]) => simple.has(check));
  const isFine = (value: Record<string, unknown>) =>
    members.every(([key, { check, otherwise, required }]) => {
      const member = value[key];
      return member === undefined ? otherwise === undefined && !required : check(member) !== undefined;
    });
  // States share what did not change, so most of each was checked before.
  const known = new WeakMap<object, unknown>();
  const fit = (value: Record<string, unknown>): unknown => {
    let result = value;
    for (const [key, { check, otherwise, required, exact }] of members) {
      const member = value[key];
      const good = member === undefined || member === null ? undefined : check(member);
      if (good === undefined && (required || (exact && member !== undefined && member !== null))) return undefined;
      const wanted = good ?? otherwise;
      if (wanted === member) continue;
      if (result === value) result = { ...value };
      if (wanted === undefined) Reflect.deleteProperty(result, key);
      else result[key] = wanted;
    }
    return result;
  };
  return (value) => {
    if (!isRecord(value)) return undefined;
    if (isSimple && isFine(value)) return value;
    let result = known.get(value);
    if (result === undefined) known.set(value, (result = fit(value) ?? UNUSABLE));
    return result === UNUSABLE ? undefined : result;
  };
}
/** A list without the items that cannot be used, or with what `instead` makes of them. */
export function list(item: Check, instead: Check = () => undefined): Check {
  const checked = new RememberedLists<unknown, unknown>();
  // Also where an item is undefined, it is told from one that stays what it is.
  const check = (value: unknown) => item(value) ?? instead(value) ?? UNUSABLE;
  const shorter = new WeakMap<object, unknown[]>();
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const all = checked.of(value, check);
    if (all === value || !all.includes(UNUSABLE)) return all;
    let good = shorter.get(all);
    if (!good) shorter.set(all, (good = all.filter((one) => one !== UNUSABLE)));
    return good;
  };
}

/** Of items with equal names the first: actions are about that one, as in the reducers. `items`: a list of objects that have one. */
export function uniqueBy(name: string, items: Check): Check {
  const known = new WeakMap<object, unknown>();
  const fit = (all: readonly Record<string, unknown>[]): unknown => {
    const names = new Set<unknown>();
    const unique = all.filter((item) => !names.has(item[name]) && names.add(item[name]));
    return unique.length === all.length ? all : unique;
  };
  return (value) => {
    const all = items(value) as Record<string, unknown>[] | undefined;
    if (!all) return undefined;
    if (!known.has(all)) known.set(all, fit(all));
    return known.get(all);
  };
}

/** A list in which every item can be used. */
export function whole(item: Check): Check {
  const items = list(item);
  return (value) => {
    const good = items(value);
    return Array.isArray(good) && good.length === (value as unknown[]).length ? good : undefined;
  };
}

export function record(item: Check): Check {
  return (value) => {
    if (!isRecord(value)) return undefined;
    const entries = Object.entries(value);
    const good = entries.map(([key, member]) => [key, item(member)] as const).filter(([, member]) => member !== undefined);
    const same = good.length === entries.length && good.every(([key, member]) => member === value[key]);
    return same ? value : Object.fromEntries(good);
  };
}

/** By the value of `tag`. A value that is not listed is of a later version, and the object is kept when it fits `otherwise`. */
export function union(tag: string, cases: Record<string, Check>, otherwise: Check = object({ [tag]: needs(text) })): Check {
  return (value) => {
    if (!isRecord(value)) return undefined;
    const name = value[tag];
    return ((typeof name === 'string' && Object.hasOwn(cases, name) && cases[name]) || otherwise)(value);
  };
}

/** A part that shows the name and everything that came with it. */
export function malformed(tag: string): Check {
  return (value) => {
    const name = isRecord(value) && typeof value[tag] === 'string' ? value[tag] : `no ${tag}`;
    return { [tag]: `${name}, malformed`, value };
  };
}

const markdown = object({ markdown: needs(text) });

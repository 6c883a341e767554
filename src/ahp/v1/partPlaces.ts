/**
 * Where the parts of a turn are, by their ids, so that a delta finds its part in a turn of thousands without a search. Lists that come from
 * each other share one index, also where two of them went on differently (the confirmed and the optimistic state): an index holds every
 * place that an id has in any of them, and what is not so in the list that is asked for is left out.
 */
import { isRecord } from './reducer.ts';
import type { ResponsePart } from './session.ts';

type Index = Map<string, Set<number>>;

const indexes = new WeakMap<readonly ResponsePart[], Index>();

/** Ids of tool calls and of other parts are apart. */
function keyOf(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  if (part.kind === 'toolCall') return isRecord(part.toolCall) ? keyOfId('call', part.toolCall.toolCallId) : undefined;
  return keyOfId('part', part.id);
}

function keyOfId(what: 'call' | 'part', id: unknown): string | undefined {
  return typeof id === 'string' ? `${what} ${id}` : undefined;
}

function add(index: Index, part: unknown, place: number): void {
  const key = keyOf(part);
  if (key === undefined) return;
  const places = index.get(key);
  if (places) places.add(place);
  else index.set(key, new Set([place]));
}

function indexOf(parts: readonly ResponsePart[]): Index {
  const known = indexes.get(parts);
  if (known) return known;
  const index: Index = new Map();
  for (const [place, part] of parts.entries()) add(index, part, place);
  indexes.set(parts, index);
  return index;
}

function placesOf(parts: readonly ResponsePart[], key: string | undefined): number[] {
  if (key === undefined) return [];
  return [...(indexOf(parts).get(key) ?? [])].filter((place) => keyOf(parts[place]) === key);
}

/** The place of the first part of this id, of whatever kind but tool calls; −1 when there is none. */
export function firstPlaceOf(parts: readonly ResponsePart[], id: unknown): number {
  const places = placesOf(parts, keyOfId('part', id));
  return places.length > 0 ? Math.min(...places) : -1;
}

/** The places of all tool calls of this id. */
export function placesOfCall(parts: readonly ResponsePart[], toolCallId: unknown): number[] {
  return placesOf(parts, keyOfId('call', toolCallId));
}

/** The list with a part behind the others. */
export function withPart(parts: readonly ResponsePart[], part: ResponsePart): ResponsePart[] {
  const index = indexOf(parts);
  const longer = parts.concat([part]);
  add(index, part, parts.length);
  indexes.set(longer, index);
  return longer;
}

/** The list with another part of the same id at a place. */
export function withPartAt(parts: readonly ResponsePart[], place: number, part: ResponsePart): ResponsePart[] {
  const changed = parts.with(place, part);
  indexes.set(changed, indexOf(parts));
  return changed;
}

/**
 * An index of a turn's parts, so that no action has to search a turn of thousands: their places by id, and the number of calls that wait for
 * the user. A list and its successors share the places, also where two successors differ (the confirmed and the optimistic state). The
 * places of an id are then those that it has in any of these lists, and a look-up leaves out those that do not hold for its list.
 */
import { isRecord } from '../../../base/isRecord.ts';
import type { ResponsePart } from '../session.ts';
import { waitsForPerson } from './toolCallReducer.ts';

/** A set where an id repeats, since a host may send one id thousands of times. */
type Places = Map<string, number | Set<number>>;

interface PartIndex {
  /** By `toolCallId`. */
  readonly calls: Places;
  /** All other parts, by `id`. */
  readonly others: Places;
  readonly waitingCalls: number;
}

const indexes = new WeakMap<readonly ResponsePart[], PartIndex>();

function indexOf(parts: readonly ResponsePart[]): PartIndex {
  let index = indexes.get(parts);
  if (index) return index;
  index = { calls: new Map(), others: new Map(), waitingCalls: parts.reduce((count, part) => count + waiting(part), 0) };
  for (const [place, part] of parts.entries()) addPlace(index, part, place);
  indexes.set(parts, index);
  return index;
}

function callIdOf(part: ResponsePart | undefined): unknown {
  return isRecord(part) && part.kind === 'toolCall' && isRecord(part.toolCall) ? part.toolCall.toolCallId : undefined;
}

function otherIdOf(part: ResponsePart | undefined): unknown {
  return isRecord(part) && part.kind !== 'toolCall' ? (part as { id?: unknown }).id : undefined;
}

/** 1 or 0. */
function waiting(part: ResponsePart | undefined): number {
  return isRecord(part) && part.kind === 'toolCall' && isRecord(part.toolCall) && waitsForPerson(part.toolCall) ? 1 : 0;
}

function addPlace({ calls, others }: PartIndex, part: ResponsePart, place: number): void {
  const isCall = isRecord(part) && part.kind === 'toolCall';
  const id = isCall ? callIdOf(part) : otherIdOf(part);
  if (typeof id !== 'string') return;
  const places = isCall ? calls : others;
  const earlier = places.get(id);
  if (earlier === undefined) places.set(id, place);
  else if (typeof earlier === 'object') earlier.add(place);
  else if (earlier !== place) places.set(id, new Set([earlier, place]));
}

function placesOf(places: Places, id: unknown): Iterable<number> {
  const found = typeof id === 'string' ? places.get(id) : undefined;
  return typeof found === 'number' ? [found] : (found ?? []);
}

/** The place of the first part of this id, of whatever kind but tool calls; −1 when there is none. */
export function firstPlaceOf(parts: readonly ResponsePart[], id: unknown): number {
  let first = -1;
  for (const place of placesOf(indexOf(parts).others, id)) {
    if (otherIdOf(parts[place]) === id && (first < 0 || place < first)) first = place;
  }
  return first;
}

/** The places of all tool calls of this id, in any order. */
export function placesOfCall(parts: readonly ResponsePart[], toolCallId: unknown): number[] {
  return [...placesOf(indexOf(parts).calls, toolCallId)].filter((place) => callIdOf(parts[place]) === toolCallId);
}

/** True while a call of the list waits for the user. */
export function hasWaitingCall(parts: readonly ResponsePart[]): boolean {
  return indexOf(parts).waitingCalls > 0;
}

/** The list with a part behind the others. */
export function withPart(parts: readonly ResponsePart[], part: ResponsePart): ResponsePart[] {
  const index = indexOf(parts);
  const longer = parts.concat([part]);
  addPlace(index, part, parts.length);
  indexes.set(longer, withWaiting(index, waiting(part)));
  return longer;
}

/** The list with another part of the same kind and id at a place. */
export function withPartAt(parts: readonly ResponsePart[], place: number, part: ResponsePart): ResponsePart[] {
  const changed = parts.with(place, part);
  indexes.set(changed, withWaiting(indexOf(parts), waiting(part) - waiting(parts[place])));
  return changed;
}

function withWaiting(index: PartIndex, more: number): PartIndex {
  return more === 0 ? index : { ...index, waitingCalls: index.waitingCalls + more };
}

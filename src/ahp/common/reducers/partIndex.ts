/**
 * An index of a turn's parts, so that no action has to search a turn of thousands: their places by id, and the number of those that wait for
 * the user. A list and its successors share the places, also where two successors differ (the confirmed and the optimistic state). The
 * places of an id are then those that it has in any of these lists, and a look-up leaves out those that do not hold for its list.
 */
import { isRecord } from '../../../base/isRecord.ts';

/** All that the index knows of a part: a tool call has its id in `toolCall`, other parts may have an `id`. */
export interface PartLike {
  kind: string;
}

/** A set where an id repeats, since a host may send one id thousands of times. */
type Places = Map<string, number | Set<number>>;

interface PartIndex {
  /** By `toolCallId`. */
  readonly calls: Places;
  /** All other parts, by `id`. */
  readonly others: Places;
  readonly waiting: number;
}

function callIdOf(part: PartLike | undefined): unknown {
  return isRecord(part) && part.kind === 'toolCall' && isRecord(part.toolCall) ? part.toolCall.toolCallId : undefined;
}

function otherIdOf(part: PartLike | undefined): unknown {
  return isRecord(part) && part.kind !== 'toolCall' ? (part as { id?: unknown }).id : undefined;
}

function addPlace({ calls, others }: PartIndex, part: PartLike, place: number): void {
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

/** The index of the lists of one dialect. `waits`: true for a part that waits for the user. */
export class PartIndexes<P extends PartLike> {
  readonly #indexes = new WeakMap<readonly P[], PartIndex>();

  constructor(private readonly waits: (part: P) => boolean) {}

  /** The place of the first part of this id, also of a tool call; −1 when there is none. */
  firstPlaceOf(parts: readonly P[], id: unknown): number {
    const { calls, others } = this.#indexOf(parts);
    const places = [...placesOf(others, id), ...placesOf(calls, id)].filter(
      (place) => (callIdOf(parts[place]) ?? otherIdOf(parts[place])) === id,
    );
    return places.reduce((first, place) => (first < 0 || place < first ? place : first), -1);
  }

  /** The places of all tool calls of this id, in any order. */
  placesOfCall(parts: readonly P[], toolCallId: unknown): number[] {
    return [...placesOf(this.#indexOf(parts).calls, toolCallId)].filter((place) => callIdOf(parts[place]) === toolCallId);
  }

  /** True while a part of the list waits for the user. */
  hasWaiting(parts: readonly P[]): boolean {
    return this.#indexOf(parts).waiting > 0;
  }

  /** The list with a part behind the others. */
  withPart(parts: readonly P[], part: P): P[] {
    const index = this.#indexOf(parts);
    const longer = parts.concat([part]);
    addPlace(index, part, parts.length);
    this.#indexes.set(longer, withWaiting(index, this.#waiting(part)));
    return longer;
  }

  /** The list with another part of the same kind and id at a place. */
  withPartAt(parts: readonly P[], place: number, part: P): P[] {
    const changed = parts.with(place, part);
    this.#indexes.set(changed, withWaiting(this.#indexOf(parts), this.#waiting(part) - this.#waiting(parts[place])));
    return changed;
  }

  #indexOf(parts: readonly P[]): PartIndex {
    let index = this.#indexes.get(parts);
    if (index) return index;
    index = { calls: new Map(), others: new Map(), waiting: parts.reduce((count, part) => count + this.#waiting(part), 0) };
    for (const [place, part] of parts.entries()) addPlace(index, part, place);
    this.#indexes.set(parts, index);
    return index;
  }

  /** 1 or 0. */
  #waiting(part: P | undefined): number {
    return isRecord(part) && this.waits(part as P) ? 1 : 0;
  }
}

function withWaiting(index: PartIndex, more: number): PartIndex {
  return more === 0 ? index : { ...index, waiting: index.waiting + more };
}

/**
 * An index of a turn's parts, so that no action has to search a turn of thousands: their places by id, and the number of those that wait for
 * the user. (Measured in a turn of 5,000 parts, with two texts that grow in turn: reducing takes 40 times as long with a search.)
 * A list, its draft and its successors share the places, also where two successors differ (the confirmed and the optimistic state). The
 * places of an id are then those that it has in any of these lists, and a look-up leaves out those that do not hold for its list.
 */
import { isDraft, original } from 'immer';
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
  waiting: number;
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
  /** Of the batch that is being reduced. */
  readonly #ofDrafts = new Map<readonly P[], PartIndex>();

  constructor(private readonly waits: (part: P) => boolean) {}

  /** The place of the first part of this id, also of a tool call; −1 when there is none. */
  firstPlaceOf(parts: readonly P[], id: unknown): number {
    const { calls, others } = this.#indexOf(parts);
    const [other, call] = typeof id === 'string' ? [others.get(id), calls.get(id)] : [];
    // Mostly there is one.
    if (typeof other === 'number' && call === undefined) return otherIdOf(parts[other]) === id ? other : -1;
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

  /** Adds a part to a list of a draft. */
  push(parts: P[], part: P): void {
    const index = this.#indexOf(parts);
    addPlace(index, part, parts.length);
    index.waiting += this.#waiting(part);
    parts.push(part);
  }

  /** Changes a part of a list of a draft, but not its kind and id. */
  change(parts: P[], place: number, recipe: (part: P) => void): void {
    const part = parts[place] as P;
    const before = this.#waiting(part);
    recipe(part);
    this.#indexOf(parts).waiting += this.#waiting(part) - before;
  }

  /** True when {@link keep} has nothing to do. */
  get isIdle(): boolean {
    return this.#ofDrafts.size === 0;
  }

  /** For the end of a batch: gives a list the index of the draft that it was made of. */
  keep(draft: readonly P[], parts: readonly P[]): void {
    const index = this.#ofDrafts.get(draft);
    if (index && !this.#indexes.has(parts)) this.#indexes.set(parts, index);
    this.#ofDrafts.clear();
  }

  #indexOf(parts: readonly P[]): PartIndex {
    let index = this.#ofDrafts.get(parts) ?? this.#indexes.get(parts);
    if (index) return index;
    if (isDraft(parts)) {
      index = { ...this.#indexOf(original<unknown>(parts) as readonly P[]) };
      this.#ofDrafts.set(parts, index);
      return index;
    }
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

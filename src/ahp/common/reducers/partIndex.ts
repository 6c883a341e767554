/**
 * An index of a turn's parts, so that no action has to search a turn of thousands: their places by id, and the number of those that wait for
 * the user. (Measured in a turn of 5,000 parts, with two texts that grow in turn: reducing takes 40 times as long with a search.)
 * A list, its draft and its successors share the places, also where two successors differ (the confirmed and the optimistic state). The
 * places of an id are then those that it has in any of these lists, and a look-up leaves out those that do not hold for its list.
 */
import { isDraft, original } from 'immer';
import { isRecord } from '../../../base/isRecord.ts';
import { plainOf } from './reducer.ts';

/** All that the index knows of a part: a tool call has its id in `toolCall`, other parts may have an `id`. */
export interface PartLike {
  kind: string;
}

/** A set where an id repeats, since a host may send one id thousands of times. */
type Places = Map<string, number | Set<number>>;

const MAX_ARGUMENTS = 1_000;

interface PartIndex<P> {
  /** By `toolCallId`. */
  readonly calls: Places;
  /** All other parts, by `id`. */
  readonly others: Places;
  waiting: number;
  /** How many parts there were when the turn last ended in this batch, or 0. What is no draft among them may be frozen. */
  ended: number;
  /** Of a draft: its length, and the new parts that are to come behind it. Each look into a draft costs more than most of what is done to a part. */
  readonly behind?: { start: number; added: P[] };
}

function callIdOf(part: PartLike | undefined): unknown {
  return isRecord(part) && part.kind === 'toolCall' && isRecord(part.toolCall) ? part.toolCall.toolCallId : undefined;
}

function otherIdOf(part: PartLike | undefined): unknown {
  return isRecord(part) && part.kind !== 'toolCall' ? (part as { id?: unknown }).id : undefined;
}

function addPlace({ calls, others }: PartIndex<unknown>, part: PartLike, place: number): void {
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

function partAt<P>(parts: readonly P[], { behind }: PartIndex<P>, place: number): P | undefined {
  return behind && place >= behind.start ? behind.added[place - behind.start] : parts[place];
}

/** The part, or a copy that takes its place where it is frozen. */
function writablePart<P>(parts: readonly P[], { ended }: PartIndex<P>, place: number, part: P): P {
  // What takes longest comes last.
  if (place >= ended || !isRecord(part) || isDraft(part) || !Object.isFrozen(part)) return part;
  const copy = { ...part };
  (parts as P[])[place] = copy;
  return copy;
}

/** The index of the lists of one dialect. `waits`: true for a part that waits for the user. */
export class PartIndexes<P extends PartLike> {
  readonly #indexes = new WeakMap<readonly P[], PartIndex<P>>();
  /** Of the drafts, and of the new lists, of the batch that is being reduced. */
  readonly #ofBatch = new Map<readonly P[], PartIndex<P>>();
  /** Mostly the next action is about the same list. */
  #last: { readonly parts: readonly P[]; readonly index: PartIndex<P> } | undefined;

  constructor(private readonly waits: (part: P) => boolean) {}

  /** The place of the first part of this id, also of a tool call; −1 when there is none. */
  firstPlaceOf(parts: readonly P[], id: unknown): number {
    const index = this.#indexOf(parts);
    const [other, call] = typeof id === 'string' ? [index.others.get(id), index.calls.get(id)] : [];
    // Mostly there is one.
    if (typeof other === 'number' && call === undefined) return otherIdOf(partAt(parts, index, other)) === id ? other : -1;
    const places = [...placesOf(index.others, id), ...placesOf(index.calls, id)].filter((place) => {
      const part = partAt(parts, index, place);
      return (callIdOf(part) ?? otherIdOf(part)) === id;
    });
    return places.reduce((first, place) => (first < 0 || place < first ? place : first), -1);
  }

  /** Changes all tool calls of this id, in any order, as {@link change} does. */
  changeCalls(parts: readonly P[], toolCallId: unknown, recipe: (part: P) => void): void {
    const index = this.#indexOf(parts);
    const places = typeof toolCallId === 'string' ? index.calls.get(toolCallId) : undefined;
    // Mostly there is one.
    if (typeof places === 'number') this.#changeCall(parts, index, places, toolCallId, recipe);
    else for (const place of places ?? []) this.#changeCall(parts, index, place, toolCallId, recipe);
  }

  /** True while a part of the list waits for the user. */
  hasWaiting(parts: readonly P[]): boolean {
    return this.#indexOf(parts).waiting > 0;
  }

  /** A part of a list of a draft, to be written to, but not to its kind and id. One that is frozen is replaced by a copy. */
  writable(parts: readonly P[], place: number): P | undefined {
    const index = this.#indexOf(parts);
    return writablePart(parts, index, place, partAt(parts, index, place));
  }

  /** True for a list that was made in the batch that is being reduced, or its draft, as far as it was looked at. */
  isOfBatch(parts: readonly P[]): boolean {
    return this.#ofBatch.has(parts);
  }

  /** The turn of the list ends. Returns how many of the parts were there when it ended before, in this batch. */
  end(parts: readonly P[]): number {
    const index = this.#indexOf(parts);
    const { ended } = index;
    index.ended = parts.length;
    return ended;
  }

  /** Adds a part to a list of a draft, which has it from {@link settle} on. */
  push(parts: P[], part: P): void {
    const index = this.#indexOf(parts);
    const { behind } = index;
    addPlace(index, part, behind ? behind.start + behind.added.length : parts.length);
    index.waiting += this.#waiting(part);
    (behind?.added ?? parts).push(part);
  }

  /** Changes a part of a list of a draft, but not its kind and id. */
  change(parts: readonly P[], place: number, recipe: (part: P) => void): void {
    const index = this.#indexOf(parts);
    this.#change(parts, index, place, partAt(parts, index, place) as P, recipe);
  }

  /** Puts what was added into the list of a draft. Returns it. */
  settle(parts: readonly P[]): readonly P[] {
    const behind = this.#ofBatch.get(parts)?.behind;
    if (!behind) return [];
    const { added } = behind;
    // Each call for a draft costs more than what it does, but there cannot be many arguments.
    for (let start = 0; start < added.length; start += MAX_ARGUMENTS) (parts as P[]).push(...added.slice(start, start + MAX_ARGUMENTS));
    behind.start += added.length;
    behind.added = [];
    return added;
  }

  /** True when {@link keep} has nothing to do. */
  get isIdle(): boolean {
    return this.#last === undefined;
  }

  /** For the end of a batch: gives a list the index of the draft that it was made of, or its own. */
  keep(draft: readonly P[], parts: readonly P[]): void {
    const index = this.#ofBatch.get(draft);
    if (index && !this.#indexes.has(parts)) {
      const { calls, others, waiting } = index;
      this.#indexes.set(parts, { calls, others, waiting, ended: 0 });
    }
    this.#ofBatch.clear();
    this.#last = undefined;
  }

  #indexOf(parts: readonly P[]): PartIndex<P> {
    if (this.#last?.parts === parts) return this.#last.index;
    const index = this.#ofBatch.get(parts) ?? this.#begun(parts);
    this.#last = { parts, index };
    return index;
  }

  #begun(parts: readonly P[]): PartIndex<P> {
    const index = isDraft(parts)
      ? { ...this.#ofState(original<unknown>(parts) as readonly P[]), behind: { start: parts.length, added: [] } }
      : this.#made(parts);
    this.#ofBatch.set(parts, index);
    return index;
  }

  #ofState(parts: readonly P[]): PartIndex<P> {
    let index = this.#indexes.get(parts);
    if (!index) this.#indexes.set(parts, (index = this.#made(parts)));
    return index;
  }

  #made(parts: readonly P[]): PartIndex<P> {
    const waiting = parts.reduce((count, part) => count + this.#waiting(part), 0);
    const index: PartIndex<P> = { calls: new Map(), others: new Map(), waiting, ended: 0 };
    for (const [place, part] of parts.entries()) addPlace(index, part, place);
    return index;
  }

  #changeCall(parts: readonly P[], index: PartIndex<P>, place: number, toolCallId: unknown, recipe: (part: P) => void): void {
    const part = partAt(parts, index, place);
    if (part && callIdOf(plainOf(part)) === toolCallId) this.#change(parts, index, place, part, recipe);
  }

  #change(parts: readonly P[], index: PartIndex<P>, place: number, found: P, recipe: (part: P) => void): void {
    const part = writablePart(parts, index, place, found);
    const before = this.#waiting(plainOf(part));
    recipe(part);
    index.waiting += this.#waiting(plainOf(part)) - before;
  }

  /** 1 or 0. */
  #waiting(part: P | undefined): number {
    return isRecord(part) && this.waits(part as P) ? 1 : 0;
  }
}

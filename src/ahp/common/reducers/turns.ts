/** How an active turn is reduced, and the messages that wait for one. Both dialects do it alike, on parts and messages of their own. */
import { isDraft } from 'immer';
import { isRecord } from '../../../base/isRecord.ts';
import { sameJson } from '../../../base/sameJson.ts';
import type { UsageInfo } from '../shapes.ts';
import { type PartLike, PartIndexes } from './partIndex.ts';
import { isSame, listIn, listOf, placesWhere, plainOf, putAt, setField, textOf } from './reducer.ts';

interface TurnLike<P> {
  id: string;
  responseParts: P[];
  usage?: UsageInfo;
}
interface TurnHolder<T> {
  activeTurn?: T;
}
interface CallPart<C> {
  kind: 'toolCall';
  toolCall: C;
}

/** True for a tool call that has the fields of one. */
export function isCallPart<P extends PartLike>(part: P | undefined): part is Extract<P, { kind: 'toolCall' }> {
  return isRecord(part) && part.kind === 'toolCall' && isRecord((part as { toolCall?: unknown }).toolCall);
}

/**
 * The active turns of one dialect: `P` their parts, `T` the turns, `C` the tool calls.
 * An active turn, its list of parts and the parts are drafts, or objects that a reducer has made in this batch and may write to.
 */
export class ActiveTurns<P extends PartLike, T extends TurnLike<P>, C extends object> {
  readonly #indexes: PartIndexes<P>;
  /** The active turn of the draft that is being reduced, because every look through a draft costs more than most of what is done to a turn. */
  #known: { holder: TurnHolder<T>; turn: T | undefined; id: string | undefined; parts: P[] | undefined } | undefined;

  /** `waits`: true for a part that waits for the user. */
  constructor(waits: (part: P) => boolean) {
    this.#indexes = new PartIndexes(waits);
  }

  /** The active turn, if it is one. */
  of(draft: TurnHolder<T>): T | undefined {
    return this.#of(draft).turn;
  }

  /** The active turn if it is the one that an action names. */
  named(draft: TurnHolder<T>, { turnId }: { turnId: string }): T | undefined {
    const { turn, id } = this.#of(draft);
    return turn !== undefined && id === turnId ? turn : undefined;
  }

  /** Makes a turn the active one, or leaves none. It is written at once, so that the fields are in the same order as without a batch. */
  set(draft: TurnHolder<T>, turn: T | undefined): void {
    const { turn: before } = this.#of(draft);
    this.#indexes.settle(this.#parts(draft));
    if (before && turn && isSame(before, turn)) return;
    // What is no turn and is not replaced by one.
    if (!before && !turn) return setField(draft, 'activeTurn', undefined);
    if (turn) draft.activeTurn = turn;
    else delete draft.activeTurn;
    this.#known = { holder: draft, turn, id: turn?.id, parts: undefined };
  }

  #of(holder: TurnHolder<T>) {
    if (this.#known?.holder === holder) return this.#known;
    const { activeTurn } = holder;
    const turn = isRecord(activeTurn) ? activeTurn : undefined;
    return (this.#known = { holder, turn, id: turn?.id, parts: undefined });
  }

  /** The parts of the active turn. */
  #parts(draft: TurnHolder<T>): readonly P[] {
    const known = this.#of(draft);
    const { turn, parts } = known;
    if (parts) return parts;
    const found: P[] | undefined = turn?.responseParts;
    if (Array.isArray(found)) known.parts = found;
    return listOf(found);
  }

  /** True while a part of the active turn waits for the user. */
  waits(draft: TurnHolder<T>): boolean {
    return this.of(draft) !== undefined && this.#indexes.hasWaiting(this.#parts(draft));
  }

  /** For {@link createReducer}, so that a new state has the index of its draft. */
  readonly keepIndex = (draft: TurnHolder<T>): ((next: TurnHolder<T>) => void) | undefined => {
    const parts = this.#indexes.isIdle ? undefined : this.#parts(draft);
    if (this.#known?.holder === draft) freezeNew(this.#known.turn);
    // A draft must not outlive its batch.
    this.#known = undefined;
    if (!parts) return undefined;
    for (const part of this.#indexes.settle(parts)) freezeNew(part);
    return ({ activeTurn }) => this.#indexes.keep(parts, listOf(isRecord(activeTurn) ? activeTurn.responseParts : undefined));
  };

  setUsage(draft: TurnHolder<T>, action: { turnId: string; usage: UsageInfo }): void {
    const turn: TurnLike<P> | undefined = this.named(draft, action);
    if (turn && isRecord(action.usage)) setField(turn, 'usage', action.usage);
  }

  appendPart(draft: TurnHolder<T>, action: { turnId: string }, part: P): void {
    const turn: TurnLike<P> | undefined = this.named(draft, action);
    if (!turn || !isRecord(part)) return;
    const known = this.#of(draft);
    this.#indexes.push((known.parts ??= listIn(turn, 'responseParts')), { ...part });
  }

  /** Appends to the text of a part of this kind. */
  appendText(draft: TurnHolder<T>, action: { turnId: string; partId: string; content: string }, kind: P['kind']): void {
    const turn = this.named(draft, action);
    if (!turn || typeof action.content !== 'string' || action.content === '') return;
    const parts = this.#parts(draft);
    // Ids may repeat. The first part of the id counts, of whatever kind, also a tool call.
    const part = this.#indexes.writable(parts, this.#indexes.firstPlaceOf(parts, action.partId)) as (P & { content?: unknown }) | undefined;
    if (part?.kind === kind) part.content = textOf(part.content) + action.content;
  }

  /** The place of the first part that is sought, −1 when there is none. */
  placeOfPart(draft: TurnHolder<T>, isSought: (part: P) => boolean): number {
    const parts = this.#parts(draft);
    this.#indexes.settle(parts);
    return parts.findIndex(isSought);
  }

  /** Changes a part of the active turn, but not its kind and id. */
  changePart(draft: TurnHolder<T>, place: number, recipe: (part: P) => void): void {
    this.#indexes.change(this.#parts(draft) as P[], place, recipe);
  }

  /** Reduces every call of the id that an action names. (Ids may repeat.) */
  changeCalls<A extends { turnId: string; toolCallId: string }>(draft: TurnHolder<T>, action: A, reduce: (call: C, action: A) => C): void {
    if (this.named(draft, action) === undefined) return;
    this.#indexes.changeCalls(this.#parts(draft), action.toolCallId, (part) => reduceCall(part, (call: C) => reduce(call, action)));
  }

  /** Puts the active turn behind those that are over. `reduce` gives what becomes of its calls, `fields` are those that it gets. */
  end<S extends T>(draft: TurnHolder<T> & { turns: S[] }, turn: T, reduce: (call: C) => C, fields: Partial<S>): void {
    const parts: P[] = listIn(turn as TurnLike<P>, 'responseParts');
    const added = this.#indexes.settle(parts);
    const ended = this.#indexes.end(parts);
    // Those of an earlier end are over, and what came since are no drafts.
    for (const place of placesWhere(ended > 0 ? parts.slice(ended) : parts, isCallPart))
      this.changePart(draft, ended + place, (part) => reduceCall(part, reduce));
    // Nothing changes them any more.
    for (const part of added) freezeNew(part);
    this.set(draft, undefined);
    const last = turn as S;
    for (const key in fields) setField(last, key, fields[key]);
    freezeNew(last);
    listIn(draft, 'turns').push(last);
  }

  /** A turn that is over, to be written to again. Its list of parts is copied only if an action has brought it, because a turn may end often. */
  reopened<S extends T>(turn: S): S {
    if (isDraft(turn)) return turn;
    const { responseParts: parts } = turn;
    return { ...turn, responseParts: this.#indexes.isOfBatch(parts) ? parts : parts.map((part) => (isRecord(part) ? { ...part } : part)) };
  }
}

/** A call is replaced as a whole, because each status has its own fields. An equal one stays. */
function reduceCall<C extends object>(part: PartLike, reduce: (call: C) => C): void {
  const plain = plainOf(part);
  if (!isCallPart(plain)) return;
  const call = plainOf((plain as unknown as CallPart<C>).toolCall);
  const reduced = reduce(call);
  if (sameJson(call, reduced)) return;
  (part as unknown as CallPart<C>).toolCall = isDraft(part) ? freezeNew(reduced) : reduced;
}

/** For what holds no drafts and is not written to any more in this batch: immer looks through all that is new for them, but not through what is frozen. */
function freezeNew<V>(value: V): V {
  return isDraft(value) ? value : Object.freeze(value);
}

interface MessageHolder<M> {
  steeringMessage?: M;
  queuedMessages?: M[];
}

/** Sets the steering message, or one of the queue: in its place, or last. */
export function setPendingMessage<M extends { id: string }>(draft: MessageHolder<M>, kind: string, message: M): void {
  if (kind === 'steering') setField(draft, 'steeringMessage', message);
  if (kind !== 'queued') return;
  const queue = listIn(draft, 'queuedMessages');
  putAt(
    queue,
    queue.findIndex((queued) => queued?.id === message.id),
    message,
  );
}

export function removeSteeringMessage<M extends { id: string }>(draft: MessageHolder<M>, id: string): void {
  if (draft.steeringMessage?.id === id) setField(draft, 'steeringMessage', undefined);
}

export function removeQueuedMessage<M extends { id: string }>(draft: MessageHolder<M>, id: string): void {
  const queue = listOf(plainOf(draft.queuedMessages));
  const left = queue.map(plainOf).filter((queued) => queued?.id !== id);
  if (left.length < queue.length) setField(draft, 'queuedMessages', left.length > 0 ? left : undefined);
}

/** Orders the queue as the ids are. Messages that are not named stay behind them, in their order. */
export function reorderQueue<M extends { id: string }>(draft: MessageHolder<M>, order: readonly string[]): void {
  const queue = plainOf(draft.queuedMessages);
  if (!Array.isArray(queue) || !Array.isArray(order)) return;
  const places = new Map([...order].reverse().map((id, index) => [id, order.length - 1 - index]));
  const placeOf = (message: M): number => places.get(message?.id) ?? order.length;
  setField(
    draft,
    'queuedMessages',
    queue.map(plainOf).sort((a, b) => placeOf(a) - placeOf(b)),
  );
}

/** How an active turn is reduced, and the messages that wait for one. Both dialects do it alike, on parts and messages of their own. */
import { isRecord } from '../../../base/isRecord.ts';
import { sameJson } from '../../../base/sameJson.ts';
import type { UsageInfo } from '../shapes.ts';
import { type PartLike, PartIndexes } from './partIndex.ts';
import { listOf, replaceAt, setField, textOf } from './reducer.ts';

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

/** The active turns of one dialect: `P` their parts, `T` the turns, `C` the tool calls. */
export class ActiveTurns<P extends PartLike, T extends TurnLike<P>, C extends object> {
  readonly #indexes: PartIndexes<P>;

  /** `waits`: true for a part that waits for the user. */
  constructor(waits: (part: P) => boolean) {
    this.#indexes = new PartIndexes(waits);
  }

  /** The active turn, if it is one. */
  of(draft: TurnHolder<T>): T | undefined {
    return isRecord(draft.activeTurn) ? draft.activeTurn : undefined;
  }

  /** The active turn if it is the one that an action names. */
  named(draft: TurnHolder<T>, { turnId }: { turnId: string }): T | undefined {
    const turn = this.of(draft);
    return turn !== undefined && turn.id === turnId ? turn : undefined;
  }

  /** True while a part of the active turn waits for the user. */
  waits(draft: TurnHolder<T>): boolean {
    const turn = this.of(draft);
    return turn !== undefined && this.#indexes.hasWaiting(listOf(turn.responseParts));
  }

  setUsage(draft: TurnHolder<T>, action: { turnId: string; usage: UsageInfo }): void {
    const turn = this.named(draft, action);
    if (turn && isRecord(action.usage) && !sameJson(turn.usage, action.usage)) draft.activeTurn = { ...turn, usage: action.usage };
  }

  appendPart(draft: TurnHolder<T>, action: { turnId: string }, part: P): void {
    const turn = this.named(draft, action);
    if (!turn || !isRecord(part)) return;
    draft.activeTurn = { ...turn, responseParts: this.#indexes.withPart(listOf(turn.responseParts), part) };
  }

  /** Appends to the text of a part of this kind. */
  appendText(draft: TurnHolder<T>, action: { turnId: string; partId: string; content: string }, kind: P['kind']): void {
    const turn = this.named(draft, action);
    if (!turn || typeof action.content !== 'string' || action.content === '') return;
    const parts = listOf(turn.responseParts);
    const { partId } = action;
    // Ids may repeat. The first part of the id counts, of whatever kind, also a tool call.
    const place = this.#indexes.firstPlaceOf(parts, partId);
    const part = parts[place];
    if (part?.kind !== kind) return;
    const content = textOf((part as { content?: unknown }).content) + action.content;
    this.replacePart(draft, turn, place, { ...part, content });
  }

  /** Replaces a part of the active turn by one of the same kind and id. */
  replacePart(draft: TurnHolder<T>, turn: T, place: number, part: P): void {
    draft.activeTurn = { ...turn, responseParts: this.#indexes.withPartAt(listOf(turn.responseParts), place, part) };
  }

  /** Reduces every call of the id that an action names. (Ids may repeat.) */
  changeCalls(draft: TurnHolder<T>, action: { turnId: string; toolCallId: string }, reduce: (call: C) => C): void {
    const turn = this.named(draft, action);
    if (!turn) return;
    const parts = listOf(turn.responseParts);
    const { toolCallId } = action;
    let responseParts = parts as P[];
    for (const place of this.#indexes.placesOfCall(parts, toolCallId)) {
      const part = parts[place];
      if (!isCallPart(part)) continue;
      const before = (part as unknown as CallPart<C>).toolCall;
      const toolCall = reduce(before);
      if (!sameJson(toolCall, before)) responseParts = this.#indexes.withPartAt(responseParts, place, { ...part, toolCall });
    }
    if (responseParts !== parts) draft.activeTurn = { ...turn, responseParts };
  }
}

interface MessageHolder<M> {
  steeringMessage?: M;
  queuedMessages?: M[];
}

/** Sets the steering message, or one of the queue: in its place, or last. */
export function setPendingMessage<M extends { id: string }>(draft: MessageHolder<M>, kind: string, message: M): void {
  if (kind === 'steering') setField(draft, 'steeringMessage', message);
  if (kind !== 'queued') return;
  const queue = listOf(draft.queuedMessages);
  const index = queue.findIndex((queued) => queued?.id === message.id);
  draft.queuedMessages = index < 0 ? [...queue, message] : replaceAt(queue, index, message);
}

export function removeSteeringMessage<M extends { id: string }>(draft: MessageHolder<M>, id: string): void {
  if (draft.steeringMessage?.id === id) setField(draft, 'steeringMessage', undefined);
}

export function removeQueuedMessage<M extends { id: string }>(draft: MessageHolder<M>, id: string): void {
  const queue = listOf(draft.queuedMessages);
  const left = queue.filter((queued) => queued?.id !== id);
  if (left.length < queue.length) setField(draft, 'queuedMessages', left.length > 0 ? left : undefined);
}

/** Orders the queue as the ids are. Messages that are not named stay behind them, in their order. */
export function reorderQueue<M extends { id: string }>(draft: MessageHolder<M>, order: readonly string[]): void {
  const queue = draft.queuedMessages;
  if (!Array.isArray(queue) || !Array.isArray(order)) return;
  const places = new Map([...order].reverse().map((id, index) => [id, order.length - 1 - index]));
  const placeOf = (message: M): number => places.get(message?.id) ?? order.length;
  setField(
    draft,
    'queuedMessages',
    queue.toSorted((a, b) => placeOf(a) - placeOf(b)),
  );
}

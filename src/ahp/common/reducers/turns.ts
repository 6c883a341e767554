/** How an active turn is reduced, and the messages that wait for one. Both dialects do it alike, on parts and messages of their own. */
import { isRecord } from '../../../base/isRecord.ts';
import type { UsageInfo } from '../shapes.ts';
import { change, listIn, listOf, placesWhere, plainOf, putAt, setField, textOf } from './reducer.ts';

/** A tool call has its id in `toolCall`, other parts may have an `id`. */
interface PartLike {
  kind: string;
}
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

function callIdOf(part: PartLike | undefined): unknown {
  return isCallPart(part) ? (part as CallPart<{ toolCallId?: unknown }>).toolCall.toolCallId : undefined;
}

function idOf(part: PartLike | undefined): unknown {
  if (!isRecord(part)) return undefined;
  return part.kind === 'toolCall' ? callIdOf(part) : (part as { id?: unknown }).id;
}

/** The active turns of one dialect: `P` their parts, `T` the turns, `C` the tool calls. */
export class ActiveTurns<P extends PartLike, T extends TurnLike<P>, C extends object> {
  /** `isWaiting`: true for a part that waits for the user. */
  constructor(private readonly isWaiting: (part: P) => boolean) {}

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
    return listOf(this.of(draft)?.responseParts).some((part) => isRecord(part) && this.isWaiting(part));
  }

  setUsage(draft: TurnHolder<T>, action: { turnId: string; usage: UsageInfo }): void {
    const turn: TurnLike<P> | undefined = this.named(draft, action);
    if (turn && isRecord(action.usage)) setField(turn, 'usage', action.usage);
  }

  changeParts(turn: TurnLike<P>, recipe: (parts: P[]) => void): void {
    listIn(turn, 'responseParts');
    change(turn, 'responseParts', recipe);
  }

  appendPart(draft: TurnHolder<T>, action: { turnId: string }, part: P): void {
    const turn = this.named(draft, action);
    if (turn && isRecord(part)) this.changeParts(turn, (parts) => void parts.push(part));
  }

  /** Appends to the text of a part of this kind. */
  appendText(draft: TurnHolder<T>, action: { turnId: string; partId: string; content: string }, kind: P['kind']): void {
    const { partId, content } = action;
    const turn = this.named(draft, action);
    if (!turn || typeof partId !== 'string' || typeof content !== 'string' || content === '') return;
    // Ids may repeat. The first part of the id counts, of whatever kind, also a tool call.
    const place = listOf(turn.responseParts).findIndex((part) => idOf(part) === partId);
    if (place < 0 || turn.responseParts[place]?.kind !== kind) return;
    this.changeParts(turn, (parts) =>
      change(parts as { content?: unknown }[], place, (part) => {
        part.content = textOf(part.content) + content;
      }),
    );
  }

  /** Reduces every call of the id that an action names. (Ids may repeat.) */
  changeCalls(draft: TurnHolder<T>, action: { turnId: string; toolCallId: string }, reduce: (call: C) => C): void {
    const { toolCallId } = action;
    const turn = this.named(draft, action);
    if (turn && typeof toolCallId === 'string') this.#reduceCalls(turn, (part) => callIdOf(part) === toolCallId, reduce);
  }

  /** Puts the active turn behind those that are over. `reduce` gives what becomes of its calls. */
  end<S extends T>(draft: TurnHolder<T> & { turns: S[] }, turn: T, reduce: (call: C) => C): void {
    listIn(turn as TurnLike<P>, 'responseParts');
    this.#reduceCalls(turn, isCallPart, reduce);
    delete draft.activeTurn;
    listIn(draft, 'turns').push(turn as S);
  }

  /** A call is replaced as a whole, because each status has its own fields. */
  #reduceCalls(turn: T, isMeant: (part: P) => boolean, reduce: (call: C) => C): void {
    const places = placesWhere(listOf(turn.responseParts), isMeant);
    if (places.length === 0) return;
    this.changeParts(turn, (parts) => {
      for (const place of places) {
        change(parts as unknown as CallPart<C>[], place, (part) => setField(part, 'toolCall', reduce(plainOf(part.toolCall))));
      }
    });
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

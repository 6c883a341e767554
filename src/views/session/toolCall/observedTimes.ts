/** How long turns, reasoning and tool calls took. Hosts do not say it, so only those that this view saw from start to end have a duration. */
import type { ActiveTurn, ChatState, ResponsePart } from '../../../ahp/channels/chat/state.ts';

interface Span {
  /** When it started to run; undefined while it waits for the user, or if it started before it was first seen. */
  since?: number;
  /** How long it ran before it waited for the user, in ms. */
  spent: number;
  /** `unseen`: its start was not seen, so it has no duration. */
  state: 'running' | 'waiting' | 'unseen' | 'ended';
  duration?: number;
}

export class ObservedTimes {
  readonly #spans = new Map<string, Span>();
  /** By id, those whose start was seen. */
  readonly #known = new Set<string>();
  readonly #turns = new Map<string, { since: number; duration?: number }>();

  /** Records what started and ended. `live` is false for a snapshot, whose parts started at an unknown time. `now` is in ms. */
  observe(chat: ChatState, now: number, live: boolean): void {
    this.#observeTurn(chat, now, live);
    const turn: ActiveTurn | undefined = chat.activeTurn ?? chat.turns.at(-1);
    turn?.responseParts.forEach((part, index) => {
      const key = keyOf(part);
      if (key === undefined) return;
      const span = this.#spans.get(key);
      const isLast = turn === chat.activeTurn && index === turn.responseParts.length - 1;
      if (waits(part)) {
        if (!span && asks(part)) this.#spans.set(key, { state: 'waiting', spent: 0 });
        else if (span?.state === 'running') Object.assign(span, { state: 'waiting', spent: span.spent + now - (span.since ?? now) });
      } else if (!span) this.#spans.set(key, begun(now, live, hasEnded(part, isLast)));
      else if (hasEnded(part, isLast)) end(span, now);
      else if (span.state === 'waiting') Object.assign(span, live ? { state: 'running', since: now } : { state: 'unseen' });
    });
  }

  /** In ms, without the time that the user took. Undefined while it is not known. */
  duration(partOrCallId: string): number | undefined {
    return this.#spans.get(partOrCallId)?.duration;
  }

  /** In ms, with the time that the user took. Undefined while it is not known. */
  turnDuration(id: string): number | undefined {
    return this.#turns.get(id)?.duration;
  }

  #observeTurn({ turns, activeTurn }: ChatState, now: number, live: boolean): void {
    if (activeTurn && !this.#known.has(activeTurn.id)) {
      this.#known.add(activeTurn.id);
      if (live) this.#turns.set(activeTurn.id, { since: now });
    }
    const last = turns.at(-1);
    const turn = last && this.#turns.get(last.id);
    if (turn) turn.duration ??= now - turn.since;
  }
}

function begun(now: number, live: boolean, isOver: boolean): Span {
  if (!live) return { state: isOver ? 'ended' : 'unseen', spent: 0 };
  return isOver ? { state: 'ended', spent: 0, duration: 0 } : { state: 'running', since: now, spent: 0 };
}

/** A call that ends while it waits was denied, so it has no duration. */
function end(span: Span, now: number): void {
  if (span.state === 'running' && span.since !== undefined) span.duration = span.spent + now - span.since;
  span.state = 'ended';
}

function keyOf(part: ResponsePart): string | undefined {
  switch (part.kind) {
    case 'reasoning':
      return part.id;
    case 'toolCall':
      return part.toolCall.toolCallId;
    default:
      return undefined;
  }
}

/**
 * The time that the user takes to approve a call does not count, neither before the call runs nor in between: some hosts report every call as
 * running for a moment before they ask.
 */
function waits(part: ResponsePart): boolean {
  return asks(part) || (part.kind === 'toolCall' && part.toolCall.status === 'streaming');
}

function asks(part: ResponsePart): boolean {
  return part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation';
}

function hasEnded(part: ResponsePart, isLast: boolean): boolean {
  if (part.kind === 'toolCall') return part.toolCall.status !== 'running';
  return !isLast;
}

/**
 * How long reasoning and tool calls took, as far as this view saw them happen: the protocol has no times for them, and a
 * snapshot cannot tell. What was not seen from start to end has no duration.
 */
import type { ActiveTurn, ResponsePart, SessionState } from '../../ahp/v1/session.ts';

interface Span {
  /** Since when it runs; undefined while it waits for a person, and when it had begun before it was first seen. */
  since?: number;
  /** For how long it ran before it waited, in ms. */
  spent: number;
  /** `unseen`: nobody saw it begin, so that there will be no duration. */
  state: 'running' | 'waiting' | 'unseen' | 'ended';
  duration?: number;
}

export class ObservedTimes {
  private readonly spans = new Map<string, Span>();

  /**
   * Notes what began and ended. `live` is false for a snapshot: what is in it began at an unknown time. `now` is in ms.
   */
  observe(session: SessionState, now: number, live: boolean): void {
    const turn: ActiveTurn | undefined = session.activeTurn ?? session.turns.at(-1);
    turn?.responseParts.forEach((part, index) => {
      const key = keyOf(part);
      if (key === undefined) return;
      const span = this.spans.get(key);
      const isLast = turn === session.activeTurn && index === turn.responseParts.length - 1;
      if (waits(part)) {
        if (!span && asks(part)) this.spans.set(key, { state: 'waiting', spent: 0 });
        else if (span?.state === 'running') Object.assign(span, { state: 'waiting', spent: span.spent + now - (span.since ?? now) });
      } else if (!span) this.spans.set(key, begun(now, live, hasEnded(part, isLast)));
      else if (hasEnded(part, isLast)) end(span, now);
      else if (span.state === 'waiting') Object.assign(span, live ? { state: 'running', since: now } : { state: 'unseen' });
    });
  }

  /** Milliseconds, without the time that a person took; undefined when it is not known (yet). */
  duration(partOrCallId: string): number | undefined {
    return this.spans.get(partOrCallId)?.duration;
  }
}

function begun(now: number, live: boolean, isOver: boolean): Span {
  if (!live) return { state: isOver ? 'ended' : 'unseen', spent: 0 };
  return isOver ? { state: 'ended', spent: 0, duration: 0 } : { state: 'running', since: now, spent: 0 };
}

/** What ends while it waits was refused: it has no duration. */
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
 * A call begins when it runs, and what a person takes to approve it is not its own: neither before it, nor in the middle of it. Some hosts
 * let every call run for a moment before they ask.
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

/** "8 s", "1 min 12 s", "2 h 5 min"; below a second "0.4 s". */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0.1, Math.round(ms / 100) / 10)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * How long reasoning and tool calls took, as far as this view saw them happen: the protocol has no times for them, and a
 * snapshot cannot tell. What was not seen from start to end has no duration.
 */
import type { ActiveTurn, ResponsePart, SessionState } from '../../ahp/v1/session.ts';

interface Span {
  /** Undefined when it had started before it was first seen. */
  start?: number;
  end?: number;
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
      if (key === undefined || !hasBegun(part)) return;
      let span = this.spans.get(key);
      if (!span) this.spans.set(key, (span = live ? { start: now } : {}));
      if (span.end !== undefined) return;
      const isLast = turn === session.activeTurn && index === turn.responseParts.length - 1;
      if (hasEnded(part, isLast)) span.end = now;
    });
  }

  /** Milliseconds; undefined when it is not known (yet). */
  duration(partOrCallId: string): number | undefined {
    const span = this.spans.get(partOrCallId);
    return span?.start === undefined || span.end === undefined ? undefined : span.end - span.start;
  }
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

/** A call begins when it runs: the time that a person took to approve it is not its own. */
function hasBegun(part: ResponsePart): boolean {
  return part.kind !== 'toolCall' || !['streaming', 'pending-confirmation'].includes(part.toolCall.status);
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

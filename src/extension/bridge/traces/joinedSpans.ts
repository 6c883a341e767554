/** Brings the spans of a host into the traces of this window: below the turns that they are of, by the ids of turns. */
import { plainAttributes } from '../../../ahp/telemetry/plainAttributes.ts';
import type { ReceivedSpan } from '../../../ahp/telemetry/receivedSpans.ts';
import { SpanAttribute } from '../../../ahp/telemetry/telemetryAttributes.ts';
import { dropOldest } from '../../../base/dropOldest.ts';
import type { SpanIds } from '../../../base/traces/traceparent.ts';
import { type ToldSpanInput, TraceLimit } from '../../../tap/wire/traces/toldSpan.ts';

/** A turn of ours. */
export interface JoinedTurn {
  readonly ids: SpanIds;
  /** What our span is below. The host may have been given the same. */
  readonly parent: SpanIds | undefined;
}

/** Spans come a moment after their turn is over. */
const MAX_TURNS = 100;
/** Traces of the host, by which the turns of subagents are known. */
const MAX_TRACES = 200;
/** Two are added. */
const MAX_ATTRIBUTES = TraceLimit.attributes - 2;
export class JoinedSpans {
  readonly #turns = new Map<string, JoinedTurn>();
  readonly #traces = new Map<string, JoinedTurn>();

  /** A turn has begun. */
  began(turnId: string, turn: JoinedTurn): void {
    this.#turns.set(turnId, turn);
    dropOldest(this.#turns, MAX_TURNS);
  }

  /** `hasContent`: texts are wanted whatever they hold. `isOurs`: the host says that the span is of this session. */
  join(spans: readonly ReceivedSpan[], hasContent: boolean, isOurs: (span: ReceivedSpan) => boolean): ToldSpanInput[] {
    // What is inside of a turn comes before the turn itself, and what a subagent does may name no turn of ours.
    for (const span of spans) {
      const turn = this.#turnOf(span);
      if (!turn) continue;
      this.#traces.set(span.traceId, turn);
      dropOldest(this.#traces, MAX_TRACES);
    }
    const own = spans.filter((span) => isOurs(span) || this.#homeOf(span));
    return own.map((span) => told(span, this.#homeOf(span), hasContent));
  }

  #homeOf(span: ReceivedSpan): JoinedTurn | undefined {
    return this.#turnOf(span) ?? this.#traces.get(span.traceId);
  }

  #turnOf({ attributes }: ReceivedSpan): JoinedTurn | undefined {
    const turnId = attributes[SpanAttribute.turn];
    return typeof turnId === 'string' ? this.#turns.get(turnId) : undefined;
  }
}

function told(span: ReceivedSpan, home: JoinedTurn | undefined, hasContent: boolean): ToldSpanInput {
  const { traceId, spanId, parentSpanId, name, start, end, error, service } = span;
  const isTop = parentSpanId === undefined || parentSpanId === home?.parent?.spanId;
  const above = home && isTop ? home.ids.spanId : parentSpanId;
  const isMoved = home !== undefined && home.ids.traceId !== traceId;
  const kept = Object.entries(hasContent ? span.attributes : plainAttributes(span.attributes));
  return {
    traceId: home?.ids.traceId ?? traceId,
    spanId,
    ...(above !== undefined && { parentSpanId: above }),
    name: name.slice(0, TraceLimit.nameLength),
    ...{ start, end },
    attributes: {
      ...Object.fromEntries(kept.slice(0, MAX_ATTRIBUTES)),
      'tapline.service': service.slice(0, TraceLimit.nameLength),
      ...(isMoved && { 'tapline.host.trace': traceId }),
    },
    ...(error !== undefined && { error }),
  };
}

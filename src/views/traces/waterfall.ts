/** Spans as a waterfall: each trace with its spans below each other, and where on the time of the trace they stand. */
import type { ShownSpan } from './shownSpan.ts';
import { kindOf } from './spanWords.ts';
import type { SpanPlace } from './towerQuestion.ts';

export interface WaterfallRow {
  span: ShownSpan;
  /** From 1. */
  depth: number;
  hasChildren: boolean;
  /** Milliseconds after the trace began. */
  offsetMs: number;
  /** Parts of the time of the trace, from 0 to 1. */
  from: number;
  width: number;
  /** The span that it was brought about by is not there: it still goes on, or was not recorded. */
  isOrphan: boolean;
  /** Where a click leads. Absent: it belongs to no turn. */
  place?: SpanPlace;
}

export interface Trace {
  id: string;
  start: number;
  /** Until its last span was over. */
  durationMs: number;
  /** In the order in which they are drawn. */
  rows: readonly WaterfallRow[];
  turns: number;
  calls: number;
  failed: number;
  /** A run that has told nothing, and has not failed. */
  isQuiet: boolean;
}

/** A trace that names itself as its own ancestor ends here. */
const MAX_DEPTH = 64;

/** The one with the newest span first. */
export function tracesOf(spans: readonly ShownSpan[]): Trace[] {
  const byTrace = new Map<string, Map<string, ShownSpan>>();
  for (const span of spans) {
    const own = byTrace.get(span.traceId) ?? new Map<string, ShownSpan>();
    byTrace.set(span.traceId, own.set(span.spanId, span));
  }
  const traces = Array.from(byTrace, ([id, own]) => traceOf(id, own));
  return traces.sort((a, b) => b.start + b.durationMs - (a.start + a.durationMs) || (a.id < b.id ? -1 : 1));
}

function traceOf(id: string, spans: ReadonlyMap<string, ShownSpan>): Trace {
  const all = [...spans.values()];
  const start = Math.min(...all.map((span) => span.start));
  const end = Math.max(...all.map((span) => span.start + span.durationMs));
  const durationMs = end - start;
  const children = new Map<string | undefined, ShownSpan[]>();
  for (const span of all) {
    const { parentSpanId } = span;
    const above = parentSpanId !== undefined && parentSpanId !== span.spanId && spans.has(parentSpanId) ? parentSpanId : undefined;
    children.set(above, [...(children.get(above) ?? []), span]);
  }
  const rows: WaterfallRow[] = [];
  const drawn = new Set<string>();
  const draw = (above: string | undefined, depth: number, place: SpanPlace | undefined) => {
    const below = (children.get(above) ?? []).toSorted((a, b) => a.start - b.start || b.durationMs - a.durationMs);
    for (const span of below) {
      if (drawn.has(span.spanId) || depth > MAX_DEPTH) continue;
      drawn.add(span.spanId);
      const own = placeOf(span, place);
      rows.push({
        span,
        depth,
        offsetMs: span.start - start,
        hasChildren: children.has(span.spanId),
        from: durationMs > 0 ? (span.start - start) / durationMs : 0,
        width: durationMs > 0 ? span.durationMs / durationMs : 1,
        isOrphan: above === undefined && span.parentSpanId !== undefined,
        ...(own && { place: own }),
      });
      draw(span.spanId, depth + 1, own);
    }
  };
  draw(undefined, 1, undefined);
  // Spans that are each other's ancestors hang on no root.
  for (const span of all.filter(({ spanId }) => !drawn.has(spanId))) {
    children.set(undefined, [span]);
    draw(undefined, 1, undefined);
  }
  const count = (test: (span: ShownSpan) => boolean) => all.filter(test).length;
  return {
    ...{ id, start, durationMs, rows },
    turns: count((span) => kindOf(span) === 'turn'),
    calls: count((span) => kindOf(span) === 'execute_tool'),
    failed: count(({ error }) => error !== undefined),
    isQuiet: all.every((span) => kindOf(span) === 'emitter_run' && span.error === undefined),
  };
}

function placeOf({ turn, call, service }: ShownSpan, above: SpanPlace | undefined): SpanPlace | undefined {
  // The turn of a subagent, which only its host tells of, is in another chat: the call that has started it is here.
  const isHere = turn !== undefined && (service === undefined || above === undefined || above.turn === turn);
  if (isHere) return call === undefined ? { turn } : { turn, call };
  return above && turn === undefined && call !== undefined ? { turn: above.turn, call } : above;
}

/** Those that are shown while the spans in `closed` hide what is below them. */
export function visibleRows(rows: readonly WaterfallRow[], closed: ReadonlySet<string>): WaterfallRow[] {
  const shown: WaterfallRow[] = [];
  let hidden = Infinity;
  for (const row of rows) {
    if (row.depth > hidden) continue;
    hidden = closed.has(row.span.spanId) && row.hasChildren ? row.depth : Infinity;
    shown.push(row);
  }
  return shown;
}

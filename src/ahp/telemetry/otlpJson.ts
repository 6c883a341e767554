/** Spans as OTLP writes them in JSON: the payload of `otlp/exportTraces`. */
import type { AttributeValue, SpanAttributes, TelemetrySpan } from './telemetryAttributes.ts';

/** Numbers of OTLP. */
const Kind = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;
const NANOSECONDS = 1_000_000n;

export interface SpanSource {
  readonly service: string;
  readonly version?: string | undefined;
}

export function otlpTraces({ service, version }: SpanSource, spans: readonly TelemetrySpan[]): Record<string, unknown> {
  const ofService: SpanAttributes = { 'service.name': service, ...(version !== undefined && { 'service.version': version }) };
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues(ofService) },
        scopeSpans: [{ scope: { name: 'tapline', ...(version !== undefined && { version }) }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

export function otlpSpan(span: TelemetrySpan): object {
  const { traceId, spanId, parentSpanId, name, start, end, attributes, error, isToOthers } = span;
  return {
    ...{ traceId, spanId, ...(parentSpanId !== undefined && { parentSpanId }), name },
    kind: isToOthers ? Kind.client : Kind.internal,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: keyValues({ ...attributes, ...(error !== undefined && { 'error.type': error }) }),
    ...(error !== undefined && { status: { code: STATUS_ERROR } }),
  };
}

/** 64-bit numbers are strings in its JSON. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms)) * NANOSECONDS);
}

function keyValues(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

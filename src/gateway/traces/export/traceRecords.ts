/** Spans as records of the kind `trace`. */
import { type HrTime, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { RecordLimit, type RecordInput } from '../../../tap/wire/records/record.ts';
import type { Records } from '../../records/records.ts';
import { SESSION_ATTRIBUTE } from '../tracing.ts';
import type { SpanDestination } from './spanQueue.ts';

export function traceRecords(records: Pick<Records, 'add'>): SpanDestination {
  return { name: 'records', send: (spans) => records.add(spans.map(recordOf)) };
}

export function recordOf(span: ReadableSpan): RecordInput {
  const { traceId, spanId } = span.spanContext();
  const { [SESSION_ATTRIBUTE]: sessionId, ...attributes } = span.attributes;
  const links = span.links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId }));
  const facts = {
    traceId,
    spanId,
    ...(span.parentSpanContext && { parentSpanId: span.parentSpanContext.spanId }),
    name: span.name,
    startedAt: Math.round(millisecondsOf(span.startTime) * 1000) / 1000,
    durationMs: Math.round(millisecondsOf(span.duration) * 1000) / 1000,
    ...(span.status.code === SpanStatusCode.ERROR && { failed: true }),
    ...(links.length > 0 && { links }),
  };
  const data = { ...facts, attributes };
  const isTooLong = JSON.stringify(data).length > RecordLimit.dataLength;
  return {
    kind: 'trace',
    id: `${traceId}.${spanId}`,
    at: Math.floor(millisecondsOf(span.startTime)),
    ...(typeof sessionId === 'string' && { sessionId }),
    rank: 0,
    data: isTooLong ? { ...facts, omitted: 'the attributes are too long' } : data,
  };
}

function millisecondsOf([seconds, nanoseconds]: HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Spans that a host has sent, as OTLP in JSON: checked, and cut to size. What is wrong or too much is left out and counted. */
import { isRecord } from '../../base/isRecord.ts';
import type { AttributeValue, TelemetrySpan } from './telemetryAttributes.ts';

export const ReceivedLimit = {
  /** Of one batch. */
  spans: 500,
  /** Of one batch, with those that are wrong: more are not even looked at. */
  looked: 2_000,
  name: 200,
  attributes: 32,
  attributeName: 100,
  text: 1_000,
  /** A span that says that it took longer is wrong. */
  durationMs: 30 * 24 * 3_600_000,
} as const;

export interface ReceivedSpan extends TelemetrySpan {
  /** What has made it, as it calls itself. */
  readonly service: string;
}

export interface ReceivedSpans {
  readonly spans: readonly ReceivedSpan[];
  readonly leftOut: number;
}

const UNNAMED = 'host';
const traceIdForm = /^[0-9a-f]{32}$/i;
const spanIdForm = /^[0-9a-f]{16}$/i;
const zeros = /^0+$/;
const nanosecondsForm = /^\d{1,20}$/;
const NANOSECONDS = 1e6;
/** Milliseconds since the epoch. Others are those of a clock that is not set. */
const MIN_TIME = 1e12;
const MAX_TIME = 8.64e15;
const STATUS_ERROR = 2;

/** Undefined where it is no batch of spans at all. */
export function receivedSpans(payload: unknown): ReceivedSpans | undefined {
  if (!isRecord(payload) || !Array.isArray(payload['resourceSpans'])) return undefined;
  const spans: ReceivedSpan[] = [];
  let looked = 0;
  let leftOut = 0;
  for (const ofResource of payload['resourceSpans']) {
    const { resource, scopeSpans } = isRecord(ofResource) ? ofResource : {};
    const named = isRecord(resource) && attributesOf(resource['attributes'])['service.name'];
    const service = typeof named === 'string' && named !== '' ? named : UNNAMED;
    for (const ofScope of arrayOf(scopeSpans)) {
      for (const given of arrayOf(isRecord(ofScope) ? ofScope['spans'] : undefined)) {
        const span = ++looked <= ReceivedLimit.looked && spans.length < ReceivedLimit.spans ? receivedSpan(given) : undefined;
        if (span) spans.push({ ...span, service });
        else leftOut++;
      }
    }
  }
  return { spans, leftOut };
}

function receivedSpan(given: unknown): TelemetrySpan | undefined {
  if (!isRecord(given)) return undefined;
  const traceId = idOf(given['traceId'], traceIdForm);
  const spanId = idOf(given['spanId'], spanIdForm);
  const parentSpanId = idOf(given['parentSpanId'], spanIdForm);
  const start = timeOf(given['startTimeUnixNano']);
  const end = timeOf(given['endTimeUnixNano']);
  const { name, status } = given;
  if (traceId === undefined || spanId === undefined || start === undefined || end === undefined) return undefined;
  if (end < start || end - start > ReceivedLimit.durationMs || typeof name !== 'string' || name === '') return undefined;
  const attributes = attributesOf(given['attributes']);
  const error = isRecord(status) && status['code'] === STATUS_ERROR ? textOf(attributes['error.type'], 'failed') : undefined;
  return {
    ...{ traceId, spanId, name: name.slice(0, ReceivedLimit.name), start, end, attributes },
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...(error !== undefined && { error: error.slice(0, ReceivedLimit.name) }),
  };
}

function attributesOf(given: unknown): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = Object.create(null) as Record<string, AttributeValue>;
  for (const entry of arrayOf(given).slice(0, ReceivedLimit.attributes)) {
    const { key, value } = isRecord(entry) ? entry : {};
    if (typeof key !== 'string' || key === '' || key.length > ReceivedLimit.attributeName) continue;
    const plain = plainValue(value);
    if (plain !== undefined) attributes[key] = plain;
  }
  return { ...attributes };
}

/** Lists and maps are left out. */
function plainValue(value: unknown): AttributeValue | undefined {
  if (!isRecord(value)) return undefined;
  const { stringValue, boolValue, intValue, doubleValue } = value;
  if (typeof stringValue === 'string') return stringValue.slice(0, ReceivedLimit.text);
  if (typeof boolValue === 'boolean') return boolValue;
  const number = typeof intValue === 'string' && intValue.length <= 20 ? Number(intValue) : (intValue ?? doubleValue);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function idOf(given: unknown, form: RegExp): string | undefined {
  return typeof given === 'string' && form.test(given) && !zeros.test(given) ? given.toLowerCase() : undefined;
}

/** In milliseconds. The JSON of OTLP has it as a string, that of some libraries as a number. */
function timeOf(given: unknown): number | undefined {
  const isTime = typeof given === 'number' || (typeof given === 'string' && nanosecondsForm.test(given));
  const ms = isTime ? Number(given) / NANOSECONDS : NaN;
  return ms >= MIN_TIME && ms <= MAX_TIME ? ms : undefined;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

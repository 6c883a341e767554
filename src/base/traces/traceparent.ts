/** The ids of a span as W3C Trace Context writes them: `00-<trace id>-<span id>-<flags>`. */

/** Of a trace and one span of it, in hex. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
  /** Whoever began the trace wants it to be kept. */
  readonly isSampled: boolean;
}

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const zeros = /^0+$/;
const SAMPLED = 1;

/** Undefined where it is none. As the standard asks, nothing is made of a wrong one, and nobody is told. */
export function parseTraceparent(text: unknown): SpanIds | undefined {
  const [, traceId, spanId, flags] = (typeof text === 'string' && form.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined || zeros.test(traceId) || zeros.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function formatTraceparent({ traceId, spanId, isSampled }: SpanIds): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** Of a new span below this one; without it, of a new trace. */
export function newSpanIds(parent?: SpanIds): SpanIds {
  return { traceId: parent?.traceId ?? randomHex(TRACE_BYTES), spanId: randomHex(SPAN_BYTES), isSampled: parent?.isSampled ?? true };
}

/** Asking the system for some bytes costs as much as for many, and each step of each call has a span. */
const POOL_BYTES = 2_048;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;
const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Never all zeros. */
function randomHex(bytes: number): string {
  if (used + bytes > POOL_BYTES) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let text = '';
  for (const end = used + bytes; used < end; used++) text += hexOf[pool[used] as number];
  return zeros.test(text) ? `${text.slice(0, -1)}1` : text;
}

/** A span that was recorded, as pages get it: checked, and cut to what is drawn of it. */
import * as z from 'zod/mini';
import { oneLine } from '../text/oneLine.ts';

/** Of each text. */
const MAX_TEXT = 200;
/** Ids of turns and calls are those of the host, and are compared with its own. */
const MAX_ID = 1_000;

export interface ShownSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** Milliseconds since the epoch. */
  start: number;
  durationMs: number;
  /** Why it failed, as a code. */
  error?: string;
  emitter?: string;
  run?: number;
  tool?: string;
  provider?: string;
  /** What rules have decided about the call, and which of the provider's. */
  decision?: string;
  rule?: string;
  /** The process or host whose span it is, where it is not our own. */
  service?: string;
  /** The turn that it is. */
  turn?: string;
  /** The call that it is of. */
  call?: string;
  /** Lines that were shown or given to the agent. */
  lines?: number;
}

const traceId = z.string().check(z.regex(/^[0-9a-f]{32}$/));
const spanId = z.string().check(z.regex(/^[0-9a-f]{16}$/));
const recordedSpan = z.object({
  traceId,
  spanId,
  parentSpanId: z.optional(spanId),
  name: z.string(),
  startedAt: z.number(),
  durationMs: z.number().check(z.minimum(0)),
  failed: z.optional(z.boolean()),
  attributes: z.optional(z.record(z.string(), z.unknown())),
});

/** Undefined where the data of the record are not those of a span. */
export function shownSpan(data: unknown): ShownSpan | undefined {
  const { data: given } = recordedSpan.safeParse(data);
  if (!given) return undefined;
  const { attributes = {}, failed, parentSpanId, startedAt, name, durationMs } = given;
  const text = (attribute: string, limit = MAX_TEXT) => {
    const value = attributes[attribute];
    return typeof value === 'string' && value !== '' ? oneLine(value, limit) : undefined;
  };
  const id = (attribute: string) => {
    const value = attributes[attribute];
    return typeof value === 'string' && value !== '' && value.length <= MAX_ID ? value : undefined;
  };
  const number = (attribute: string) => {
    const value = attributes[attribute];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  const lines = (number('tapline.lines.surface') ?? 0) + (number('tapline.lines.inject') ?? 0);
  const found = {
    error: failed === true ? (text('error.type') ?? 'failed') : undefined,
    emitter: text('tapline.emitter'),
    run: number('tapline.run'),
    tool: text('gen_ai.tool.name'),
    provider: text('tapline.provider'),
    decision: text('tapline.decision'),
    rule: text('tapline.rule'),
    service: text('tapline.service'),
    turn: id('tapline.turn.id'),
    call: id('gen_ai.tool.call.id'),
    lines: lines > 0 ? lines : undefined,
  };
  return {
    ...{ traceId: given.traceId, spanId: given.spanId, name: oneLine(name, MAX_TEXT), start: startedAt, durationMs },
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
  };
}

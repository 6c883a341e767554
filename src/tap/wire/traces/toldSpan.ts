/** Spans that are over, as a session owner tells the gateway of them. */
import * as z from 'zod';

export const TraceLimit = {
  /** Spans of one message. */
  told: 100,
  nameLength: 200,
  attributes: 32,
  attributeName: 100,
  /** Characters of a value. */
  textLength: 1000,
  /** The same where content is wanted. */
  contentLength: 4000,
} as const;

/** Stands in the records where spans have a session: those of the runs of portals are of none. */
export const RUNS_SESSION = 'tapline.portal-runs';

const traceId = z.string().regex(/^[0-9a-f]{32}$/);
const spanId = z.string().regex(/^[0-9a-f]{16}$/);
/** Milliseconds since the epoch. */
const time = z.number().min(1e12).max(8.64e15);

export const toldSpan = z
  .object({
    traceId,
    spanId,
    parentSpanId: spanId.optional(),
    name: z.string().min(1).max(TraceLimit.nameLength),
    start: time,
    end: time,
    attributes: z
      .record(z.string().min(1).max(TraceLimit.attributeName), z.union([z.string().max(TraceLimit.contentLength), z.number(), z.boolean()]))
      .refine((all) => Object.keys(all).length <= TraceLimit.attributes, `must not have more than ${TraceLimit.attributes} fields`)
      .default({}),
    /** What has failed is named by a code. */
    error: z.string().max(TraceLimit.nameLength).optional(),
  })
  .refine(({ start, end }) => end >= start, { message: 'must not be before the start', path: ['end'] });
export type OwnerSpan = z.output<typeof toldSpan>;
export type ToldSpanInput = z.input<typeof toldSpan>;

/** Fields of several messages. Objects drop unknown fields, as the provider interface asks of every receiver. */
import * as z from 'zod';
import { Limit, Time } from './limits.ts';

/** An id that the other side has chosen: short and opaque. */
export const id = z.string().min(1).max(200);
export const text = z.string().max(Limit.textLength);
export const record = z.record(z.string(), z.unknown());

/** Names are shown and become parts of paths, so they hold no control characters, no bidirectional controls and no lone surrogates. */
const printable = /^[^\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u;
/** Name of a provider, of an instance or of a stream. */
export const name = z.string().min(1).max(Limit.nameLength).regex(printable, 'must not hold control characters');

export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'a tool name is 1 to 64 letters, digits, _ or -');

const TITLE_LENGTH = 1000;

const hint = z.boolean().optional();
const toolHints = z.object({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint });
export type ToolHints = z.infer<typeof toolHints>;

export const toolDefinition = z.object({
  name: toolName,
  description: text.default(''),
  /** JSON Schema of the arguments. When it is missing or `{}`, anything is allowed. */
  parameters: record.default({}),
  /** Milliseconds; more than an hour counts as an hour. */
  timeout: z
    .number()
    .positive()
    .transform((ms) => Math.min(ms, Time.maxToolTimeoutMs))
    .optional(),
  /** As in MCP, for people. */
  title: z.string().max(TITLE_LENGTH).optional().catch(undefined),
  /** As in MCP. Only internal providers are believed. */
  annotations: toolHints.optional().catch(undefined),
});
export type ToolDefinition = z.infer<typeof toolDefinition>;
export const toolDefinitions = z.array(toolDefinition).max(Limit.tools);

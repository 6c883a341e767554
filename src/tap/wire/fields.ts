/** Fields of several messages. Objects drop unknown fields, as the provider interface asks of every receiver. */
import * as z from 'zod';
import { Limit, Time } from './limits.ts';

/** An id that the other side has chosen: short and opaque. */
export const id = z.string().min(1).max(200);
export const text = z.string().max(Limit.textLength);
export const record = z.record(z.string(), z.unknown());

/** Names are shown and become parts of paths, so they hold no control characters, no bidirectional controls and no lone surrogates. */
const printable = /^[^\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u;
const seen = /[^\s\p{Default_Ignorable_Code_Point}]/u;
/** There is nothing in it that can be seen. */
export const isBlank = (value: string) => !seen.test(value);
/** Name of a provider or of an instance. */
export const name = z
  .string()
  .min(1)
  .max(Limit.nameLength)
  .regex(printable, 'must not hold control characters')
  .regex(seen, 'must not be blank');
/** Other gateways make names of streams of letters, digits, “.” and “_” alone. One of which nothing would be left is refused, as they do. */
export const streamName = name.regex(/[\p{L}\p{N}._]/u, 'must hold a letter or a digit');

export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'a tool name is 1 to 64 letters, digits, _ or -');

const TITLE_LENGTH = 1000;

const hint = z.boolean().optional();
const toolHints = z.object({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint });
export type ToolHints = z.infer<typeof toolHints>;
const title = z.string().max(TITLE_LENGTH).optional().catch(undefined);

export const toolDefinition = z
  .object({
    name: toolName,
    description: text.regex(seen, 'must not be blank: say what the tool does, or leave it out').optional(),
    /** JSON Schema of the arguments. When it is missing or `{}`, anything is allowed. */
    parameters: record.optional(),
    /** The same, as MCP calls it. `parameters` counts where both are there. */
    inputSchema: record.optional(),
    /** Milliseconds; more than an hour counts as an hour. */
    timeout: z
      .number()
      .positive()
      .transform((ms) => Math.min(ms, Time.maxToolTimeoutMs))
      .optional(),
    /** As in MCP, for people; also where it is one of the annotations. */
    title,
    /** As in MCP. Only internal providers are believed. */
    annotations: toolHints.extend({ title }).optional().catch(undefined),
    /** As in MCP: JSON Schema of the object that a result is or has as `structuredContent`. */
    outputSchema: record
      .refine((schema) => JSON.stringify(schema).length <= Limit.outputSchemaLength)
      .optional()
      .catch(undefined),
  })
  .transform(({ inputSchema, annotations, ...tool }) => {
    const { title: annotated, ...hints } = annotations ?? {};
    const shown = tool.title ?? annotated;
    return {
      ...tool,
      description: tool.description ?? '',
      parameters: tool.parameters ?? inputSchema ?? {},
      ...(shown !== undefined && { title: shown }),
      ...(annotations && { annotations: hints }),
    };
  });
export type ToolDefinition = z.infer<typeof toolDefinition>;
export const toolDefinitions = z.array(toolDefinition).max(Limit.tools);

/** What both dialects say about tools: their definitions, what they return, and the choices of who confirms a call. */
import * as z from 'zod/mini';
import { anyObject, id, listOf, openEnum, recordOf, tagged, type UnknownTag, uri } from './schemas.ts';
import { contentRef, fileEdit, stringOrMarkdown } from './shapes.ts';

export const confirmationReason = openEnum('not-needed', 'user-action', 'setting');
export type ToolCallConfirmationReason = 'not-needed' | 'user-action' | 'setting' | UnknownTag;
export type ToolCallCancellationReason = 'denied' | 'skipped' | 'result-denied' | UnknownTag;

/** A choice that the host offers for a call that waits. */
export interface ConfirmationOption {
  id: string;
  label: string;
  kind: 'approve' | 'deny' | UnknownTag;
  /** Options of different groups may be shown apart. Their order is the host's. */
  group?: number;
}

const objectSchema = z.object({
  type: z.literal('object'),
  properties: z.optional(recordOf<object>(anyObject)),
  required: z.optional(listOf(z.string())),
});
/** A JSON Schema whose root is an object. */
export interface ObjectSchema extends z.infer<typeof objectSchema> {}

const toolAnnotations = z.object({
  title: z.optional(z.string()),
  readOnlyHint: z.optional(z.boolean()),
  destructiveHint: z.optional(z.boolean()),
  idempotentHint: z.optional(z.boolean()),
  openWorldHint: z.optional(z.boolean()),
});
/** Hints, all advisory, as MCP's `ToolAnnotations`. */
export interface ToolAnnotations extends z.infer<typeof toolAnnotations> {}

export const toolDefinition = z.object({
  name: id,
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  inputSchema: z.optional(objectSchema),
  outputSchema: z.optional(objectSchema),
  annotations: z.optional(toolAnnotations),
  _meta: z.optional(anyObject),
});
export interface ToolDefinition extends z.infer<typeof toolDefinition> {}

const textContent = z.object({ type: z.literal('text'), text: z.string() });
export interface ToolResultTextContent extends z.infer<typeof textContent> {}

const embeddedResourceContent = z.object({
  type: z.literal('embeddedResource'),
  /** Base64. */
  data: z.string(),
  contentType: z.string(),
});
/** Binary content inline. */
export interface ToolResultEmbeddedResourceContent extends z.infer<typeof embeddedResourceContent> {}

const resourceContent = z.extend(contentRef, { type: z.literal('resource') });
export interface ToolResultResourceContent extends z.infer<typeof resourceContent> {}

const fileEditContent = z.extend(fileEdit, { type: z.literal('fileEdit') });
export interface ToolResultFileEditContent extends z.infer<typeof fileEditContent> {}

const terminalContent = z.object({
  type: z.literal('terminal'),
  resource: uri,
  title: z.string(),
  isPty: z.optional(z.boolean()),
  /** Set once the command has ended. */
  result: z.optional(z.object({ exitCode: z.optional(z.number()), preview: z.optional(z.string()), truncated: z.optional(z.boolean()) })),
});
/** A terminal whose output belongs to the result. It can be subscribed to while it runs. */
export interface ToolResultTerminalContent extends z.infer<typeof terminalContent> {}

const subagentContent = z.object({
  type: z.literal('subagent'),
  resource: uri,
  title: z.string(),
  agentName: z.optional(z.string()),
  description: z.optional(z.string()),
});
/** A session that the tool started. */
export interface ToolResultSubagentContent extends z.infer<typeof subagentContent> {}

export interface UnknownToolResultContent {
  type: UnknownTag;
}
export type ToolResultContent =
  | ToolResultTextContent
  | ToolResultEmbeddedResourceContent
  | ToolResultResourceContent
  | ToolResultFileEditContent
  | ToolResultTerminalContent
  | ToolResultSubagentContent
  | UnknownToolResultContent;
export const toolResultContent: z.ZodMiniType<ToolResultContent> = tagged('type', [
  textContent,
  embeddedResourceContent,
  resourceContent,
  fileEditContent,
  terminalContent,
  subagentContent,
]);

export const toolCallResult = z.object({
  success: z.boolean(),
  pastTenseMessage: stringOrMarkdown,
  content: z.optional(listOf(toolResultContent)),
  structuredContent: z.optional(anyObject),
  error: z.optional(z.object({ message: z.string(), code: z.optional(z.string()) })),
});
/** What a tool returned (as MCP's `CallToolResult`). */
export interface ToolCallResult extends z.infer<typeof toolCallResult> {}

/** Tool calls: the states of their life cycle, what they return, and the definitions of tools. */
import * as z from 'zod/mini';
import {
  contentRef,
  customizationRef,
  type FileEdit,
  fileEdit,
  type StringOrMarkdown,
  stringOrMarkdown,
  type URI,
  type UserMessage,
} from './common.ts';
import { anyObject, id, listOf, openEnum, recordOf, tagged, type UnknownTag, uri } from './schemas.ts';

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

export interface ToolCallBase {
  toolCallId: string;
  toolName: string;
  displayName: string;
  /** Set when a client provides the tool. That client runs it and dispatches `session/toolCallComplete`. */
  toolClientId?: string;
  _meta?: Record<string, unknown>;
}

/** Known once the parameters are complete. */
interface ToolCallParameters {
  invocationMessage: StringOrMarkdown;
  /** The raw input, usually JSON. */
  toolInput?: string;
}

/** The model is still writing the parameters. */
export interface ToolCallStreamingState extends ToolCallBase {
  status: 'streaming';
  partialInput?: string;
  invocationMessage?: StringOrMarkdown;
}
/** Waits for the user, before it runs or, for a further permission, while it runs. */
export interface ToolCallPendingConfirmationState extends ToolCallBase, ToolCallParameters {
  status: 'pending-confirmation';
  confirmationTitle?: StringOrMarkdown;
  /** The edits that it would make. */
  edits?: { items: FileEdit[] };
  /** True when the user may change `toolInput` before approving. */
  editable?: boolean;
  /** When present, shown in place of plain approve and deny. */
  options?: ConfirmationOption[];
}
export interface ToolCallRunningState extends ToolCallBase, ToolCallParameters {
  status: 'running';
  confirmed: ToolCallConfirmationReason;
  selectedOption?: ConfirmationOption;
  /** Partial content, such as a live terminal. */
  content?: ToolResultContent[];
}
/** It has run. The user decides whether the model gets the result. */
export interface ToolCallPendingResultConfirmationState extends ToolCallBase, ToolCallParameters, ToolCallResult {
  status: 'pending-result-confirmation';
  confirmed: ToolCallConfirmationReason;
  selectedOption?: ConfirmationOption;
}
export interface ToolCallCompletedState extends ToolCallBase, ToolCallParameters, ToolCallResult {
  status: 'completed';
  confirmed: ToolCallConfirmationReason;
  selectedOption?: ConfirmationOption;
}
export interface ToolCallCancelledState extends ToolCallBase, ToolCallParameters {
  status: 'cancelled';
  reason: ToolCallCancellationReason;
  reasonMessage?: StringOrMarkdown;
  userSuggestion?: UserMessage;
  selectedOption?: ConfirmationOption;
}
export interface UnknownToolCallState extends ToolCallBase {
  status: UnknownTag;
}
export type ToolCallState =
  | ToolCallStreamingState
  | ToolCallPendingConfirmationState
  | ToolCallRunningState
  | ToolCallPendingResultConfirmationState
  | ToolCallCompletedState
  | ToolCallCancelledState
  | UnknownToolCallState;

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

const terminalContent = z.object({ type: z.literal('terminal'), resource: uri, title: z.string() });
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

interface ToolCallActionBase {
  session: URI;
  turnId: string;
  toolCallId: string;
  _meta?: Record<string, unknown>;
}
export interface SessionToolCallStartAction extends ToolCallActionBase {
  type: 'session/toolCallStart';
  toolName: string;
  displayName: string;
  toolClientId?: string;
}
/** Appends to the parameters while they stream. */
export interface SessionToolCallDeltaAction extends ToolCallActionBase {
  type: 'session/toolCallDelta';
  content: string;
  invocationMessage?: StringOrMarkdown;
}
/** The parameters are complete. With `confirmed` the call runs, without it waits for the user. */
export interface SessionToolCallReadyAction extends ToolCallActionBase {
  type: 'session/toolCallReady';
  invocationMessage: StringOrMarkdown;
  toolInput?: string;
  confirmationTitle?: StringOrMarkdown;
  edits?: { items: FileEdit[] };
  confirmed?: ToolCallConfirmationReason;
  editable?: boolean;
  options?: ConfirmationOption[];
}

export const activeClient = z.object({
  clientId: id,
  displayName: z.optional(z.string()),
  tools: listOf(toolDefinition),
  customizations: z.optional(listOf(customizationRef)),
});
/** The one client that lends tools to a session. */
export interface SessionActiveClient extends z.infer<typeof activeClient> {}

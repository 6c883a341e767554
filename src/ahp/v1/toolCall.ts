/** Tool calls: the states of their life cycle, what they return, and the definitions of tools. */
import * as z from 'zod/mini';
import { id, listOf, type UnknownTag } from '../common/schemas.ts';
import {
  type ConfirmationOption,
  type ToolCallCancellationReason,
  type ToolCallConfirmationReason,
  type ToolCallResult,
  toolDefinition,
  type ToolResultContent,
} from '../common/tools.ts';
import { customizationRef, type FileEdit, type StringOrMarkdown, type URI, type UserMessage } from './common.ts';

export { confirmationReason, toolCallResult, toolDefinition, toolResultContent } from '../common/tools.ts';
export type {
  ConfirmationOption,
  ObjectSchema,
  ToolAnnotations,
  ToolCallCancellationReason,
  ToolCallConfirmationReason,
  ToolCallResult,
  ToolDefinition,
  ToolResultContent,
  ToolResultEmbeddedResourceContent,
  ToolResultFileEditContent,
  ToolResultResourceContent,
  ToolResultSubagentContent,
  ToolResultTerminalContent,
  ToolResultTextContent,
  UnknownToolResultContent,
} from '../common/tools.ts';

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

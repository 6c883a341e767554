/** Tool calls: the states of their life cycle, what they return, and the definitions of tools. */
import type { ContentRef, FileEdit, StringOrMarkdown, UnknownTag, URI } from './common.ts';
import type { UserMessage } from './session.ts';

export type ToolCallConfirmationReason = 'not-needed' | 'user-action' | 'setting' | UnknownTag;
export type ToolCallCancellationReason = 'denied' | 'skipped' | 'result-denied' | UnknownTag;

/** A choice that the host offers for a call that waits. */
export interface ConfirmationOption {
  id: string;
  label: string;
  kind: 'approve' | 'deny' | UnknownTag;
  /** Options of different groups may be set apart; their order is the host's. */
  group?: number;
}

interface ToolCallBase {
  toolCallId: string;
  toolName: string;
  displayName: string;
  /** Set when a client provides the tool: that client runs it and dispatches `session/toolCallComplete`. */
  toolClientId?: string;
  _meta?: Record<string, unknown>;
}

/** Known once the parameters were received whole. */
interface ToolCallParameters {
  invocationMessage: StringOrMarkdown;
  /** The raw input, usually JSON. */
  toolInput?: string;
}

/** What a tool returned (as MCP's `CallToolResult`). */
export interface ToolCallResult {
  success: boolean;
  pastTenseMessage: StringOrMarkdown;
  content?: ToolResultContent[];
  structuredContent?: Record<string, unknown>;
  error?: { message: string; code?: string };
}

/** The model is still writing the parameters. */
export interface ToolCallStreamingState extends ToolCallBase {
  status: 'streaming';
  partialInput?: string;
  invocationMessage?: StringOrMarkdown;
}
/** Waits for a person, before it runs or (a permission in the middle of it) while it runs. */
export interface ToolCallPendingConfirmationState extends ToolCallBase, ToolCallParameters {
  status: 'pending-confirmation';
  confirmationTitle?: StringOrMarkdown;
  /** The edits that it would make. */
  edits?: { items: FileEdit[] };
  /** True when the person may change `toolInput` before approving. */
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
/** It ran; a person decides whether the model gets the result. */
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

/** A JSON Schema whose root is an object. */
export interface ObjectSchema {
  type: 'object';
  properties?: Record<string, object>;
  required?: string[];
}

/** Hints, all advisory, as MCP's `ToolAnnotations`. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
}

export interface ToolResultTextContent {
  type: 'text';
  text: string;
}
/** Binary content inline. */
export interface ToolResultEmbeddedResourceContent {
  type: 'embeddedResource';
  /** Base64. */
  data: string;
  contentType: string;
}
export interface ToolResultResourceContent extends ContentRef {
  type: 'resource';
}
export interface ToolResultFileEditContent extends FileEdit {
  type: 'fileEdit';
}
/** A terminal whose output belongs to the result; may be subscribed to while it runs. */
export interface ToolResultTerminalContent {
  type: 'terminal';
  resource: URI;
  title: string;
}
/** A session that the tool started. */
export interface ToolResultSubagentContent {
  type: 'subagent';
  resource: URI;
  title: string;
  agentName?: string;
  description?: string;
}
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
/** Parameters are complete; with `confirmed` it runs, without it waits for a person. */
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
/** Client-dispatchable. */
export interface SessionToolCallApprovedAction extends ToolCallActionBase {
  type: 'session/toolCallConfirmed';
  approved: true;
  confirmed: ToolCallConfirmationReason;
  editedToolInput?: string;
  selectedOptionId?: string;
}
/** Client-dispatchable. */
export interface SessionToolCallDeniedAction extends ToolCallActionBase {
  type: 'session/toolCallConfirmed';
  approved: false;
  reason: 'denied' | 'skipped' | UnknownTag;
  reasonMessage?: StringOrMarkdown;
  userSuggestion?: UserMessage;
  selectedOptionId?: string;
}
export type SessionToolCallConfirmedAction = SessionToolCallApprovedAction | SessionToolCallDeniedAction;
/** Client-dispatchable by the client that owns the call. */
export interface SessionToolCallCompleteAction extends ToolCallActionBase {
  type: 'session/toolCallComplete';
  result: ToolCallResult;
  requiresResultConfirmation?: boolean;
}
/** Client-dispatchable. */
export interface SessionToolCallResultConfirmedAction extends ToolCallActionBase {
  type: 'session/toolCallResultConfirmed';
  approved: boolean;
}
/** Client-dispatchable by the client that owns the call. */
export interface SessionToolCallContentChangedAction extends ToolCallActionBase {
  type: 'session/toolCallContentChanged';
  content: ToolResultContent[];
}
export type ToolCallAction =
  | SessionToolCallStartAction
  | SessionToolCallDeltaAction
  | SessionToolCallReadyAction
  | SessionToolCallConfirmedAction
  | SessionToolCallCompleteAction
  | SessionToolCallResultConfirmedAction
  | SessionToolCallContentChangedAction;

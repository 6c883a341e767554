/** Tool calls: the states of their life cycle, what they return, and the definitions of tools. */
import type { ContentRef, FileEdit, StringOrMarkdown, UnknownTag, URI, UserMessage } from './common.ts';
import { isAbsent, isRecord, listOf, omitAbsent, textOf } from './reducer.ts';

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

/** The streaming call that `session/toolCallStart` appends. */
export function startedToolCall(action: SessionToolCallStartAction): ToolCallStreamingState {
  return omitAbsent<ToolCallStreamingState>({ status: 'streaming', ...identityOf(action) });
}

/**
 * The call after an action that names it; the same object when its status does not allow the action
 * (design/agent-host.md, "Reducers", tool calls).
 */
export function reduceToolCall(call: ToolCallState, action: Exclude<ToolCallAction, SessionToolCallStartAction>): ToolCallState {
  switch (action.type) {
    case 'session/toolCallDelta':
      return call.status === 'streaming' ? withDelta(call, action) : call;
    case 'session/toolCallReady':
      return call.status === 'streaming' || call.status === 'running' ? ready(call, action) : call;
    case 'session/toolCallConfirmed':
      return call.status === 'pending-confirmation' ? confirmed(call, action) : call;
    case 'session/toolCallComplete':
      return call.status === 'running' || call.status === 'pending-confirmation' ? completed(call, action) : call;
    case 'session/toolCallResultConfirmed':
      return call.status === 'pending-result-confirmation' ? resultConfirmed(call, action) : call;
    case 'session/toolCallContentChanged':
      return call.status === 'running' && Array.isArray(action.content) ? { ...call, content: action.content } : call;
    default:
      return call;
  }
}

/** The call when its turn ends: what is not finished is cancelled as skipped. A status of a later version stays as it came. */
export function toolCallAtTurnEnd(call: ToolCallState): ToolCallState {
  switch (call.status) {
    case 'streaming':
    case 'pending-confirmation':
    case 'running':
    case 'pending-result-confirmation':
      return cancelled(call, { reason: 'skipped' });
    default:
      return call;
  }
}

/** True while the call waits for a person. */
export function waitsForPerson(call: ToolCallState): boolean {
  return call.status === 'pending-confirmation' || call.status === 'pending-result-confirmation';
}

type UnfinishedToolCall =
  ToolCallStreamingState | ToolCallPendingConfirmationState | ToolCallRunningState | ToolCallPendingResultConfirmationState;

// Each status has fields of its own, so a transition builds the new state from what the statuses share.
function identityOf({ toolCallId, toolName, displayName, toolClientId, _meta }: ToolCallBase): ToolCallBase {
  return { toolCallId, toolName, displayName, toolClientId, _meta };
}

function withDelta(call: ToolCallStreamingState, action: SessionToolCallDeltaAction): ToolCallStreamingState {
  if (typeof action.content !== 'string') return call;
  const partialInput = textOf(call.partialInput) + action.content;
  return { ...call, ...omitAbsent({ partialInput, invocationMessage: action.invocationMessage }) };
}

function ready(call: ToolCallBase, action: SessionToolCallReadyAction): ToolCallRunningState | ToolCallPendingConfirmationState {
  const { invocationMessage, toolInput, confirmed, confirmationTitle, edits, editable, options } = action;
  const known = { ...identityOf(call), invocationMessage, toolInput };
  return isAbsent(confirmed)
    ? omitAbsent<ToolCallPendingConfirmationState>({
        status: 'pending-confirmation',
        ...known,
        confirmationTitle,
        edits,
        editable,
        options,
      })
    : omitAbsent<ToolCallRunningState>({ status: 'running', ...known, confirmed });
}

function confirmed(
  call: ToolCallPendingConfirmationState,
  action: SessionToolCallConfirmedAction,
): ToolCallRunningState | ToolCallCancelledState {
  const { selectedOptionId } = action;
  const selectedOption = isAbsent(selectedOptionId) ? undefined : listOf(call.options).find((option) => option?.id === selectedOptionId);
  if (!action.approved) {
    const { reason, reasonMessage, userSuggestion } = action;
    return cancelled(call, { reason, reasonMessage, userSuggestion, selectedOption });
  }
  return omitAbsent<ToolCallRunningState>({
    status: 'running',
    ...identityOf(call),
    invocationMessage: call.invocationMessage,
    toolInput: action.editedToolInput ?? call.toolInput,
    confirmed: action.confirmed,
    selectedOption,
  });
}

function completed(call: ToolCallRunningState | ToolCallPendingConfirmationState, action: SessionToolCallCompleteAction): ToolCallState {
  if (!isRecord(action.result)) return call;
  const { success, pastTenseMessage, content, structuredContent, error } = action.result;
  return omitAbsent<ToolCallCompletedState | ToolCallPendingResultConfirmationState>({
    status: action.requiresResultConfirmation === true ? 'pending-result-confirmation' : 'completed',
    ...identityOf(call),
    invocationMessage: call.invocationMessage,
    toolInput: call.toolInput,
    confirmed: call.status === 'running' ? call.confirmed : 'not-needed',
    selectedOption: call.status === 'running' ? call.selectedOption : undefined,
    success,
    pastTenseMessage,
    content,
    structuredContent,
    error,
  });
}

function resultConfirmed(
  call: ToolCallPendingResultConfirmationState,
  action: SessionToolCallResultConfirmedAction,
): ToolCallCompletedState | ToolCallCancelledState {
  return action.approved ? { ...call, status: 'completed' } : cancelled(call, { reason: 'result-denied' });
}

function cancelled(
  call: UnfinishedToolCall,
  why: Pick<ToolCallCancelledState, 'reason' | 'reasonMessage' | 'userSuggestion' | 'selectedOption'>,
): ToolCallCancelledState {
  return omitAbsent<ToolCallCancelledState>({
    status: 'cancelled',
    ...identityOf(call),
    invocationMessage: call.invocationMessage ?? '',
    toolInput: 'toolInput' in call ? call.toolInput : undefined,
    selectedOption: 'selectedOption' in call ? call.selectedOption : undefined,
    ...why,
  });
}

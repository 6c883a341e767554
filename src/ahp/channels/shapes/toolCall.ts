/** The states of a tool call's life cycle. */
import type { ContentRef, FileEdit } from '../../common/shapes.ts';
import type {
  ConfirmationOption,
  ToolCallCancellationReason,
  ToolCallConfirmationReason,
  ToolCallResult,
  ToolResultContent,
} from '../../common/tools.ts';
import type { Meta, StringOrMarkdown, UnknownTag } from './basic.ts';
import type { McpAuthRequirement } from './customizations.ts';
import type { Message } from './message.ts';

/** Inline, or where it can be read. */
export type ToolInput = string | ContentRef;

/** Whose tool it is. A client runs its own, and dispatches `chat/toolCallComplete`. Absent for the host's. */
export type ToolCallContributor = { kind: 'client'; clientId: string } | { kind: 'mcp'; customizationId: string } | { kind: UnknownTag };

export type ToolCallRiskAssessment =
  | { status: 'loading'; kind: 'judge' | UnknownTag }
  | { status: 'complete'; kind: 'judge' | UnknownTag; reason: StringOrMarkdown; safety: number }
  | { status: UnknownTag };

export interface ToolCallBase {
  toolCallId: string;
  toolName: string;
  displayName: string;
  /** Why the model makes the call. */
  intention?: string;
  contributor?: ToolCallContributor;
  _meta?: Meta;
}
/** Known once the parameters are complete. */
interface ToolCallParameters {
  invocationMessage: StringOrMarkdown;
  toolInput?: ToolInput;
}
interface PostConfirmation {
  confirmed: ToolCallConfirmationReason;
  selectedOption?: ConfirmationOption;
  /** Since 1.1.0. When it first began to run, as ISO 8601. */
  startedAt?: string;
}
interface ExecutionTime {
  /** Since 1.1.0. In ms, from `startedAt` until it had run, by the clock of the host. It is never made of two times. */
  duration?: number;
}

/** What the user sees of a call before deciding about it. */
export interface ConfirmationFields {
  confirmationTitle?: StringOrMarkdown;
  riskAssessment?: ToolCallRiskAssessment;
  /** The edits that it would make. */
  edits?: { items: FileEdit[] };
  /** True when the user may change `toolInput` before approving. */
  editable?: boolean;
  /** When present, shown in place of plain approve and deny. */
  options?: ConfirmationOption[];
}

/** The model is still writing the parameters. */
export interface ToolCallStreamingState extends ToolCallBase {
  status: 'streaming';
  partialInput?: string;
  invocationMessage?: StringOrMarkdown;
}
/** Waits for the user, before it runs or, for a further permission, while it runs. */
export interface ToolCallPendingConfirmationState extends ToolCallBase, ToolCallParameters, ConfirmationFields {
  status: 'pending-confirmation';
}
export interface ToolCallRunningState extends ToolCallBase, ToolCallParameters, PostConfirmation {
  status: 'running';
  /** Partial content, such as a live terminal. */
  content?: ToolResultContent[];
}
/** A tool of an MCP server that cannot go on before the user has signed in. */
export interface ToolCallAuthRequiredState extends ToolCallBase, ToolCallParameters, PostConfirmation {
  status: 'auth-required';
  auth: McpAuthRequirement;
  content?: ToolResultContent[];
}
/** It has run. The user decides whether the model gets the result. */
export interface ToolCallPendingResultConfirmationState
  extends ToolCallBase, ToolCallParameters, PostConfirmation, ToolCallResult, ExecutionTime {
  status: 'pending-result-confirmation';
}
/** It has run. A failure is a result with `success: false`. */
export interface ToolCallCompletedState extends ToolCallBase, ToolCallParameters, PostConfirmation, ToolCallResult, ExecutionTime {
  status: 'completed';
}
export interface ToolCallCancelledState extends ToolCallBase, ToolCallParameters {
  status: 'cancelled';
  reason: ToolCallCancellationReason;
  reasonMessage?: StringOrMarkdown;
  userSuggestion?: Message;
  selectedOption?: ConfirmationOption;
}
export interface UnknownToolCallState extends ToolCallBase {
  status: UnknownTag;
}
export type ToolCallState =
  | ToolCallStreamingState
  | ToolCallPendingConfirmationState
  | ToolCallRunningState
  | ToolCallAuthRequiredState
  | ToolCallPendingResultConfirmationState
  | ToolCallCompletedState
  | ToolCallCancelledState
  | UnknownToolCallState;

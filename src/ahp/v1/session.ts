/** Session resources (`<provider>:/<id>`): their state and their actions. */
import type {
  SessionActiveClientChangedAction,
  SessionActiveClientToolsChangedAction,
  SessionConfigChangedAction,
  SessionCustomizationToggledAction,
  SessionInputAnswerChangedAction,
  SessionInputCompletedAction,
  SessionIsArchivedChangedAction,
  SessionIsReadChangedAction,
  SessionModelChangedAction,
  SessionPendingMessageRemovedAction,
  SessionPendingMessageSetAction,
  SessionQueuedMessagesReorderedAction,
  SessionTitleChangedAction,
  SessionToolCallCompleteAction,
  SessionToolCallConfirmedAction,
  SessionToolCallContentChangedAction,
  SessionToolCallResultConfirmedAction,
  SessionTruncatedAction,
  SessionTurnCancelledAction,
  SessionTurnStartedAction,
} from './clientActions.ts';
import type { SessionStatusBits } from '../common/status.ts';
import type {
  ConfigPropertySchema,
  ContentRef,
  CustomizationRef,
  ErrorInfo,
  FileEdit,
  ModelSelection,
  UnknownTag,
  URI,
  UsageInfo,
  UserMessage,
} from './common.ts';
import type { SessionInputRequest, SessionInputRequestedAction } from './inputRequest.ts';
import type {
  SessionActiveClient,
  SessionToolCallDeltaAction,
  SessionToolCallReadyAction,
  SessionToolCallStartAction,
  ToolCallState,
  ToolDefinition,
} from './toolCall.ts';

export type SessionLifecycle = 'creating' | 'ready' | 'creationFailed' | UnknownTag;

export { SessionStatus, type SessionStatusBits } from '../common/status.ts';

export interface SessionSummary {
  resource: URI;
  provider: string;
  title: string;
  status: SessionStatusBits;
  activity?: string;
  /** ms since the epoch, the host's clock. */
  createdAt: number;
  modifiedAt: number;
  project?: ProjectInfo;
  model?: ModelSelection;
  workingDirectory?: URI;
  diffs?: FileEdit[];
}
export interface ProjectInfo {
  uri: URI;
  displayName: string;
}

export interface SessionState {
  summary: SessionSummary;
  lifecycle: SessionLifecycle;
  creationError?: ErrorInfo;
  serverTools?: ToolDefinition[];
  activeClient?: SessionActiveClient;
  turns: Turn[];
  activeTurn?: ActiveTurn;
  /** To be injected into the turn in progress. */
  steeringMessage?: PendingMessage;
  /** Each becomes a turn, in order. */
  queuedMessages?: PendingMessage[];
  inputRequests?: SessionInputRequest[];
  config?: SessionConfigState;
  customizations?: SessionCustomization[];
  _meta?: Record<string, unknown>;
}

export interface SessionConfigPropertySchema extends ConfigPropertySchema {
  /** There are too many values to list. They are requested with `sessionConfigCompletions`. */
  enumDynamic?: boolean;
  /** May be changed after the session was created. */
  sessionMutable?: boolean;
}
export interface SessionConfigSchema {
  type: 'object';
  properties: Record<string, SessionConfigPropertySchema>;
  required?: string[];
}
export interface SessionConfigState {
  schema: SessionConfigSchema;
  values: Record<string, unknown>;
}

export interface SessionCustomization {
  customization: CustomizationRef;
  enabled: boolean;
  /** The client that contributed it. Absent for the host's own. */
  clientId?: string;
  status?: 'loading' | 'loaded' | 'degraded' | 'error' | UnknownTag;
  statusMessage?: string;
}

export type PendingMessageKind = 'steering' | 'queued' | UnknownTag;
export interface PendingMessage {
  id: string;
  userMessage: UserMessage;
}

export type TurnState = 'complete' | 'cancelled' | 'error' | UnknownTag;
export interface ActiveTurn {
  id: string;
  userMessage: UserMessage;
  /** In stream order. */
  responseParts: ResponsePart[];
  usage?: UsageInfo;
}
export interface Turn extends ActiveTurn {
  state: TurnState;
  error?: ErrorInfo;
}

export interface MarkdownResponsePart {
  kind: 'markdown';
  id: string;
  content: string;
}
export interface ReasoningResponsePart {
  kind: 'reasoning';
  id: string;
  content: string;
}
export interface ToolCallResponsePart {
  kind: 'toolCall';
  toolCall: ToolCallState;
}
export interface ResourceResponsePart extends ContentRef {
  kind: 'contentRef';
}
export interface UnknownResponsePart {
  kind: UnknownTag;
}
export type ResponsePart = MarkdownResponsePart | ReasoningResponsePart | ToolCallResponsePart | ResourceResponsePart | UnknownResponsePart;

interface SessionActionBase {
  session: URI;
}
interface TurnActionBase extends SessionActionBase {
  turnId: string;
}
export interface SessionReadyAction extends SessionActionBase {
  type: 'session/ready';
}
export interface SessionCreationFailedAction extends SessionActionBase {
  type: 'session/creationFailed';
  error: ErrorInfo;
}
/** Appends to the Markdown part `partId`. */
export interface SessionDeltaAction extends TurnActionBase {
  type: 'session/delta';
  partId: string;
  content: string;
}
/** Appends to the reasoning part `partId`. */
export interface SessionReasoningAction extends TurnActionBase {
  type: 'session/reasoning';
  partId: string;
  content: string;
}
export interface SessionResponsePartAction extends TurnActionBase {
  type: 'session/responsePart';
  part: ResponsePart;
}
export interface SessionTurnCompleteAction extends TurnActionBase {
  type: 'session/turnComplete';
}
export interface SessionErrorAction extends TurnActionBase {
  type: 'session/error';
  error: ErrorInfo;
}
export interface SessionUsageAction extends TurnActionBase {
  type: 'session/usage';
  usage: UsageInfo;
}
export interface SessionServerToolsChangedAction extends SessionActionBase {
  type: 'session/serverToolsChanged';
  tools: ToolDefinition[];
}
export interface SessionCustomizationsChangedAction extends SessionActionBase {
  type: 'session/customizationsChanged';
  customizations: SessionCustomization[];
}
export interface SessionActivityChangedAction extends SessionActionBase {
  type: 'session/activityChanged';
  activity?: string;
}
export interface SessionDiffsChangedAction extends SessionActionBase {
  type: 'session/diffsChanged';
  diffs: FileEdit[];
}
export interface SessionMetaChangedAction extends SessionActionBase {
  type: 'session/metaChanged';
  _meta?: Record<string, unknown>;
}

export type ToolCallAction =
  | SessionToolCallStartAction
  | SessionToolCallDeltaAction
  | SessionToolCallReadyAction
  | SessionToolCallConfirmedAction
  | SessionToolCallCompleteAction
  | SessionToolCallResultConfirmedAction
  | SessionToolCallContentChangedAction;
export type InputRequestAction = SessionInputRequestedAction | SessionInputAnswerChangedAction | SessionInputCompletedAction;
export type SessionAction =
  | SessionReadyAction
  | SessionCreationFailedAction
  | SessionTurnStartedAction
  | SessionDeltaAction
  | SessionReasoningAction
  | SessionResponsePartAction
  | SessionTurnCompleteAction
  | SessionTurnCancelledAction
  | SessionErrorAction
  | SessionUsageAction
  | SessionTitleChangedAction
  | SessionModelChangedAction
  | SessionServerToolsChangedAction
  | SessionActiveClientChangedAction
  | SessionActiveClientToolsChangedAction
  | SessionPendingMessageSetAction
  | SessionPendingMessageRemovedAction
  | SessionQueuedMessagesReorderedAction
  | SessionCustomizationsChangedAction
  | SessionCustomizationToggledAction
  | SessionTruncatedAction
  | SessionIsReadChangedAction
  | SessionIsArchivedChangedAction
  | SessionActivityChangedAction
  | SessionDiffsChangedAction
  | SessionConfigChangedAction
  | SessionMetaChangedAction
  | ToolCallAction
  | InputRequestAction;

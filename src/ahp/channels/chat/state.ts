/** The state of a chat: its turns, the turn in progress, and the messages that wait. Its URI is the host's choice. */
import type { InputRequest, InputResponseKind } from '../../common/inputRequest.ts';
import type { ContentRef, ErrorInfo, UsageInfo } from '../../common/shapes.ts';
import type { Changeset, Meta, StringOrMarkdown, UnknownTag, URI } from '../shapes/basic.ts';
import type { Message, PendingMessage } from '../shapes/message.ts';
import type { ChatSummary } from '../shapes/summaries.ts';
import type { ToolCallState } from '../shapes/toolCall.ts';

interface TextPart {
  id: string;
  content: string;
}
export interface MarkdownResponsePart extends TextPart {
  kind: 'markdown';
}
export interface ReasoningResponsePart extends TextPart {
  kind: 'reasoning';
}
export interface ToolCallResponsePart {
  kind: 'toolCall';
  toolCall: ToolCallState;
}
export interface ResourceResponsePart extends ContentRef {
  kind: 'contentRef';
}
export interface SystemNotificationResponsePart {
  kind: 'systemNotification';
  content: StringOrMarkdown;
  _meta?: Meta;
}
/** A question to the user, where it was asked. It is open while it has no `response`. */
export interface InputRequestResponsePart {
  kind: 'inputRequest';
  request: InputRequest;
  response?: InputResponseKind;
}
/** The last part of a turn that failed. */
export interface ErrorResponsePart {
  kind: 'error';
  error: ErrorInfo;
  /** The turn can go on, with `chat/turnResume`. */
  resumable?: boolean;
}
export interface UnknownResponsePart {
  kind: UnknownTag;
}
export type ResponsePart =
  | MarkdownResponsePart
  | ReasoningResponsePart
  | ToolCallResponsePart
  | ResourceResponsePart
  | SystemNotificationResponsePart
  | InputRequestResponsePart
  | ErrorResponsePart
  | UnknownResponsePart;

interface TurnBase {
  id: string;
  message: Message;
  /** In stream order. */
  responseParts: ResponsePart[];
  usage?: UsageInfo;
}
export interface ActiveTurn extends TurnBase {
  /** Absent where the host does not say it: in AHP v1. */
  startedAt?: string;
}
export type TurnState = 'complete' | 'cancelled' | 'error' | UnknownTag;
export interface Turn extends TurnBase {
  startedAt?: string;
  /** Milliseconds. */
  duration?: number;
  state: TurnState;
}

interface BackgroundWorkBase {
  id: string;
  label: string;
  startedAt: string;
  _meta?: Meta;
}
/** What goes on beside the turns. Only what is alive is listed. Since 1.0.0. */
export type BackgroundWork =
  | (BackgroundWorkBase & { kind: 'shell'; command: string; terminal?: URI })
  | (BackgroundWorkBase & { kind: 'subagent'; chat: URI })
  | (BackgroundWorkBase & { kind: UnknownTag });

export interface CanvasReference {
  resource: URI;
}

export interface ChatState extends ChatSummary {
  /** That of the snapshot: no action of the chat changes it. The session's `chats` have the current one. */
  title: string;
  turns: Turn[];
  /** Older turns can be loaded with `fetchTurns`. */
  turnsNextCursor?: string;
  activeTurn?: ActiveTurn;
  /** To be injected into the turn in progress. */
  steeringMessage?: PendingMessage;
  /** Each becomes a turn, in order. */
  queuedMessages?: PendingMessage[];
  /** A message that somebody writes. All clients share it. */
  draft?: Message;
  /** Since 1.0.0, as the two below. */
  changesets?: Changeset[];
  backgroundWork?: BackgroundWork[];
  canvases?: CanvasReference[];
  _meta?: Meta;
}

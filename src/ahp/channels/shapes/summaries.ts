/** Sessions and chats as lists show them. Times are ISO 8601 strings of the host's clock. */
import type { SessionStatusBits } from '../../common/status.ts';
import type { AnnotationsSummary, ChangesSummary, Meta, ProjectInfo, UnknownTag, URI } from './basic.ts';

export interface SideChatSelection {
  text: string;
  responsePartId?: string;
}
/** What a chat was made from. */
export type ChatOrigin =
  | { kind: 'user' }
  | { kind: 'fork'; chat: URI; turnId: string }
  | { kind: 'sideChat'; chat: URI; turnId: string; selection?: SideChatSelection }
  | { kind: 'tool'; chat: URI; toolCallId: string }
  | { kind: UnknownTag };
/** Absent means `full`. */
export type ChatInteractivity = 'full' | 'read-only' | 'hidden' | UnknownTag;

export interface ChatSummary {
  resource: URI;
  title: string;
  status: SessionStatusBits;
  activity?: string;
  modifiedAt: string;
  origin?: ChatOrigin;
  interactivity?: ChatInteractivity;
  workingDirectories?: URI[];
  /** Since 1.0.0. */
  changes?: ChangesSummary;
  /** The chat can be moved with `moveChat`. Since 1.0.0. */
  movable?: boolean;
}

/** A chat in the summary of its session. Since 1.0.0. */
export interface SessionChatSummary {
  resource: URI;
  title: string;
  origin?: ChatOrigin;
  interactivity?: ChatInteractivity;
  /** Absent means unknown. */
  status?: SessionStatusBits;
  changes?: ChangesSummary;
}

/** What the summary and the state of a session have in common. */
export interface SessionMetadata {
  provider: string;
  title: string;
  status: SessionStatusBits;
  activity?: string;
  origin?: { kind: 'automation'; automation: URI; run: URI } | { kind: UnknownTag };
  project?: ProjectInfo;
  workingDirectories?: URI[];
  annotations?: AnnotationsSummary;
}

export interface SessionSummary extends SessionMetadata {
  resource: URI;
  createdAt: string;
  modifiedAt: string;
  changes?: ChangesSummary;
  /** In the host's order. Since 1.0.0. */
  chats?: SessionChatSummary[];
  defaultChat?: URI;
  _meta?: Meta;
}

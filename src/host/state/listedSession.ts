/** What the host knows of a session besides its state, and the session as lists show it. */
import type { Annotation } from '../../ahp/channels/annotations.ts';
import { activityOf, SessionStatus, statusBits, withActivity, withFlag } from '../../ahp/common/status.ts';
import type { FileEdit, URI } from '../../ahp/common/shapes.ts';
import { omitAbsent } from '../../ahp/common/reducers/reducer.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { AnnotationsSummary, ChangesSummary, ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { ChatSummary, SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { annotationsUri } from './chatUris.ts';
import type { Worktree } from '../files/workspace/sessionWorktree.ts';

export interface SessionFacts {
  uri: URI;
  /** Real path. */
  workingDirectory: string;
  /** ms since the epoch, the host's clock. */
  createdAt: number;
  /** The git worktree that was created for the session. */
  worktree?: Worktree;
}

/** A session as lists show it, also while it is not loaded. */
export interface ListedSession {
  summary: SessionSummary;
  chats: readonly ChatSummary[];
  /** Of the default chat: what the next message goes to. */
  model?: ModelSelection;
  /** The files that the session has changed. */
  edits: readonly FileEdit[];
}

/** What belongs to a session besides its own state. */
export interface SessionParts {
  defaultChat?: ChatState | undefined;
  edits?: readonly FileEdit[] | undefined;
  annotations?: readonly Annotation[] | undefined;
}

export function listedSession(
  { uri, createdAt }: SessionFacts,
  session: SessionState,
  { defaultChat, edits = [], annotations }: SessionParts,
): ListedSession {
  const { provider, title, activity, project, workingDirectories } = session;
  // That only its time has changed is nothing that the session says of a chat.
  const chats = session.chats.map((chat) =>
    chat.resource === session.defaultChat && defaultChat ? { ...chat, modifiedAt: defaultChat.modifiedAt } : chat,
  );
  const modifiedAt = chats.reduce(
    (latest, chat) => (chat.modifiedAt > latest ? chat.modifiedAt : latest),
    new Date(createdAt).toISOString(),
  );
  const summary = omitAbsent<SessionSummary>({
    ...{ resource: uri, provider, title, status: statusOf(session), activity, project, workingDirectories },
    createdAt: new Date(createdAt).toISOString(),
    modifiedAt,
    changes: edits.length > 0 ? changesOf(edits) : undefined,
    annotations: annotationsSummary(uri, annotations),
    defaultChat: session.defaultChat,
  });
  const model = defaultChat?.draft?.model;
  return { summary, chats, edits, ...(model && { model }) };
}

/**
 * The flags are the session's. It is as active as its default chat is, and waits when any chat does. That a subagent has failed is no error
 * of the session: its agent has got the failure as the result of a call, and went on.
 */
export function statusOf({ status, chats, defaultChat }: SessionState): number {
  const activities = chats.map((chat) => activityOf(statusBits(chat.status)));
  const own = activityOf(statusBits(chats.find(({ resource }) => resource === defaultChat)?.status ?? SessionStatus.Idle));
  const others = chats.filter(({ resource, origin }) => resource !== defaultChat && origin?.kind !== 'tool');
  const isBusy = others.some((chat) => activityOf(statusBits(chat.status)) === SessionStatus.InProgress);
  const activity = activities.includes(SessionStatus.InputNeeded)
    ? SessionStatus.InputNeeded
    : isBusy && own !== SessionStatus.InProgress
      ? SessionStatus.InProgress
      : own;
  return withActivity(statusBits(status), activity);
}

export function changesOf(edits: readonly FileEdit[]): ChangesSummary {
  const sum = (key: 'added' | 'removed') => edits.reduce((total, { diff }) => total + (diff?.[key] ?? 0), 0);
  return { additions: sum('added'), deletions: sum('removed'), files: edits.length };
}

export function annotationsSummary(session: URI, annotations: readonly Annotation[] = []): AnnotationsSummary {
  const entryCount = annotations.reduce((sum, { entries }) => sum + entries.length, 0);
  return { resource: annotationsUri(session), annotationCount: annotations.length, entryCount };
}

export function isRead(status: number): boolean {
  return withFlag(statusBits(status), SessionStatus.IsRead, true) === statusBits(status);
}

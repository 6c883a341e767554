/** What the composer may do with a session as it is, and the action that each gesture becomes. */
import type { MessageAttachment, UserMessage } from '../../ahp/v1/common.ts';
import type {
  SessionPendingMessageSetAction,
  SessionQueuedMessagesReorderedAction,
  SessionState,
  SessionTurnStartedAction,
} from '../../ahp/v1/session.ts';
import { NOT_SAVED } from '../../base/sessionMetaKeys.ts';

export interface ComposerState {
  /** Why nothing can be sent now, for the user; absent when it can. */
  blocked?: string;
  /** Sending now starts a turn; while one runs it joins the queue. */
  sends: 'turn' | 'queue';
  canStop: boolean;
  /** Stopping would throw work away: ask first. */
  stopLosesWork: boolean;
}

/** Why the session is not saved at present and takes no messages; undefined when it is, as far as the host says. */
export function saveProblem(session: SessionState | undefined): string | undefined {
  const problem = session?._meta?.[NOT_SAVED];
  return typeof problem === 'string' ? problem : undefined;
}

export function composerState(session: SessionState | undefined, readOnly: string | undefined): ComposerState {
  const running = session?.activeTurn !== undefined;
  const blocked = readOnly ?? lifecycleBlock(session);
  return {
    ...(blocked === undefined ? {} : { blocked }),
    sends: running ? 'queue' : 'turn',
    canStop: running && readOnly === undefined,
    stopLosesWork: (session?.activeTurn?.responseParts.length ?? 0) > 0,
  };
}

function lifecycleBlock(session: SessionState | undefined): string | undefined {
  if (!session) return 'The session is still loading.';
  if (session.lifecycle === 'creating') return 'The session is still being created.';
  if (session.lifecycle === 'creationFailed') return 'The session could not be created.';
  if (saveProblem(session) !== undefined) return 'The session cannot be saved, so it takes no messages now.';
  return undefined;
}

/** The message without surrounding blank lines; undefined when there is nothing to send. */
export function messageOf(text: string, attachments: readonly MessageAttachment[]): UserMessage | undefined {
  const trimmed = text.trim();
  if (trimmed === '' && attachments.length === 0) return undefined;
  return { text: trimmed, ...(attachments.length > 0 ? { attachments: [...attachments] } : {}) };
}

/**
 * What sending a message means: a turn when the session is idle; otherwise it waits in the queue, or steers the running turn.
 * A session has room for one steering message: what still waits there is joined, so that no words are replaced. `id` names the new
 * turn or pending message.
 */
export function send(
  session: SessionState,
  userMessage: UserMessage,
  how: 'send' | 'steer',
  id: string,
): SessionTurnStartedAction | SessionPendingMessageSetAction {
  const uri = session.summary.resource;
  if (!session.activeTurn) return { type: 'session/turnStarted', session: uri, turnId: id, userMessage };
  const set = { type: 'session/pendingMessageSet' as const, session: uri };
  if (how === 'send') return { ...set, kind: 'queued', id, userMessage };
  const waiting = session.steeringMessage;
  return waiting
    ? { ...set, kind: 'steering', id: waiting.id, userMessage: joined(waiting.userMessage, userMessage) }
    : { ...set, kind: 'steering', id, userMessage };
}

function joined(first: UserMessage, second: UserMessage): UserMessage {
  const attachments = [...(first.attachments ?? []), ...(second.attachments ?? [])];
  return { text: `${first.text}\n\n${second.text}`, ...(attachments.length > 0 ? { attachments } : {}) };
}

/** The queue with one message moved by one place; undefined when it cannot move that way. */
export function moveQueued(session: SessionState, id: string, by: -1 | 1): SessionQueuedMessagesReorderedAction | undefined {
  const order = (session.queuedMessages ?? []).map((message) => message.id);
  const from = order.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= order.length) return undefined;
  order.splice(from, 1);
  order.splice(to, 0, id);
  return { type: 'session/queuedMessagesReordered', session: session.summary.resource, order };
}

/** What the user wrote before, newest first, for recall with Up. */
export function sentMessages(session: SessionState): UserMessage[] {
  const all = [...session.turns, ...(session.activeTurn ? [session.activeTurn] : [])].map((turn) => turn.userMessage);
  return all.reverse();
}

/** What the composer can do in the current state of a session, and the actions that it dispatches. */
import type { MessageAttachment, UserMessage } from '../../../ahp/v1/common.ts';
import type {
  SessionPendingMessageRemovedAction,
  SessionPendingMessageSetAction,
  SessionQueuedMessagesReorderedAction,
  SessionTurnStartedAction,
} from '../../../ahp/v1/clientActions.ts';
import type { PendingMessage, ResponsePart, SessionState } from '../../../ahp/v1/session.ts';
import { splitContext, withContext } from '../../../base/contextBlock.ts';
import { type ContextItem, partsOf } from './contextItems.ts';
import { NOT_SAVED } from '../../../ahp/sessionMetaKeys.ts';

export interface ComposerState {
  /** Why nothing can be sent now, as a text for the user. Absent when it can. */
  blocked?: string;
  /** `queue`: a turn is running, or earlier messages wait, so the message joins the queue. */
  sends: 'turn' | 'queue';
  isRunning: boolean;
  canStop: boolean;
  /** A call is at work, whose result would be lost, so the user is asked first. What was said stays in the session. */
  stopLosesWork: boolean;
}

/** Why the host cannot save the session at present and accepts no messages. Undefined when it can. */
export function saveProblem(session: SessionState | undefined): string | undefined {
  const problem = session?._meta?.[NOT_SAVED];
  return typeof problem === 'string' ? problem : undefined;
}

export function composerState(session: SessionState | undefined, readOnly: string | undefined): ComposerState {
  const running = session?.activeTurn !== undefined;
  const blocked = readOnly ?? lifecycleBlock(session);
  return {
    ...(blocked === undefined ? {} : { blocked }),
    sends: running || (blocked === undefined && hasWaiting(session)) ? 'queue' : 'turn',
    isRunning: running,
    canStop: running && readOnly === undefined,
    stopLosesWork: session?.activeTurn?.responseParts.some(isAtWork) ?? false,
  };
}

/** States in which a call has done nothing yet, or has ended with its result in the turn. */
const WITHOUT_LOSS: readonly string[] = ['streaming', 'pending-confirmation', 'completed', 'cancelled'];

function isAtWork(part: ResponsePart): boolean {
  return part.kind === 'toolCall' && !WITHOUT_LOSS.includes(part.toolCall.status);
}

/** After a turn that was stopped or has failed, what was queued behind it waits for the user. */
function hasWaiting(session: SessionState | undefined): boolean {
  return session?.steeringMessage !== undefined || (session?.queuedMessages?.length ?? 0) > 0;
}

function lifecycleBlock(session: SessionState | undefined): string | undefined {
  if (!session) return 'The session is still loading.';
  if (session.lifecycle === 'creating') return 'The session is still being created.';
  if (session.lifecycle === 'creationFailed') return 'The session could not be created.';
  if (saveProblem(session) !== undefined) return 'The session cannot be saved, so it accepts no messages now.';
  return undefined;
}

/** The message without blank lines around it, with the context items in front; undefined when it is empty. */
export function messageOf(
  text: string,
  attachments: readonly MessageAttachment[],
  items: readonly ContextItem[] = [],
): UserMessage | undefined {
  const trimmed = text.trim();
  if (trimmed === '' && attachments.length + items.length === 0) return undefined;
  return { text: withContext(partsOf(items), trimmed), ...(attachments.length > 0 ? { attachments: [...attachments] } : {}) };
}

/**
 * The action that sends a message. It starts a turn when the session is idle and nothing waits. Otherwise the message waits in the queue (from which
 * an idle host then takes the first one), or steers the running turn. A session holds one steering message, so a new one is appended to one that still waits. `id` is that of the new turn or pending message.
 */
export function send(
  session: SessionState,
  userMessage: UserMessage,
  how: 'send' | 'steer',
  id: string,
): SessionTurnStartedAction | SessionPendingMessageSetAction {
  const uri = session.summary.resource;
  if (!session.activeTurn && (how === 'steer' || !hasWaiting(session)))
    return { type: 'session/turnStarted', session: uri, turnId: id, userMessage };
  const set = { type: 'session/pendingMessageSet' as const, session: uri };
  if (how === 'send') return { ...set, kind: 'queued', id, userMessage };
  const waiting = session.steeringMessage;
  return waiting
    ? { ...set, kind: 'steering', id: waiting.id, userMessage: joined(waiting.userMessage, userMessage) }
    : { ...set, kind: 'steering', id, userMessage };
}

/** The actions that send a message that waits in an idle session, before all others. `turnId`: of the new turn. */
export function sendNow(
  { summary: { resource: session } }: SessionState,
  kind: SessionPendingMessageRemovedAction['kind'],
  { id, userMessage }: PendingMessage,
  turnId: string,
): [SessionPendingMessageRemovedAction, SessionTurnStartedAction] {
  return [
    { type: 'session/pendingMessageRemoved', session, kind, id },
    { type: 'session/turnStarted', session, turnId, userMessage },
  ];
}

/** The same message after something else had to be waited for: a turn may have begun, or the one that it was to steer may be over. */
export function sendLater(
  { activeTurn }: SessionState,
  action: SessionTurnStartedAction | SessionPendingMessageSetAction,
): SessionTurnStartedAction | SessionPendingMessageSetAction {
  const { session, userMessage } = action;
  if (action.type === 'session/turnStarted' && activeTurn)
    return { type: 'session/pendingMessageSet', session, kind: 'queued', id: action.turnId, userMessage };
  if (action.type === 'session/pendingMessageSet' && action.kind === 'steering' && !activeTurn)
    return { type: 'session/turnStarted', session, turnId: action.id, userMessage };
  return action;
}

function joined(first: UserMessage, second: UserMessage): UserMessage {
  const attachments = [...(first.attachments ?? []), ...(second.attachments ?? [])];
  const [one, other] = [splitContext(first.text), splitContext(second.text)];
  const words = [one.words, other.words].filter((text) => text !== '').join('\n\n');
  return { text: withContext([...one.parts, ...other.parts], words), ...(attachments.length > 0 ? { attachments } : {}) };
}

/** Moves a message of the queue by one place. Undefined when it cannot move in that direction. */
export function moveQueued(session: SessionState, id: string, by: -1 | 1): SessionQueuedMessagesReorderedAction | undefined {
  const order = (session.queuedMessages ?? []).map((message) => message.id);
  const from = order.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= order.length) return undefined;
  order.splice(from, 1);
  order.splice(to, 0, id);
  return { type: 'session/queuedMessagesReordered', session: session.summary.resource, order };
}

/** The user's earlier messages as they were typed, newest first, to be recalled with the Up key. */
export function sentMessages(session: SessionState): UserMessage[] {
  const all = [...session.turns, ...(session.activeTurn ? [session.activeTurn] : [])].map((turn) => turn.userMessage);
  return all.reverse().flatMap((message) => {
    const { parts, words } = splitContext(message.text);
    if (parts.length === 0) return [message];
    return parts.some(({ kind }) => kind === 'push') ? [] : [{ ...message, text: words }];
  });
}

/**
 * What to do with a pending action once the host's state is known again: one that was sent over a connection that was lost then, or one that
 * was held because there was no connection.
 */
import { sameJson } from '../../../base/sameJson.ts';
import type { StateAction } from '../../v1/actions.ts';
import type { SessionInputRequest } from '../../v1/inputRequest.ts';
import { listOf } from '../../common/reducers/reducer.ts';
import type { PendingMessage, SessionState } from '../../v1/session.ts';
import type { SessionToolCallConfirmedAction } from '../../v1/clientActions.ts';
import type { ToolCallState } from '../../v1/toolCall.ts';

export type PendingVerdict =
  /** The state shows that the host did it. */
  | 'done'
  /** What it was meant for is over, as the state shows. Doing it now would change nothing, or something else. */
  | 'moot'
  /** Doing it twice is harmless: send it again. */
  | 'again'
  /** It may have been done and left no trace. The user has to look. */
  | 'unknown';

/** Of an action that was sent. `before`: the state when it was dispatched, if it was known. */
export function judgePending(action: StateAction, confirmed: SessionState, before?: SessionState): PendingVerdict {
  switch (action.type) {
    case 'session/turnStarted': {
      const { turnId } = action;
      return confirmed.activeTurn?.id === turnId || listOf(confirmed.turns).some((turn) => turn.id === turnId) ? 'done' : 'unknown';
    }
    case 'session/pendingMessageSet': {
      const waiting = messageOf(confirmed, action.id);
      // If it is absent, it may also have been taken from the queue and run. A second time would run it again.
      if (!waiting) return 'unknown';
      return sameJson(waiting.userMessage, action.userMessage) ? 'done' : 'again';
    }
    case 'session/toolCallConfirmed':
      if (isDecidedSo(action, callOf(confirmed, action))) return 'done';
      break;
    case 'session/turnCancelled':
    case 'session/toolCallResultConfirmed':
    case 'session/toolCallComplete':
    case 'session/toolCallContentChanged':
    case 'session/inputAnswerChanged':
    case 'session/inputCompleted':
    case 'session/pendingMessageRemoved':
    case 'session/queuedMessagesReordered':
    case 'session/activeClientChanged':
    case 'session/activeClientToolsChanged':
    // These set a value.
    case 'session/titleChanged':
    case 'session/modelChanged':
    case 'session/customizationToggled':
    case 'session/isReadChanged':
    case 'session/isArchivedChanged':
    case 'session/configChanged':
      break;
    // `truncated` would remove what came since. Anything else is not known well enough.
    default:
      return 'unknown';
  }
  return lostPurpose(action, confirmed, before) === undefined ? 'again' : 'moot';
}

/**
 * Why an action has nothing left to do, as a sentence for the user; undefined where it still has its purpose. Some hosts do not check that
 * and confirm whatever they are sent. `before`: the state when the action was dispatched, if it was known.
 */
export function lostPurpose(action: StateAction, confirmed: SessionState, before?: SessionState): string | undefined {
  switch (action.type) {
    case 'session/turnStarted': {
      const running = confirmed.activeTurn?.id;
      // Some hosts let it replace the running turn.
      return running !== undefined && running !== action.turnId ? 'Another turn is running.' : undefined;
    }
    case 'session/turnCancelled':
      return confirmed.activeTurn?.id === action.turnId ? undefined : 'The turn has ended.';
    case 'session/pendingMessageSet': {
      if (messageOf(confirmed, action.id)) return undefined;
      if (before && messageOf(before, action.id)) return 'The message that it changes is not waiting any more.';
      const running = confirmed.activeTurn?.id;
      const hasItsTurn = running !== undefined && (!before || before.activeTurn?.id === running);
      return action.kind === 'steering' && !hasItsTurn ? 'The turn that it was meant for has ended.' : undefined;
    }
    case 'session/pendingMessageRemoved':
      return messageOf(confirmed, action.id) ? undefined : 'The message is not waiting any more.';
    case 'session/queuedMessagesReordered':
      return action.order.some((id) => messageOf(confirmed, id)) ? undefined : 'The messages are not waiting any more.';
    case 'session/toolCallConfirmed': {
      const call = callOf(confirmed, action);
      if (call?.status !== 'pending-confirmation') return whatBecameOf(action, confirmed);
      const known = before && callOf(before, action);
      return known && !looksAlike(known, call) ? 'The call has changed since you decided.' : undefined;
    }
    case 'session/toolCallResultConfirmed': {
      const call = callOf(confirmed, action);
      if (call?.status !== 'pending-result-confirmation') return 'The result is not waiting for an answer any more.';
      const known = before && callOf(before, action);
      return known && !looksAlike(known, call) ? 'The result has changed since you decided.' : undefined;
    }
    case 'session/toolCallComplete':
    case 'session/toolCallContentChanged': {
      const call = callOf(confirmed, action);
      return call?.status === 'running' || call?.status === 'pending-confirmation' ? undefined : whatBecameOf(action, confirmed);
    }
    case 'session/inputAnswerChanged':
    case 'session/inputCompleted': {
      const question = questionOf(confirmed, action.requestId);
      if (!question) return 'The question is not waiting for an answer any more.';
      const known = before && questionOf(before, action.requestId);
      return known && !looksAlike(known, question) ? 'The question has changed since you answered.' : undefined;
    }
    case 'session/truncated':
      return before && lastTurnOf(before) !== lastTurnOf(confirmed) ? 'The session has continued since.' : undefined;
    case 'session/activeClientChanged':
    case 'session/activeClientToolsChanged': {
      const ours = action.type === 'session/activeClientChanged' ? action.activeClient?.clientId : undefined;
      const holder = confirmed.activeClient?.clientId;
      const isOurs = holder === undefined || holder === ours || (before && holder === before.activeClient?.clientId);
      return before && !isOurs ? 'Another client is the active one.' : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * What to send when the user wants an action of unknown outcome sent again. A prompt gets a new turn id, because a turn may have run under
 * the old one, and hosts accept an id once. While another turn runs, the prompt is queued.
 */
export function sendAgainAs(action: StateAction, confirmed: SessionState, newId: () => string): StateAction {
  if (action.type !== 'session/turnStarted') return action;
  const { session, userMessage } = action;
  if (confirmed.activeTurn) return { type: 'session/pendingMessageSet', session, kind: 'queued', id: newId(), userMessage };
  return { type: 'session/turnStarted', session, turnId: newId(), userMessage };
}

/** The state shows this decision, and not only that there was one. It may be that of another client. */
function isDecidedSo(action: SessionToolCallConfirmedAction, call: ToolCallState | undefined): boolean {
  switch (call?.status) {
    case 'running':
    case 'completed':
    case 'pending-result-confirmation':
      return (
        action.approved && (action.editedToolInput === undefined || action.editedToolInput === (call as { toolInput?: string }).toolInput)
      );
    case 'cancelled':
      return !action.approved;
    default:
      return false;
  }
}

function whatBecameOf(action: OfCall, confirmed: SessionState): string {
  switch (callOf(confirmed, action)?.status) {
    case 'running':
    case 'completed':
    case 'pending-result-confirmation':
      return 'The call was approved already.';
    case 'cancelled':
      return 'The call was cancelled.';
    default:
      return confirmed.activeTurn?.id === action.turnId
        ? 'The call is not waiting for an answer any more.'
        : 'The turn of the call has ended.';
  }
}

interface OfCall {
  turnId: string;
  toolCallId: string;
}

/** In the running turn or in a past one. */
function callOf({ activeTurn, turns }: SessionState, { turnId, toolCallId }: OfCall): ToolCallState | undefined {
  const turn = activeTurn?.id === turnId ? activeTurn : listOf(turns).findLast(({ id }) => id === turnId);
  for (const part of listOf(turn?.responseParts)) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === toolCallId) return part.toolCall;
  }
  return undefined;
}

function questionOf({ inputRequests }: SessionState, requestId: string): SessionInputRequest | undefined {
  return listOf(inputRequests).find(({ id }) => id === requestId);
}

/** What the user decides about, of a call, of its result, of a question. Not the answers to a question, which any client may be giving. */
const seen = [
  ...['toolName', 'displayName', 'invocationMessage', 'confirmationTitle', 'toolInput', 'edits', 'options'],
  ...['success', 'pastTenseMessage', 'content', 'structuredContent', 'error'],
  ...['message', 'url', 'questions'],
];

function looksAlike(one: object, other: object): boolean {
  return seen.every((field) => sameJson((one as Record<string, unknown>)[field], (other as Record<string, unknown>)[field]));
}

function messageOf({ steeringMessage, queuedMessages }: SessionState, id: string): PendingMessage | undefined {
  return steeringMessage?.id === id ? steeringMessage : listOf(queuedMessages).find((message) => message.id === id);
}

function lastTurnOf({ activeTurn, turns }: SessionState): string | undefined {
  return activeTurn?.id ?? listOf(turns).at(-1)?.id;
}

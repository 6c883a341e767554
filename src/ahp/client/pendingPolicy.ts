/** What to do with an action that was sent over a line that then was lost, once the host's state is known again. */
import type { StateAction } from '../v1/actions.ts';
import type { SessionState } from '../v1/session.ts';
import type { ToolCallState } from '../v1/toolCall.ts';

export type PendingVerdict =
  /** The state shows that the host did it. */
  | 'done'
  /** What it was meant for is over, whoever ended it: the state shows how, and doing it now would change nothing. */
  | 'moot'
  /** Doing it twice is harmless: send it again. */
  | 'again'
  /** It may have been done and left no trace; a person has to look. */
  | 'unknown';

export function judgePending(action: StateAction, confirmed: SessionState): PendingVerdict {
  switch (action.type) {
    case 'session/turnStarted': {
      const { turnId } = action;
      return confirmed.activeTurn?.id === turnId || confirmed.turns.some((turn) => turn.id === turnId) ? 'done' : 'unknown';
    }
    case 'session/pendingMessageSet': {
      // Absent may also mean: taken from the queue and run. A second time would run it again.
      const shown = confirmed.steeringMessage?.id === action.id || confirmed.queuedMessages?.some((message) => message.id === action.id);
      return shown ? 'done' : 'unknown';
    }
    case 'session/turnCancelled':
      return confirmed.activeTurn?.id === action.turnId ? 'again' : 'moot';
    case 'session/toolCallConfirmed':
      return statusOfCall(confirmed, action) === 'pending-confirmation' ? 'again' : 'moot';
    case 'session/toolCallResultConfirmed':
      return statusOfCall(confirmed, action) === 'pending-result-confirmation' ? 'again' : 'moot';
    case 'session/toolCallComplete':
    case 'session/toolCallContentChanged':
      return ['running', 'pending-confirmation'].includes(statusOfCall(confirmed, action) ?? '') ? 'again' : 'moot';
    case 'session/inputAnswerChanged':
    case 'session/inputCompleted':
      return confirmed.inputRequests?.some(({ id }) => id === action.requestId) ? 'again' : 'moot';
    // These set a value.
    case 'session/titleChanged':
    case 'session/modelChanged':
    case 'session/activeClientChanged':
    case 'session/activeClientToolsChanged':
    case 'session/pendingMessageRemoved':
    case 'session/queuedMessagesReordered':
    case 'session/customizationToggled':
    case 'session/isReadChanged':
    case 'session/isArchivedChanged':
    case 'session/configChanged':
      return 'again';
    // `truncated` would cut what came since; anything else is not known well enough.
    default:
      return 'unknown';
  }
}

/** True for a prompt that was kept back while there was no line, and now would push a running turn aside: some hosts let it. */
export function isOutOfPlace(action: StateAction, confirmed: SessionState): boolean {
  return action.type === 'session/turnStarted' && confirmed.activeTurn !== undefined && confirmed.activeTurn.id !== action.turnId;
}

/**
 * What to send when a person wants an action of unknown outcome once more. A prompt gets a new turn id, because a turn may have run under
 * the old one and ids are taken once; while another turn runs, it is queued behind it instead of pushing it aside.
 */
export function sendAgainAs(action: StateAction, confirmed: SessionState, newId: () => string): StateAction {
  if (action.type !== 'session/turnStarted') return action;
  const { session, userMessage } = action;
  if (confirmed.activeTurn) return { type: 'session/pendingMessageSet', session, kind: 'queued', id: newId(), userMessage };
  return { type: 'session/turnStarted', session, turnId: newId(), userMessage };
}

function statusOfCall(
  confirmed: SessionState,
  { turnId, toolCallId }: { turnId: string; toolCallId: string },
): ToolCallState['status'] | undefined {
  const { activeTurn } = confirmed;
  if (activeTurn?.id !== turnId) return undefined;
  for (const part of activeTurn.responseParts) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === toolCallId) return part.toolCall.status;
  }
  return undefined;
}

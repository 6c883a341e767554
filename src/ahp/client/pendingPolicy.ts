/** What to do with an action that was sent over a line that then was lost, once the host's state is known again. */
import type { StateAction } from '../v1/actions.ts';
import type { SessionState } from '../v1/session.ts';

export type PendingVerdict =
  /** The state shows that the host did it. */
  | 'done'
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
    // These set a value, or move one named thing on from a status that it then no longer has.
    case 'session/toolCallConfirmed':
    case 'session/toolCallComplete':
    case 'session/toolCallResultConfirmed':
    case 'session/toolCallContentChanged':
    case 'session/turnCancelled':
    case 'session/titleChanged':
    case 'session/modelChanged':
    case 'session/activeClientChanged':
    case 'session/activeClientToolsChanged':
    case 'session/pendingMessageRemoved':
    case 'session/queuedMessagesReordered':
    case 'session/inputAnswerChanged':
    case 'session/inputCompleted':
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

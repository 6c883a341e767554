/** A session that its host has removed. Nothing runs in it, whatever its last known state says. */
import type { StateAction } from '../../../ahp/v1/actions.ts';
import type { UserMessage } from '../../../ahp/v1/common.ts';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { sessionReducer } from '../../../ahp/v1/reducers/sessionReducer.ts';

/** The last known state, with its active turn ended by an error. */
export function endedSession(session: SessionState): SessionState {
  const { activeTurn, summary } = session;
  if (!activeTurn) return session.inputRequests ? { ...session, inputRequests: [] } : session;
  const error = { errorType: 'sessionRemoved', message: 'The session was removed while this turn was running.' };
  return sessionReducer(session, { type: 'session/error', session: summary.resource, turnId: activeTurn.id, error }, summary.modifiedAt);
}

/** The user's messages that no turn has finished: of the active turn, of the queue, and those that the host has not confirmed. */
export function unfinishedMessages(session: SessionState, unsettled: readonly StateAction[]): UserMessage[] {
  const { activeTurn, steeringMessage, queuedMessages } = session;
  const sent = unsettled.flatMap((action) =>
    action.type === 'session/turnStarted' || action.type === 'session/pendingMessageSet' ? [action.userMessage] : [],
  );
  const known = [activeTurn, steeringMessage, ...(queuedMessages ?? [])].flatMap((message) => (message ? [message.userMessage] : []));
  return [...known, ...sent];
}

/** A session that its host has removed. Nothing runs in it, whatever its last known state says. */
import * as l10n from '../../../base/l10n.ts';
import { chatReducer } from '../../../ahp/channels/chat/chatReducer.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import type { ActionLike } from '../../../ahp/common/reducers/reducer.ts';
import { isMessage } from '../sessionGesture.ts';

/** Nothing waits in it any more. */
export function endedSession(session: SessionState): SessionState {
  const { inputNeeded, ...others } = session;
  return inputNeeded ? others : session;
}

/** The last known state, with its active turn ended by an error. */
export function endedChat(chat: ChatState): ChatState {
  const { activeTurn } = chat;
  if (!activeTurn) return chat;
  const error = { errorType: 'sessionRemoved', message: l10n.t('The session was removed while this turn was running.') };
  return chatReducer(chat, { type: 'chat/error', turnId: activeTurn.id, duration: 0, part: { kind: 'error', error } }, 0);
}

/** The user's messages that no turn has finished: of the active turn, of the queue, and those that the host has not confirmed. */
export function unfinishedMessages(chat: ChatState, unsettled: readonly ActionLike[]): Message[] {
  const { activeTurn, steeringMessage, queuedMessages } = chat;
  const sent = unsettled.flatMap((action) => (isMessage(action) ? [action.message] : []));
  const known = [activeTurn, steeringMessage, ...(queuedMessages ?? [])].flatMap((one) => (one ? [one.message] : []));
  return [...known, ...sent];
}

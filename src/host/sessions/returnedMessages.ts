/** Messages for a turn that ended before the model got them. They go to the front of the chat's queue. */
import { randomUUID } from 'node:crypto';
import type { PendingMessage } from '../../ahp/channels/shapes/message.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { StateStore } from '../state/stateStore.ts';
import { metaChanged, UNHEARD } from '../state/sessionMeta.ts';

/** `chat`: absent for the session's first one. */
interface UnheardMessage extends PendingMessage {
  chat?: URI;
}

/** Messages that the agent has taken in a chat and not reported as heard, in order. */
export function unheardMessages(session: SessionState, chat: URI): PendingMessage[] {
  return all(session).filter((message) => (message.chat ?? session.defaultChat) === chat);
}

function all({ _meta }: SessionState): UnheardMessage[] {
  const unheard = _meta?.[UNHEARD];
  return Array.isArray(unheard) ? (unheard as UnheardMessage[]) : [];
}

/** Keeps these in place of what was unheard in the chat. */
export function keepUnheard(store: StateStore, uri: URI, chat: URI, messages: readonly PendingMessage[]): void {
  const session = store.session(uri);
  if (!session) return;
  const others = all(session).filter((message) => (message.chat ?? session.defaultChat) !== chat);
  const own = messages.map(({ id, message }): UnheardMessage => ({ id, message, ...(chat !== session.defaultChat && { chat }) }));
  const unheard = [...others, ...own];
  if (unheard.length === 0 && all(session).length === 0) return;
  store.dispatch(uri, metaChanged(session, UNHEARD, unheard.length > 0 ? unheard : undefined));
}

/** Queues the messages that were taken and not heard. With `steering` also the message that no turn took. */
export function returnMessages(store: StateStore, session: URI, chat: URI, steering: boolean): void {
  const state = store.chat(chat);
  const sessionState = store.session(session);
  if (!state || !sessionState) return;
  const unheard = unheardMessages(sessionState, chat);
  const untaken = steering && state.steeringMessage ? [state.steeringMessage] : [];
  if (unheard.length + untaken.length === 0) return;
  const order: string[] = [];
  // A kill may have left a message both as taken and as the one that no turn took.
  const isTaken = ({ id, message }: PendingMessage) => unheard.some((taken) => taken.id === id && taken.message.text === message.text);
  for (const { id, message } of [...unheard, ...untaken.filter((untakenOne) => !isTaken(untakenOne))]) {
    // A client may have used the id again for another message.
    const other = state.queuedMessages?.some((queued) => queued.id === id && queued.message.text !== message.text);
    const place = other || order.includes(id) ? randomUUID() : id;
    store.dispatch(chat, { type: 'chat/pendingMessageSet', kind: 'queued', id: place, message });
    order.push(place);
  }
  store.dispatch(chat, { type: 'chat/queuedMessagesReordered', order });
  // Done last: if the host is killed meanwhile, the messages are in two places and not in none.
  if (unheard.length > 0) keepUnheard(store, session, chat, []);
  for (const { id } of untaken) store.dispatch(chat, { type: 'chat/pendingMessageRemoved', kind: 'steering', id });
}

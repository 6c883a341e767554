/** Messages for a turn that ended before the model got them. They go to the front of the session's queue. */
import { randomUUID } from 'node:crypto';
import type { URI } from '../../ahp/v1/common.ts';
import type { PendingMessage, SessionState } from '../../ahp/v1/session.ts';
import { metaChanged, UNHEARD } from './sessionMeta.ts';
import type { StateStore } from '../state/stateStore.ts';

/** Messages that an agent has taken and not reported as heard, in order. */
export function unheardMessages({ _meta }: SessionState): PendingMessage[] {
  const unheard = _meta?.[UNHEARD];
  return Array.isArray(unheard) ? (unheard as PendingMessage[]) : [];
}

/** Queues the messages that were taken and not heard. With `steering` also the message that no turn took. */
export function returnMessages(store: StateStore, session: URI, steering: boolean): void {
  const state = store.session(session);
  if (!state) return;
  const unheard = unheardMessages(state);
  const untaken = steering && state.steeringMessage ? [state.steeringMessage] : [];
  if (unheard.length + untaken.length === 0) return;
  const order: string[] = [];
  // A kill may have left a message both as taken and as the one that no turn took.
  const isTaken = ({ id, userMessage }: PendingMessage) =>
    unheard.some((taken) => taken.id === id && taken.userMessage.text === userMessage.text);
  for (const { id, userMessage } of [...unheard, ...untaken.filter((message) => !isTaken(message))]) {
    // A client may have used the id again for another message.
    const other = state.queuedMessages?.some((queued) => queued.id === id && queued.userMessage.text !== userMessage.text);
    const place = other || order.includes(id) ? randomUUID() : id;
    store.dispatch({ type: 'session/pendingMessageSet', session, kind: 'queued', id: place, userMessage });
    order.push(place);
  }
  store.dispatch({ type: 'session/queuedMessagesReordered', session, order });
  // Done last: if the host is killed meanwhile, the messages are in two places and not in none.
  if (unheard.length > 0) store.dispatch(metaChanged(state, UNHEARD, undefined));
  for (const { id } of untaken) store.dispatch({ type: 'session/pendingMessageRemoved', session, kind: 'steering', id });
}

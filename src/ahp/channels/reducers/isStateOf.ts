import { isRecord } from '../../../base/isRecord.ts';
import type { ChannelKind, ChannelStates } from '../channelReducers.ts';

/** The lists that a state is nothing without. */
const lists: Record<ChannelKind, readonly string[]> = {
  root: ['agents'],
  session: ['chats', 'activeClients'],
  chat: ['turns'],
  terminal: ['content'],
  changeset: ['files'],
  annotations: ['annotations'],
  resourceWatch: [],
  automations: ['entries'],
  automationRun: ['sessions'],
  canvas: [],
};

/** True for a state that a client can take from a host: it has what every state of its kind has. What lies deeper is kept as it came. */
export function isStateOf<K extends ChannelKind>(kind: K, state: unknown): state is ChannelStates[K] {
  return isRecord(state) && lists[kind].every((list) => Array.isArray(state[list]));
}

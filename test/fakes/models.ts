/** States of a session and a chat as views read them. */
import type { ChatState } from '../../src/ahp/channels/chat/state.ts';
import type { SessionState } from '../../src/ahp/channels/session/state.ts';
import type { Message } from '../../src/ahp/channels/shapes/message.ts';
import type { OpenChat } from '../../src/views/session/openChat.ts';

const URI = 'copilot:/1';
const MODIFIED = '2026-01-31T09:00:00.000Z';

export function chatState(fields: Partial<ChatState> = {}): ChatState {
  return { resource: URI, title: '', status: 1, modifiedAt: MODIFIED, turns: [], ...fields };
}

export function sessionState(fields: Partial<SessionState> = {}): SessionState {
  const chat = { resource: URI, title: '', status: 1, modifiedAt: MODIFIED };
  return {
    ...{ provider: 'copilot', title: '', status: 1, lifecycle: 'ready', activeClients: [], chats: [chat], defaultChat: URI },
    ...fields,
  };
}

export function openChat(chat: Partial<ChatState> = {}, session: Partial<SessionState> = {}): OpenChat {
  return { session: sessionState(session), chat: chatState(chat) };
}

export function said(text: string): Message {
  return { text, origin: { kind: 'user' } };
}

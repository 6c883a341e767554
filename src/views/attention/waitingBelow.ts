/** What waits in a chat and in the subagents that it has started. */
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { subagentsOf } from '../session/chats.ts';
import type { OpenChat } from '../session/openChat.ts';
import { looseQuestions, type Waiting, waitingOf } from '../session/waiting/waiting.ts';

export interface WaitingIn {
  /** The chat in which it waits, which may be that of a subagent. */
  uri: URI;
  waiting: Waiting;
}

/** What waits in the chat itself comes first. `chatOf`: of the subagents' chats that are known and belong to the session. */
export function waitingBelow(uri: URI, { session, chat }: OpenChat, chatOf: (uri: URI) => ChatState | undefined): WaitingIn[] {
  const loose = looseQuestions(session, uri, chat).map((request): WaitingIn => ({ uri, waiting: { kind: 'question', request } }));
  return [...waitingIn(uri, chat, chatOf, new Set([uri])), ...loose];
}

/** `seen`: a host may let a chat be its own subagent. */
function waitingIn(uri: URI, chat: ChatState, chatOf: (uri: URI) => ChatState | undefined, seen: Set<URI>): WaitingIn[] {
  const below = subagentsOf(chat).flatMap((subagent) => {
    const known = seen.has(subagent) ? undefined : chatOf(subagent);
    seen.add(subagent);
    return known ? waitingIn(subagent, known, chatOf, seen) : [];
  });
  return [...waitingOf(chat).map((waiting) => ({ uri, waiting })), ...below];
}

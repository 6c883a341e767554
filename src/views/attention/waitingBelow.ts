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

/** The chats of a session, as the page has them. */
export interface KnownChats {
  /** Whether it belongs to the session. */
  holds(uri: URI): boolean;
  /** Undefined: not known, or not yet. */
  chatOf(uri: URI): ChatState | undefined;
}

/** A chat and those of its subagents in progress, however deep, in the order of the page. Without a state where one is not known yet. */
export function chatsBelow(uri: URI, chat: ChatState, known: KnownChats): Map<URI, ChatState | undefined> {
  const found = new Map<URI, ChatState | undefined>();
  const add = (one: URI, state: ChatState | undefined) => {
    // A host may let a chat be its own subagent.
    if (found.has(one)) return;
    found.set(one, state);
    for (const subagent of state ? subagentsOf(state) : []) if (known.holds(subagent)) add(subagent, known.chatOf(subagent));
  };
  add(uri, chat);
  return found;
}

/** What waits in the chats that {@link chatsBelow} gives for an open one. */
export function waitingIn(chats: ReadonlyMap<URI, ChatState | undefined>, uri: URI, { session, chat }: OpenChat): WaitingIn[] {
  const inTurns = [...chats].flatMap(([one, state]) => (state ? waitingOf(state).map((waiting) => ({ uri: one, waiting })) : []));
  const loose = looseQuestions(session, uri, chat).map((request): WaitingIn => ({ uri, waiting: { kind: 'question', request } }));
  return [...inTurns, ...loose];
}

/** What the page knows of the sessions in which something waits: terminals that results refer to, and refused answers. */
import { isAnswer } from '../../views/session/waiting/waiting.ts';
import { sameSession, type SessionRef, sessionKey } from '../../views/session/sessionRef.ts';
import { SessionStore, type StateMessage } from '../session/page/sessionStore.ts';
import type { RejectedMessage } from '../session/protocol.ts';
import type { InboxItem } from './protocol.ts';

/** Above it, the oldest in which nothing waits are forgotten. */
const MAX_SESSIONS = 100;

export interface ItemSession extends SessionRef {
  readonly store: SessionStore;
  /** As the last item called it. */
  title: string;
}

export class ItemSessions {
  readonly #sessions = new Map<string, ItemSession>();

  constructor(private readonly onChange: () => void) {}

  get all(): readonly ItemSession[] {
    return [...this.#sessions.values()];
  }

  of({ hostId, uri, hostLabel, title }: InboxItem & SessionRef): ItemSession {
    const key = sessionKey({ hostId, uri });
    const known = this.#sessions.get(key);
    if (known) return known;
    const store = new SessionStore();
    store.receive({ type: 'show', session: { hostId, uri, hostLabel } });
    store.flush();
    store.subscribe(this.onChange);
    const made = { hostId, uri, store, title };
    this.#sessions.set(key, made);
    return made;
  }

  /** An answer may be refused when nothing waits in its session any more, so those that wait no more are kept for a while. */
  follow(items: readonly InboxItem[]): void {
    for (const [key, session] of [...this.#sessions].slice(0, -MAX_SESSIONS)) {
      const waits = items.some(({ hostId, uri }) => uri !== undefined && sameSession({ hostId, uri }, session));
      if (!waits && session.store.state.rejections.length === 0) this.#sessions.delete(key);
    }
  }

  receive(session: SessionRef, message: StateMessage): void {
    this.#sessions.get(sessionKey(session))?.store.receive(message);
  }
}

/** True when the refused answer was one to this item. */
export function isRefusalOf({ waiting, chat }: InboxItem, { action, uri }: RejectedMessage): boolean {
  return waiting !== undefined && uri === chat && isAnswer(waiting, action);
}

/** A card of the inbox refers to no other chats. */
export const inboxChats = {
  holds: () => false,
  openChat: () => undefined,
  newChat: () => undefined,
  abilities: { several: false, fork: false, sideChat: false },
};

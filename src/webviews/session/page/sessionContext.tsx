/** What all components of the view share: the store, and facts about the shown session that seldom change. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { ChatAbilities } from '../../../views/session/chats.ts';
import type { ChatSource } from '../protocol.ts';
import type { Lending } from '../../../views/session/composer/lentFile.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import type { CallDecision } from '../../../views/session/trail/callDecision.ts';
import type { KnownCalls } from '../../../views/session/toolCall/callProvider.ts';
import type { ResourceView } from './resourceViews.ts';
import type { SessionStore } from './sessionStore.ts';
import type { SessionPort } from './sessionPort.ts';
import type { WaitingCards } from '../answering/waitingCards.ts';
import type { WatchedKind, Watches } from './watches.ts';

/** What messages of the transcript offer. The same object while none of it changes. */
export interface WayBackOffer {
  /** Turns can be taken back now. */
  readonly isOffered: boolean;
  /** The turn whose message is being edited. */
  readonly edited: string | undefined;
  /** One is on its way. There is no second one meanwhile. */
  readonly isGoing: boolean;
  go(this: void, turnId: string, how: 'back' | 'retry'): void;
  beginEdit(this: void, turnId: string): void;
  /** What is typed, which survives a reload. */
  words(this: void): string;
  type(this: void, words: string): void;
  sendEdited(this: void): void;
  cancelEdit(this: void): void;
}

export interface SessionContextValue extends SessionRef, SessionPort {
  /** The chat in which a component acts. In AHP v1 it has the URI of its session. */
  chat: URI;
  /** The chats whose subagents these are, in the place of a subagent. */
  above?: readonly URI[];
  /** True for chats and subagents of the session. A host may name any resource. */
  holds(this: void, uri: URI): boolean;
  /** What the host can make of a turn, as new chats. */
  abilities: ChatAbilities;
  /** Makes a chat and shows it. Says why not. */
  newChat(this: void, source?: ChatSource): void;
  /** One is being made. There is no second one meanwhile. */
  isMakingChat?: boolean;
  /** What can be done with its messages. Absent where they are not shown. */
  wayBack?: WayBackOffer;
  /** Shows a chat or a subagent. */
  openChat(this: void, uri: URI): void;
  store: SessionStore;
  watches: Watches;
  cards: WaitingCards;
  workingDirectory?: URI;
  lending?: Lending;
  readOnly: boolean;
  /** The host is the embedded one. */
  ownHost: boolean;
  /** The host has not been reachable for more than a moment, so the last known state is shown. */
  away: boolean;
  knownCalls: KnownCalls;
  /** Programs whose rules about calls wait for the user's consent. */
  waitingChecks?: number;
  /** In the shown session and its subagents. */
  decisions: readonly CallDecision[];
  /** Ids of the elements that say where a card belongs, in a page with cards of several sessions. */
  whereIds?: string;
}

export const SessionContext = createContext<SessionContextValue | undefined>(undefined);

export function useSession(): SessionContextValue {
  const value = useContext(SessionContext);
  // eslint-disable-next-line texts/translated -- for the developer
  if (!value) throw new Error('Outside of a session');
  return value;
}

/** Watches a terminal or a chat while `uri` is given and the component is mounted. */
export function useWatched(uri: URI | undefined, kind: WatchedKind): ResourceView | undefined {
  const { store, watches, post } = useSession();
  const [view, setView] = useState(() => (uri === undefined ? undefined : store.state.resources.get(uri)));
  useEffect(() => {
    if (uri === undefined) return undefined;
    const read = () => setView(store.state.resources.get(uri));
    const release = watches.watch(post, uri, kind);
    const stop = store.subscribe(read);
    read();
    return () => {
      stop();
      release();
    };
  }, [uri, kind, store, watches, post]);
  return uri === undefined ? undefined : view;
}

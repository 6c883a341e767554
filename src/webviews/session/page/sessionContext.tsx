/** What every component of the view may reach: the store, dispatching, and the shown session's facts that seldom change. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { URI } from '../../../ahp/v1/common.ts';
import type { ResourceView, SessionStore } from './sessionStore.ts';
import type { WaitingCards } from './waitingCards.ts';
import type { Watches } from './watches.ts';

export interface SessionContextValue {
  store: SessionStore;
  watches: Watches;
  cards: WaitingCards;
  uri: URI;
  workingDirectory?: URI;
  readOnly: boolean;
  /** The host is Tapline's own. */
  ownHost: boolean;
  /** The host cannot be reached, for longer than a moment: what is shown is what was known last. */
  away: boolean;
}

export const SessionContext = createContext<SessionContextValue | undefined>(undefined);

export function useSession(): SessionContextValue {
  const value = useContext(SessionContext);
  if (!value) throw new Error('Outside of a session');
  return value;
}

/** A terminal or another session, watched while `uri` is given and the component lives. */
export function useWatched(uri: URI | undefined): ResourceView | undefined {
  const { store, watches } = useSession();
  const [view, setView] = useState(() => (uri === undefined ? undefined : store.state.resources.get(uri)));
  useEffect(() => {
    if (uri === undefined) return undefined;
    const read = () => setView(store.state.resources.get(uri));
    const release = watches.watch(uri);
    const stop = store.subscribe(read);
    read();
    return () => {
      stop();
      release();
    };
  }, [uri, store, watches]);
  return uri === undefined ? undefined : view;
}

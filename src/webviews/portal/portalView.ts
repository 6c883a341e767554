/** What the page of the portal shows: itself, or in its place a page of VS Code's views. It is in the address, so that a reload shows the same. */
import { useEffect, useState } from 'preact/hooks';
import { OPEN_SESSION, type OpenSessionMessage, readSessionQuery, sessionQuery } from '../../views/portal/pageWire.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';

export type PortalView = { kind: 'portal' } | { kind: 'needsYou' } | SessionPlace;

export interface SessionPlace {
  kind: 'session';
  session: SessionRef;
  /** As the list called it. */
  title: string;
  /** At the first thing that waits in it. */
  atCard?: boolean;
}

export function viewHref(view: PortalView): string {
  if (view.kind !== 'session') return view.kind === 'needsYou' ? '#needs-you' : '#';
  const more = new URLSearchParams({ title: view.title, ...(view.atCard && { card: '1' }) });
  return `#${sessionQuery(view.session)}&${more.toString()}`;
}

export function viewOf(hash: string): PortalView {
  if (hash === '#needs-you') return { kind: 'needsYou' };
  const query = new URLSearchParams(hash.slice(1));
  const session = readSessionQuery(query);
  return session
    ? { kind: 'session', session, title: query.get('title') ?? '', ...(query.has('card') && { atCard: true }) }
    : { kind: 'portal' };
}

export function goTo(view: PortalView): void {
  location.hash = viewHref(view);
}

export function useView(): PortalView {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const look = () => setHash(location.hash);
    // A page in the frame asks for a session.
    const hear = ({ origin, data }: MessageEvent<Partial<OpenSessionMessage> | undefined>) => {
      if (origin !== location.origin || data?.type !== OPEN_SESSION || !data.session) return;
      goTo({ kind: 'session', session: data.session, title: '', atCard: true });
    };
    window.addEventListener('hashchange', look);
    window.addEventListener('message', hear);
    return () => {
      window.removeEventListener('hashchange', look);
      window.removeEventListener('message', hear);
    };
  }, []);
  return viewOf(hash);
}

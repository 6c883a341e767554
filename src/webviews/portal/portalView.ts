/** Follows the address of the page. */
import { useEffect, useState } from 'preact/hooks';
import { OPEN_SESSION, type OpenSessionMessage } from '../../views/portal/wire/pageWire.ts';
import { type PortalView, viewHref, viewOf } from '../../views/portal/page/portalAddress.ts';

export function goTo(view: PortalView): void {
  location.hash = viewHref(view);
}

/** In place of the view that is shown, to which the browser does not go back. */
export function showInstead(view: PortalView): void {
  location.replace(viewHref(view));
}

export function useView(): PortalView {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const look = () => setHash(location.hash);
    // A page in the frame asks for a session.
    const hear = ({ origin, data }: MessageEvent<Partial<OpenSessionMessage> | undefined>) => {
      if (origin !== location.origin || data?.type !== OPEN_SESSION || !data.session) return;
      goTo({ kind: 'session', session: data.session, atCard: true });
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

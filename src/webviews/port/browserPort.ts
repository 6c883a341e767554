/** The port of a page that a portal's server shows in a browser. */
import { systemClock } from '../../base/clock.ts';
import { OPEN_SESSION, type OpenSessionMessage, pagePaths, sessionQuery, SOCKET } from '../../views/portal/pageWire.ts';
import { outsideLink } from '../../views/portal/outsideLink.ts';
import type { PagePort } from './pagePort.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { showNotice } from './notice.ts';
import { SocketPort } from './socketPort.ts';

export function browserPort(): PagePort {
  const { pathname, search } = location;
  const key = `tapline ${pathname}${search}`;
  const socket = new SocketPort({
    clock: systemClock,
    connect: () => {
      const url = new URL(`${location.pathname}/${SOCKET}${location.search}`, location.href);
      url.protocol = 'ws:';
      return new WebSocket(url);
    },
    told({ problem, open }) {
      if (problem !== undefined) showNotice(problem);
      if (open) openSession(open);
    },
    // What needs the user's click, or the user's computer, is done here.
    here: {
      copy: ({ text }) => void navigator.clipboard.writeText(String(text)).catch((error: unknown) => console.warn(error)),
      openExternal: ({ url }) => {
        const address = outsideLink(String(url), location.href);
        if (address !== undefined) window.open(address, '_blank', 'noopener,noreferrer');
      },
    },
  });
  const look = () => document.hidden || socket.connectNow();
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  return {
    post: (message) => socket.post(message),
    listen: (listener) => socket.listen(listener),
    kept: () => {
      try {
        return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
      } catch (error) {
        console.warn(error);
        return undefined;
      }
    },
    keep(state) {
      try {
        localStorage.setItem(key, JSON.stringify(state));
      } catch (error) {
        // It is full, or the user has turned it off. Then a reload loses what is written and not sent.
        console.warn(error);
      }
    },
    opens: (href) => /^file:/i.test(href) || outsideLink(href, location.href) !== undefined,
    shows(session) {
      if (session) history.replaceState(undefined, '', `${pathname}?${sessionQuery(session)}`);
    },
  };
}

/** In the page of the portal, where that frames this one. */
function openSession(session: SessionRef): void {
  if (window.parent === window) location.assign(`${pagePaths.session}?${sessionQuery(session)}`);
  else window.parent.postMessage({ type: OPEN_SESSION, session } satisfies OpenSessionMessage, location.origin);
}

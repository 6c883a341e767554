/** The port of a page that a portal's server shows in a browser. */
import * as l10n from '../../base/l10n.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { systemClock } from '../../base/clock.ts';
import {
  OPEN_SESSION,
  type OpenSessionMessage,
  pagePaths,
  readSessionQuery,
  sessionQuery,
  SOCKET,
} from '../../views/portal/wire/pageWire.ts';
import { PAGE_PROTOCOL } from '../../views/portal/wire/pageSessionWire.ts';
import { pageFetch, pageSession } from '../pageSession/pageSession.ts';
import { outsideLink } from '../../views/portal/outsideLink.ts';
import type { PagePort } from './pagePort.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { KeptStates } from './keptStates.ts';
import { LateSocket } from './lateSocket.ts';
import { showNotice } from './showNotice.ts';
import { SocketPort } from './socketPort.ts';

const LOOK_TIMEOUT_MS = 10_000;

export function browserPort(): PagePort {
  const { pathname, search } = location;
  // A session has one place, whichever link has led to it.
  const session = readSessionQuery(new URLSearchParams(search));
  const place = `${pathname}${session ? `?${sessionQuery(session)}` : ''}`;
  const socket = new SocketPort({
    clock: systemClock,
    connect: () => {
      const url = new URL(`${location.pathname}/${SOCKET}${location.search}`, location.href);
      url.protocol = 'ws:';
      return new LateSocket(
        pageSession().then((session) => (session === undefined ? new WebSocket(url) : new WebSocket(url, [PAGE_PROTOCOL, session]))),
      );
    },
    told({ problem, open }) {
      if (problem !== undefined) showNotice(problem);
      if (open) openSession(open);
    },
    async isRefused() {
      try {
        // Also makes a new session where the portal was started again.
        const { status } = await pageFetch('/api/test', { method: 'POST', signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) });
        return status === 401;
      } catch (error) {
        // Otherwise it is away, as the page says already.
        return error instanceof UserError;
      }
    },
    // What needs the user's click, or the user's computer, is done here.
    here: {
      copy: ({ text }) => void copy(String(text)),
      openExternal: ({ url }) => {
        const address = outsideLink(String(url), location.href);
        if (address !== undefined) window.open(address, '_blank', 'noopener,noreferrer');
      },
    },
  });
  const look = () => document.hidden || socket.connectNow();
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  window.addEventListener('pagehide', () => socket.leave());
  return {
    post: (message) => socket.post(message),
    listen: (listener) => socket.listen(listener),
    kept: () => {
      try {
        return new KeptStates(localStorage, place).read();
      } catch (error) {
        console.warn(error);
        return undefined;
      }
    },
    keep(state) {
      try {
        new KeptStates(localStorage, place).write(state, Date.now());
      } catch (error) {
        // It has no room, or the user has turned it off. Then a reload loses what is written and not sent.
        console.warn(error);
      }
    },
    opens: (href) => /^file:/i.test(href) || outsideLink(href, location.href) !== undefined,
    shows(shown) {
      if (shown) history.replaceState(undefined, '', `${pathname}?${sessionQuery(shown)}`);
    },
  };
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    showNotice(l10n.t`Nothing was copied. ${messageOf(error)}`);
  }
}

/** In the page of the portal, where that frames this one. */
function openSession(session: SessionRef): void {
  if (window.parent === window) location.assign(`${pagePaths.session}?${sessionQuery(session)}`);
  else window.parent.postMessage({ type: OPEN_SESSION, session } satisfies OpenSessionMessage, location.origin);
}

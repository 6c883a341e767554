/** The pages of VS Code's views, for browsers: what a browser can do of what VS Code does for them. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { InboxPage } from '../../pages/inbox/inboxPage.ts';
import type { ListedAttention } from '../../pages/inbox/inboxPageServices.ts';
import type { PageFocus } from '../../pages/pageFocus.ts';
import type { PageShell } from '../../pages/pagePort.ts';
import type { ShownHosts } from '../../pages/shownHost.ts';
import { SessionPage } from '../../pages/session/sessionPage.ts';
import type { KeptDecisions, KeptDrafts } from '../../pages/session/sessionPageServices.ts';
import { MAX_ITEMS } from '../attention/portalAttention.ts';
import { type PageName, readSessionQuery } from '../../views/portal/wire/pageWire.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { OpenPage, SocketPagePort } from './openPage.ts';
import { openTower, type WatchedGateway } from './towerPage.ts';
import type { PortalHosts, PortalShownHost } from './portalHosts.ts';

export interface PortalPagesOptions {
  hosts: PortalHosts;
  attention: ListedAttention;
  logger: Logger;
  clock?: Clock;
  /** Looks at the gateway of this user. Absent: whoever has the page may not see what is there. */
  gateway?: (() => WatchedGateway) | undefined;
}

export function portalPages({ hosts, attention, logger, clock = systemClock, gateway }: PortalPagesOptions): Record<PageName, OpenPage> {
  const shellOf = (port: SocketPagePort): PageShell & { focus: PageFocus } => ({
    logger,
    focus: noFocus,
    showError: (problem) => port.tell({ problem }),
    ...doneThere,
  });
  return {
    session(query, port) {
      const ref = readSessionQuery(query);
      if (!ref || !hosts.of(ref)) return undefined;
      const page = new SessionPage(port, {
        ...shellOf(port),
        ...{ hosts: ofSession(hosts, ref), drafts: keptThere, decisions: notLogged },
        settings: { shareDrafts: () => false, composerAnswers: () => false },
        // Its own page: what is around this one is about this session.
        openSession(other) {
          if (hosts.of(other)) port.tell({ open: other });
          else port.tell({ problem: 'The portal does not show that session.' });
        },
      });
      page.show(ref);
      if (query.has('card')) page.focus('needsYou');
      // At a host of others the session is the page's for as long as the portal works in it, or knows that it did.
      const ending = hosts.onDidChange(() => hosts.of(ref) || port.end('the portal does not show it any more'));
      return toDisposable(() => {
        ending.dispose();
        page.dispose();
      });
    },
    controlTower: (_query, port) => openTower(port, shellOf(port), clock, gateway),
    inbox: (_query, port) =>
      new InboxPage(port, {
        ...shellOf(port),
        ...{ hosts, attention: bounded(attention) },
        async openItem({ hostId, uri }) {
          if (uri !== undefined) port.tell({ open: { hostId, uri } });
        },
        async markRead({ hostId, uri }) {
          const session = hosts.get(hostId)?.client.session(uri);
          try {
            await session?.setRead(true).settled;
          } finally {
            session?.dispose();
          }
        },
      }),
  };
}

/** The host of the session is the page's only as far as that session goes. */
function ofSession(hosts: PortalHosts, ref: SessionRef): ShownHosts<PortalShownHost> {
  const { onDidChange, onDidCountDown } = hosts;
  const get = (id: string) => (id === ref.hostId ? hosts.of(ref) : undefined);
  return { all: hosts.all, get, onDidChange, onDidCountDown };
}

/** The oldest, as in the list for programs. What has no room comes as soon as something is answered. */
export function bounded(attention: ListedAttention): ListedAttention {
  return {
    get items() {
      const { items } = attention;
      return items.length > MAX_ITEMS ? items.toSorted((a, b) => a.since - b.since).slice(0, MAX_ITEMS) : items;
    },
    onDidChange: attention.onDidChange,
    look: () => attention.look(),
  };
}

/** Which page of which browser has the focus makes no difference here. */
const noFocus: PageFocus = { add: (): ReturnType<PageFocus['add']> & Disposable => ({ report() {}, cameToFront() {}, dispose() {} }) };

/** The port of the page does these itself, where the user's click is. */
const doneThere: Pick<PageShell, 'copy' | 'openExternal'> = {
  copy: () => Promise.reject(new Error('The browser copies.')),
  openExternal: () => Promise.reject(new Error('The browser opens links.')),
};

/** The browser keeps what was typed in it. */
const keptThere: KeptDrafts = {
  ofHost: () => ({}),
  set: () => Promise.resolve(),
  sent: { restore: () => undefined, store: () => Promise.resolve() },
};

/** The state says who decided, as far as the host tells. */
const notLogged: KeptDecisions = { of: () => [], onDidChange: new Emitter<void>().event };

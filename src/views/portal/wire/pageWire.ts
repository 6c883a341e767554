/**
 * What goes over the WebSocket between a page of the portal and its server. The messages are those of the page's own protocol.
 *
 * The page numbers what it sends, and is told which of it has come, so that nothing of the user is lost unnoticed when the connection is cut.
 */
import * as z from 'zod/mini';
import type { SessionRef } from '../../session/sessionRef.ts';

/** From the page. `n` grows by one, from 1 in each connection. */
export const fromPage = z.object({ n: z.int().check(z.positive()), message: z.unknown() });

/** To the page. Neither member: a sign of life. */
export interface ToPage {
  /** In order. */
  messages?: readonly unknown[];
  /** All up to this number has come, and is taken care of. */
  seen?: number;
  /** For the user, wherever it came up. */
  problem?: string;
  /** Shows this session. */
  open?: SessionRef;
}

/** The portal says something at least so often. */
export const SIGN_OF_LIFE_MS = 15_000;
/** Bytes of one message of the page. An image goes in one. */
export const MAX_PAGE_MESSAGE_BYTES = 16 * 1024 * 1024;

/** The WebSocket is closed with this where the portal has nothing to show. */
export const PAGE_NOT_FOUND = 4004;

export const pagePaths = { session: '/pages/session', inbox: '/pages/inbox', controlTower: '/pages/controlTower' } as const;
export type PageName = keyof typeof pagePaths;
/** The last part of the path of a page's WebSocket. */
export const SOCKET = 'socket';

/** Of the portal's own host, and of another one by its name. Nothing else of the portal is called by a URI alone: two hosts may have the same one. */
export const OWN_HOST_ID = 'host';
/** `name`: undefined, the portal's own. */
export function hostIdOf(name: string | undefined): string {
  return name === undefined ? OWN_HOST_ID : `${OWN_HOST_ID} ${name}`;
}

/** The query of a session's page, and of its WebSocket. */
export function sessionQuery({ hostId, uri }: SessionRef): string {
  return new URLSearchParams({ host: hostId, session: uri }).toString();
}
export function readSessionQuery(query: URLSearchParams): SessionRef | undefined {
  const [hostId, uri] = [query.get('host'), query.get('session')];
  return hostId === null || uri === null ? undefined : { hostId, uri };
}

/** From a page to the page of the portal that frames it: the user wants to see a session. */
export const OPEN_SESSION = 'tapline-open-session';
export interface OpenSessionMessage {
  type: typeof OPEN_SESSION;
  session: SessionRef;
}

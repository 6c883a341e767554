/**
 * What goes over the WebSocket between a page of the portal and its server. The messages are those of the page's own protocol.
 *
 * The page numbers what it sends, and is told which of it has come, so that nothing of the user is lost unnoticed when the connection is cut.
 */
import * as z from 'zod/mini';

/** From the page. `n` grows by one, from 1 in each connection. */
export const fromPage = z.object({ n: z.int().check(z.positive()), message: z.unknown() });

/** To the page. Neither member: a sign of life. */
export interface ToPage {
  /** In order. */
  messages?: readonly unknown[];
  /** All up to this number has come, and is taken care of. */
  seen?: number;
}

/** The portal says something at least so often. */
export const SIGN_OF_LIFE_MS = 15_000;
/** Bytes of one message of the page. An image goes in one. */
export const MAX_PAGE_MESSAGE_BYTES = 16 * 1024 * 1024;

export const pagePaths = { session: '/pages/session', inbox: '/pages/inbox' } as const;
export type PageName = keyof typeof pagePaths;
/** The last part of the path of a page's WebSocket. */
export const SOCKET = 'socket';

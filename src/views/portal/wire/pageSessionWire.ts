/**
 * How a page of a browser shows its portal that it was opened with the portal's token, and the portal shows the page that it is the one. Neither sends
 * the token or the key of the page: each makes an HMAC of what both have just thought of. The session of the page is such an HMAC too, so it
 * comes over no connection before the page has seen the portal's proof, and is good for one run of one portal only.
 */
import * as z from 'zod/mini';

/** Of the address that the portal redirects to from that with its token: good once, for a key. */
export const OPENING = 'opening';
export const PAGE_KEY_PATH = '/page-key';
export const PAGE_SESSION_PATH = '/page-session';

/** The scheme in `Authorization`. */
export const PAGE_SCHEME = 'Tapline-Page';
/** A browser sends no headers with a WebSocket. The session comes after this one. */
export const PAGE_PROTOCOL = 'tapline-page';

/** 32 bytes in base64url. */
const secret = z.string().check(z.regex(/^[\w-]{43}$/));

export const keyRequest = z.object({ opening: secret });
/** `key` makes and checks the proofs of pages at the address of the request, and of no others. */
export const keyAnswer = z.object({ key: secret });

export const sessionRequest = z.object({ nonce: secret });
/** `run`: of the portal's process. `until`: milliseconds since the epoch. `proof`: the HMAC of {@link proofText}. */
export const sessionAnswer = z.object({ run: secret, until: z.int(), proof: secret });

export interface SessionParts {
  nonce: string;
  run: string;
  until: number;
}

/** The portal says this. */
export const proofText = ({ nonce, run, until }: SessionParts) => `portal ${nonce} ${run} ${until}`;
/** The page says this, in its session. */
export const claimText = ({ nonce, run, until }: SessionParts) => `page ${nonce} ${run} ${until}`;
/** `claim`: the HMAC of {@link claimText}. */
export const sessionOf = ({ nonce, until }: Pick<SessionParts, 'nonce' | 'until'>, claim: string) => `${nonce}.${until}.${claim}`;
export const sessionPattern = /^([\w-]{43})\.(\d{1,16})\.([\w-]{43})$/;

/** Who may use the HTTP interface: programs and pages on this computer that know the token, and no page of anybody else. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Clock, systemClock } from '../../base/clock.ts';
import { isSame } from '../../base/server/challenge.ts';
import { foreignOrigin, hostProblem, REFUSED_NAME } from '../../base/server/loopback.ts';
import { PAGE_PROTOCOL, PAGE_SCHEME } from '../../views/portal/wire/pageSessionWire.ts';
import { PageSessions } from './pageSessions.ts';

export interface Refusal {
  status: 400 | 401 | 403;
  error: 'BadRequest' | 'Unauthorized' | 'Forbidden';
  message: string;
}

export class Access {
  /** Undefined: everybody on this computer may use the portal. */
  readonly token: string | undefined;
  /** Undefined: pages need none. */
  readonly sessions: PageSessions | undefined;

  /** `token`: a new one where it is not given. */
  constructor(withoutToken: boolean, token = randomBytes(32).toString('base64url'), clock: Clock = systemClock) {
    this.token = withoutToken ? undefined : token;
    this.sessions = withoutToken ? undefined : new PageSessions(token, clock);
  }

  /** Of a request that does not come from this computer, or comes from a page of another origin. `isPage`: it is for a page, and not for the API. */
  originRefusal(request: IncomingMessage, isPage: boolean): Refusal | undefined {
    const problem = hostProblem(request);
    if (problem === 400) return { status: 400, error: 'BadRequest', message: 'The request has more than one Host.' };
    // Anything else would let a page reach the portal under a name of its own.
    if (problem) return forbidden(`${REFUSED_NAME}.`);
    if (!isOfBrowser(request) || isOfOwnPage(request)) return undefined;
    // Other pages may lead to the page. What the user types leads everywhere, because a GET without the token in a header only reads.
    const { 'sec-fetch-site': site } = request.headers;
    return opensDocument(request) && (isPage || site === 'none') ? undefined : forbidden('Requests of other pages are refused.');
  }

  /** Of a request that shows neither the token nor the session of a page in its `Authorization`. Browsers add none of them by themselves. */
  tokenRefusal({ headers }: IncomingMessage, port: number): Refusal | undefined {
    if (this.token === undefined || this.#hasToken(headers) || this.#isOfSession(credentials(headers, PAGE_SCHEME), headers, port))
      return undefined;
    return needsToken;
  }

  /**
   * Of a request that would change something. Where no token is needed, pages of others can send GET. So it needs the token in a header, or POST:
   * browsers say of each POST which page it comes from. The session of a page is for that page.
   */
  changeRefusal(request: IncomingMessage): Refusal | undefined {
    if (this.#hasToken(request.headers)) return undefined;
    const isOwn = isOfOwnPage(request) || (this.token === undefined && !isOfBrowser(request));
    if (request.method === 'POST' && isOwn) return undefined;
    return forbidden(
      this.token === undefined
        ? 'This changes something, so it is sent by POST.'
        : 'This changes something, so send the token as “Authorization: Bearer TOKEN”. A session is for the portal’s own page.',
    );
  }

  /**
   * Of the WebSocket of a page. Its page is of exactly the origin that it asks, also where no token is needed: a WebSocket can be opened by the
   * page of anybody, and everything is done over it. Programs have the interface.
   */
  socketRefusal(request: IncomingMessage, port: number): Refusal | undefined {
    const refusal = this.pageRefusal(request);
    const [name, session] = request.headers['sec-websocket-protocol']?.split(/,\s*/) ?? [];
    if (refusal || this.token === undefined) return refusal;
    return name === PAGE_PROTOCOL && this.#isOfSession(session, request.headers, port) ? undefined : needsToken;
  }

  /** Of what is not from a page of exactly the origin that it asks. */
  pageRefusal(request: IncomingMessage): Refusal | undefined {
    const refusal = this.originRefusal(request, false);
    if (refusal) return refusal;
    const { origin } = request.headers;
    return origin?.toLowerCase() === `http://${hostOf(request)}` ? undefined : forbidden('This is for the portal’s own pages.');
  }

  isToken(given: string): boolean {
    return this.token !== undefined && isSame(given, this.token);
  }

  #hasToken(headers: IncomingHttpHeaders): boolean {
    const bearer = credentials(headers, 'Bearer');
    return bearer !== undefined && this.isToken(bearer);
  }

  #isOfSession(given: string | undefined, headers: IncomingHttpHeaders, port: number): boolean {
    return given !== undefined && this.sessions?.isSession(given, hostOf({ headers }), ownHost(port)) === true;
  }
}

/** The address that the portal says that it has. */
export const ownHost = (port: number) => `127.0.0.1:${port}`;
/** The address that the request was sent to. */
export const hostOf = ({ headers: { host = '' } }: Pick<IncomingMessage, 'headers'>) => host.toLowerCase();

export const needsToken: Refusal = {
  ...{ status: 401, error: 'Unauthorized' },
  message: 'Open the address that the portal printed, or send its token as “Authorization: Bearer TOKEN”.',
};

function credentials({ authorization = '' }: IncomingHttpHeaders, scheme: string): string | undefined {
  const [, given, value] = /^(\S+) (\S+)$/.exec(authorization) ?? [];
  return given?.toLowerCase() === scheme.toLowerCase() ? value : undefined;
}

function forbidden(message: string): Refusal {
  return { status: 403, error: 'Forbidden', message };
}

/** Browsers send `Sec-Fetch-Site` with each request, and older ones `Origin` with each POST. Of programs, Node's `fetch` sends the mode alone. */
function isOfBrowser({ headers }: IncomingMessage): boolean {
  const isTold = (name: string) => name.startsWith('sec-fetch-') && name !== 'sec-fetch-mode';
  return headers.origin !== undefined || Object.keys(headers).some(isTold);
}

/** Images and links send no `Origin`. A page of another port is foreign too. */
function isOfOwnPage(request: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (foreignOrigin(request) !== undefined) return false;
  return site === undefined ? origin !== undefined : site === 'same-origin';
}

/** In a tab or window, and not in a frame. */
function opensDocument({ method, headers }: IncomingMessage): boolean {
  const { origin, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest = 'document' } = headers;
  return method === 'GET' && origin === undefined && mode === 'navigate' && dest === 'document';
}

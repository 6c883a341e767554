/** Who may use the HTTP interface: programs and pages on this computer that know the token, and no page of anybody else. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isSame } from '../../base/server/challenge.ts';
import { foreignOrigin, hostProblem, REFUSED_NAME } from '../../base/server/loopback.ts';

export interface Refusal {
  status: 400 | 401 | 403;
  error: 'BadRequest' | 'Unauthorized' | 'Forbidden';
  message: string;
}

export class Access {
  /** Undefined: everybody on this computer may use the portal. */
  readonly token: string | undefined;

  /** `token`: a new one where it is not given. */
  constructor(withoutToken: boolean, token = randomBytes(32).toString('base64url')) {
    this.token = withoutToken ? undefined : token;
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

  /** Of a request that shows the token neither in its `Authorization` nor in its cookie. */
  tokenRefusal({ headers }: IncomingMessage, port: number): Refusal | undefined {
    const given = cookie(headers.cookie, cookieName(port));
    if (this.token === undefined || this.#hasToken(headers) || (given !== undefined && this.isToken(given))) return undefined;
    const message = 'Open the address that the portal printed, or send its token as “Authorization: Bearer TOKEN”.';
    return { status: 401, error: 'Unauthorized', message };
  }

  /**
   * Of a request that would change something. Pages of others can send GET with the cookie, and where no token is needed. So it needs the
   * token in a header, which none of them knows, or POST: browsers say of each POST which page it comes from.
   */
  changeRefusal(request: IncomingMessage): Refusal | undefined {
    if (this.#hasToken(request.headers)) return undefined;
    const isOwn = isOfOwnPage(request) || (this.token === undefined && !isOfBrowser(request));
    if (request.method === 'POST' && isOwn) return undefined;
    return forbidden(
      this.token === undefined
        ? 'This changes something, so it is sent by POST.'
        : 'This changes something, so send the token as “Authorization: Bearer TOKEN”. The cookie is for the portal’s own page.',
    );
  }

  /**
   * Of the WebSocket of a page. Its page is of exactly the origin that it asks, also where no token is needed: a WebSocket can be opened by the
   * page of anybody, and everything is done over it. Programs have the interface.
   */
  pageRefusal(request: IncomingMessage, port: number): Refusal | undefined {
    const refusal = this.originRefusal(request, false);
    if (refusal) return refusal;
    const { host, origin } = request.headers;
    if (origin?.toLowerCase() !== `http://${host?.toLowerCase()}`) return forbidden('This is for the portal’s own pages.');
    return this.tokenRefusal(request, port);
  }

  isToken(given: string): boolean {
    return this.token !== undefined && isSame(given, this.token);
  }

  #hasToken({ authorization = '' }: IncomingHttpHeaders): boolean {
    const [, bearer] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    return bearer !== undefined && this.isToken(bearer);
  }
}

/** Cookies do not tell ports apart. */
export function cookieName(port: number): string {
  return `tapline-portal-${port}`;
}

function forbidden(message: string): Refusal {
  return { status: 403, error: 'Forbidden', message };
}

/** Browsers send `Sec-Fetch-Site` with each request, and older ones `Origin` with each POST. Of programs, Node's `fetch` sends the mode alone. */
function isOfBrowser({ headers }: IncomingMessage): boolean {
  const isTold = (name: string) => name.startsWith('sec-fetch-') && name !== 'sec-fetch-mode';
  return headers.origin !== undefined || Object.keys(headers).some(isTold);
}

/** Images and links send no `Origin`. A page of another port is foreign too, although it may send the cookie. */
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

function cookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', value = ''] = pair.split('=', 2);
    if (key.trim() === name) return value.trim();
  }
  return undefined;
}

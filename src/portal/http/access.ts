/** Who may use the HTTP interface: programs and pages on this computer that know the token, and no page of anybody else. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSame } from '../../base/server/challenge.ts';
import { foreignOrigin, hostProblem } from '../../base/server/loopback.ts';

export interface Refusal {
  status: 400 | 401 | 403;
  error: 'BadRequest' | 'Unauthorized' | 'Forbidden';
  message: string;
}

export class Access {
  /** Undefined: everybody on this computer may use the portal. */
  readonly token: string | undefined;

  constructor(withoutToken: boolean) {
    this.token = withoutToken ? undefined : randomBytes(32).toString('base64url');
  }

  /** Of a request that comes from this computer, and not from a page of another origin. */
  originRefusal(request: IncomingMessage, port: number): Refusal | undefined {
    const problem = hostProblem(request, port);
    if (problem === 400) return { status: 400, error: 'BadRequest', message: 'The request has more than one Host.' };
    // Anything else would let a page reach the portal under a name of its own.
    if (problem) return { status: 403, error: 'Forbidden', message: 'The Host is not this computer with the port of the portal.' };
    if (foreignOrigin(request, port) !== undefined)
      return { status: 403, error: 'Forbidden', message: 'Pages of other origins are refused.' };
    // Images and links of other pages send no Origin. Cookies do not tell ports apart, so a page of another port is foreign too.
    const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers;
    const isOwn = site === undefined || site === 'same-origin' || site === 'none';
    const opensPage = mode === 'navigate' && !isApi(request);
    return isOwn || opensPage ? undefined : { status: 403, error: 'Forbidden', message: 'Requests of other pages are refused.' };
  }

  /** Whether the request shows the token, in its `Authorization` or its cookie. */
  isAllowed({ headers }: IncomingMessage, port: number): boolean {
    if (this.token === undefined) return true;
    const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return [bearer, cookie(headers.cookie, cookieName(port))].some((given) => given !== undefined && this.isToken(given));
  }

  isToken(given: string): boolean {
    return this.token !== undefined && isSame(given, this.token);
  }
}

/** Cookies do not tell ports apart. */
export function cookieName(port: number): string {
  return `tapline-portal-${port}`;
}

function isApi({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/api');
}

function cookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', value = ''] = pair.split('=', 2);
    if (key.trim() === name) return value.trim();
  }
  return undefined;
}

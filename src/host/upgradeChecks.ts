/** Who may open a WebSocket or ask the host to retire: programs of this machine that know the token, and no web page. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost, isOwnOrigin } from '../base/loopback.ts';

export interface Endpoint {
  port: number;
  token: string;
}

/** The HTTP status to refuse with, or undefined. Host and Origin first: a page that was rebound to us learns nothing about the token. */
export function upgradeProblem(
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  { port, token }: Endpoint,
  wantedPath = '/',
): 401 | 403 | 404 | undefined {
  const { host, origin } = request.headers;
  if (!isLoopbackHost(host, port)) return 403;
  if (origin !== undefined && !isOwnOrigin(origin, port)) return 403;
  const [path, query = ''] = (request.url ?? '').split('?', 2);
  if (path !== wantedPath) return 404;
  return sameSecret(new URLSearchParams(query).get('tkn') ?? '', token) ? undefined : 401;
}

/** In constant time; hashing first makes the lengths equal. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

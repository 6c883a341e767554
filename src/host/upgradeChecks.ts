/** Who may open a WebSocket or ask the host to retire: programs of this machine that know the token, and no web page. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

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
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  const host = request.headers.host?.toLowerCase();
  if (host === undefined || !hosts.includes(host)) return 403;
  const origin = request.headers.origin?.toLowerCase();
  if (origin !== undefined && !hosts.some((name) => origin === `http://${name}`)) return 403;
  const [path, query = ''] = (request.url ?? '').split('?', 2);
  if (path !== wantedPath) return 404;
  return sameSecret(new URLSearchParams(query).get('tkn') ?? '', token) ? undefined : 401;
}

/** In constant time; hashing first makes the lengths equal. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Who may open a WebSocket or ask the host to retire: programs of this machine that know the token, and no web page. */
import type { IncomingMessage } from 'node:http';
import { isProven, isSame, onlyKey } from '../../base/challenge.ts';
import { isLoopbackHost, isOwnOrigin } from '../../base/loopback.ts';

export interface Endpoint {
  port: number;
  token: string;
}

/**
 * The HTTP status to refuse with, or undefined. Host and Origin first: a page that was rebound to us learns nothing about the token.
 * Tapline's own clients prove that they know the token. Only a WebSocket may be opened with the token itself, as other clients do.
 */
export function upgradeProblem(request: IncomingMessage, { port, token }: Endpoint, wantedPath = '/'): 401 | 403 | 404 | undefined {
  const { host, origin } = request.headers;
  if (!isLoopbackHost(host, port)) return 403;
  if (origin !== undefined && !isOwnOrigin(origin, port)) return 403;
  const [path, query = ''] = (request.url ?? '').split('?', 2);
  if (path !== wantedPath) return 404;
  if (isProven(request, onlyKey(token))) return undefined;
  return wantedPath === '/' && isSame(new URLSearchParams(query).get('tkn') ?? '', token) ? undefined : 401;
}

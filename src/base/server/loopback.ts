/** The first checks of a request to a loopback server: DNS rebinding lets web pages send requests to it. */
import type { IncomingMessage } from 'node:http';

const names = ['127.0.0.1', 'localhost', '[::1]'];

/** The HTTP status for a request whose `Host` is not this computer and this very port, or that has more than one. */
export function hostProblem({ headersDistinct: { host = [] } }: IncomingMessage, port: number): 400 | 403 | undefined {
  // Node takes the first of several, another program on the way may take the last.
  if (host.length > 1) return 400;
  return names.some((name) => host[0]?.toLowerCase() === `${name}:${port}`) ? undefined : 403;
}

/** The `Origin` of a web page that is not the server's own. Programs send none. */
export function foreignOrigin({ headers: { origin } }: IncomingMessage, port: number): string | undefined {
  const isOwn = names.some((name) => origin?.toLowerCase() === `http://${name}:${port}`);
  return isOwn ? undefined : origin;
}

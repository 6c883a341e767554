/** The first checks of a request to a loopback server: DNS rebinding lets web pages send requests to it. */
import type { IncomingMessage } from 'node:http';

const names = ['127.0.0.1', 'localhost', '[::1]'];
/** A name of this computer with a port. Another port than the server's own is that of a forwarded connection. */
const LOCAL = /^(127\.0\.0\.1|localhost|\[::1\])(?::([1-9]\d{0,4}))?$/;

/** Header of a refusal that is about the name in `Host`, and not about the token. Its value is for people. */
export const REFUSED_NAME_HEADER = 'Tapline-Refused-Name';
export const REFUSED_NAME = `Host must name this computer as ${names.join(', ')}`;

/**
 * The HTTP status for a request whose `Host` has no name of this computer, or that has more than one. A page that was rebound sends the name
 * of its own site. The port tells nothing: connections may be forwarded.
 */
export function hostProblem({ headersDistinct: { host = [] } }: IncomingMessage): 400 | 403 | undefined {
  // Node takes the first of several, another program on the way may take the last.
  if (host.length > 1) return 400;
  return LOCAL.test(host[0]?.toLowerCase() ?? '') ? undefined : 403;
}

/** The `Origin` of a web page that is not the server's own: of another port than the page has asked for, or of another name. Programs send none. */
export function foreignOrigin({ headers: { origin, host } }: IncomingMessage): string | undefined {
  const [, , port] = LOCAL.exec(host?.toLowerCase() ?? '') ?? [];
  const own = names.map((name) => (port === undefined ? `http://${name}` : `http://${name}:${port}`));
  return origin !== undefined && own.includes(origin.toLowerCase()) ? undefined : origin;
}

/** What a server on loopback must ask of a request before it does anything else: no other machine, and no web page that was rebound to it. */

const names = ['127.0.0.1', 'localhost', '[::1]'];

/** `Host` names this computer and this very port. */
export function isLoopbackHost(host: string | undefined, port: number): boolean {
  return host !== undefined && names.some((name) => host.toLowerCase() === `${name}:${port}`);
}

/** `Origin` is that of the server itself. */
export function isOwnOrigin(origin: string, port: number): boolean {
  return names.some((name) => origin.toLowerCase() === `http://${name}:${port}`);
}

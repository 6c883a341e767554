/** The address of a host, and how to show it without its secret. */
import { isThisComputer } from '../../../base/connection/privateUrl.ts';

const TOKEN_PARAMETER = 'tkn';
const SOCKET_PROTOCOL = 'ws+unix:';
const PIPE_PREFIX = '\\\\.\\pipe\\';

export interface HostUrl {
  /** With the token in its query: for the transport only. */
  readonly connect: string;
  /** Without the token, as settings keep it. */
  readonly address: string;
  readonly token: string | undefined;
  /** `host:port/path`, or the path of a socket, for messages and logs, without any query. */
  readonly display: string;
  /** The host's name in sentences: the one that the user gave it, else its address. */
  readonly name: string;
  /** The name with the address, unless they are the same. */
  readonly place: string;
  readonly hasToken: boolean;
  /** Replaces the token in a text from elsewhere. */
  redact(text: string): string;
}

/**
 * Takes `ws:` and `wss:` URLs (`http:` and `https:` mean the same), and sockets of this computer as `ws` writes them: `ws+unix:/path/to.sock`,
 * or `ws+unix://./pipe/name` for a named pipe of Windows, each with `:/path?query` behind it where the host wants one. In the path of a socket
 * `:`, `?`, `#` and `%` are percent-encoded. Undefined for anything else. A token in the URL's query counts unless `token` is given.
 */
export function parseHostUrl(text: string, token?: string, name?: string): HostUrl | undefined {
  const parts = partsOf(text);
  if (!parts) return undefined;
  const { shown, request, join } = parts;
  if (token) request.searchParams.set(TOKEN_PARAMETER, token);
  const connect = join();
  const secret = request.searchParams.get(TOKEN_PARAMETER);
  const forms = secret ? [...new Set([secret, encodeURIComponent(secret), request.searchParams.toString()])] : [];
  const display = `${shown}${request.pathname === '/' ? '' : request.pathname}`;
  request.searchParams.delete(TOKEN_PARAMETER);
  return {
    connect,
    address: join(),
    token: secret ?? undefined,
    display,
    name: name ?? display,
    place: name === undefined || name === display ? display : `${name} (${display})`,
    hasToken: Boolean(secret),
    redact: (value) => forms.reduce((result, form) => result.replaceAll(form, '…'), value),
  };
}

/** Whether a token of the one is also safe with the other: the same protocol, computer and port, or the same socket. */
export function isSameServer(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a !== undefined && b !== undefined && a.shown === b.shown && a.protocol === b.protocol;
}

/** Whether an address is one of this computer, as sockets always are. */
export function isAddressHere(address: string): boolean {
  const parts = partsOf(address);
  return parts !== undefined && (parts.protocol === SOCKET_PROTOCOL || isThisComputer(parts.request));
}

/**
 * What to connect to for the `connect` of a socket: its path as the system has it, and the path and query of the request over it. Undefined
 * for other addresses.
 */
export function socketOf(connect: string): { path: string; target: string } | undefined {
  const parts = partsOf(connect);
  return parts?.protocol === SOCKET_PROTOCOL ? { path: parts.shown, target: targetOf(parts.request) } : undefined;
}

/** The address of a socket or a named pipe. `path`: absolute, as the system has it. */
export function socketAddress(path: string): string {
  const slashed = path.startsWith(PIPE_PREFIX) ? path.replaceAll('\\', '/') : path;
  return `${SOCKET_PROTOCOL}${slashed.split('/').map(encodeURIComponent).join('/')}`;
}

function targetOf({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}

interface UrlParts {
  protocol: string;
  /** The computer and port, or the path of the socket. */
  shown: string;
  /** As HTTP sends it. */
  request: URL;
  /** The whole address, with the present query of `request`. */
  join(): string;
}

function partsOf(text: string): UrlParts | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol === SOCKET_PROTOCOL) return socketParts(url);
  if (url.protocol === 'http:') url.protocol = 'ws:';
  if (url.protocol === 'https:') url.protocol = 'wss:';
  if ((url.protocol !== 'ws:' && url.protocol !== 'wss:') || !url.hostname) return undefined;
  url.hash = '';
  return { protocol: url.protocol, shown: url.host, request: url, join: () => url.href };
}

function socketParts({ host, pathname, search }: URL): UrlParts | undefined {
  const end = pathname.indexOf(':');
  const [encoded, path] = end < 0 ? [pathname, ''] : [pathname.slice(0, end), pathname.slice(end + 1)];
  const shown = socketPath(host, encoded);
  const requested = `ws://localhost${path || '/'}${search}`;
  if (shown === undefined || (path && !path.startsWith('/')) || !URL.canParse(requested)) return undefined;
  const request = new URL(requested);
  const join = () => {
    const target = targetOf(request);
    return `${socketAddress(shown)}${target === '/' ? '' : `:${target}`}`;
  };
  return { protocol: SOCKET_PROTOCOL, shown, request, join };
}

function socketPath(host: string, encoded: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  if (/[\0-\x1f\x7f]/.test(path)) return undefined;
  if (host === '.') return /^\/pipe\/[^/\\]+$/.test(path) ? `${PIPE_PREFIX}${path.slice('/pipe/'.length)}` : undefined;
  return host === '' && /^\/[^/]/.test(path) && !path.endsWith('/') ? path : undefined;
}

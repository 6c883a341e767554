/** The transport for Node, on `ws`. */
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { Challenge, UnprovenListener } from '../../base/server/challenge.ts';
import { REFUSED_NAME_HEADER } from '../../base/server/loopback.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { phrase, type Words } from '../../base/text/phrase.ts';
import { socketOf } from './connection/hostUrl.ts';
import { type Transport, TransportError, type TransportFactory } from './transport.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** How long an orderly close may take before the socket is terminated. */
const CLOSE_TIMEOUT_MS = 2_000;
const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/**
 * `ws` takes the path of a socket without decoding it, so the connection is made here. Its form still tells VS Code, which replaces the agent
 * of requests by one for proxies, to leave this one alone.
 */
const ANY_SOCKET = 'ws+unix:/socket:';
/** In bytes. The system has no longer ones, and Node 20 cuts them: that would be the path of another socket. Pipes of Windows may be longer. */
const MAX_SOCKET_PATH = { linux: 107, win32: 256 }[process.platform as string] ?? 103;

/**
 * Opens WebSockets without compression, because most hosts are local and compression costs memory per connection. A message larger than
 * `maxMessageBytes` closes the connection. Addresses of sockets and named pipes are those of `parseHostUrl`.
 * `secret` is that of a Tapline host on this computer. Both sides prove that they know it, and neither sends it. The URL holds no token
 * then.
 */
export function connectNodeTransport(maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, secret?: string): TransportFactory {
  return (url, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new TransportError('unreachable', phrase`the attempt was given up`));
        return;
      }
      const local = socketOf(url);
      if (local && Buffer.byteLength(local.path) > MAX_SOCKET_PATH) {
        reject(new TransportError('unreachable', phrase`the path is too long for a socket`, phrase`path too long`));
        return;
      }
      const socket = new WebSocket(local ? `${ANY_SOCKET}${local.target}` : url, {
        ...(local && { createConnection: () => connect(local.path) }),
        perMessageDeflate: false,
        maxPayload: maxMessageBytes,
        handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
        ...(secret !== undefined && { finishRequest: (request) => new Challenge(secret).send(request) }),
      });
      const giveUp = () => {
        reject(new TransportError('unreachable', phrase`the attempt was given up`));
        socket.terminate();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      const transport = new NodeTransport(socket);
      socket.once('open', () => {
        signal.removeEventListener('abort', giveUp);
        resolve(transport);
      });
      socket.once('unexpected-response', (request, response) => {
        const { statusCode = 0, headers } = response;
        // The listener may not be the host. The host is looked for again.
        reject(
          secret === undefined
            ? refusal(statusCode, headers)
            : new TransportError('unreachable', phrase`what listens there answered ${String(statusCode)}`),
        );
        request.destroy();
      });
      // `terminate` and `destroy` above cause this error too. The promise is settled by then.
      socket.on('error', (error) => reject(openError(error, local?.path)));
      socket.once('close', () => signal.removeEventListener('abort', giveUp));
    });
}

function refusal(status: number, headers: IncomingHttpHeaders): TransportError {
  if (status === 403 && headers[REFUSED_NAME_HEADER.toLowerCase()] !== undefined)
    return new TransportError('name', phrase`it takes connections as 127.0.0.1, localhost or [::1] only, on any port that leads to it`);
  if (status === 401 || status === 403) return new TransportError('token', phrase`the host answered ${String(status)}`);
  if (status >= 500) return new TransportError('unreachable', phrase`the address answered ${String(status)}`);
  return new TransportError('notAgentHost', phrase`the address answered ${String(status)} instead of opening a WebSocket`);
}

/** Made from error codes only: the message of an error may quote the URL. `socket`: its path. */
function openError(error: Error & { code?: string }, socket: string | undefined): TransportError | UserError {
  if (error.code?.startsWith('HPE_')) return new TransportError('notAgentHost', phrase`what answers there does not speak HTTP`);
  if (socket !== undefined && (error.code === 'EACCES' || error.code === 'EPERM'))
    return new UserError(
      phrase`You may not use the socket ${socket}. Start its agent host as your own user, or have its owner let you use it.`,
    );
  const [message, brief] = (socket === undefined ? undefined : socketReason(error)) ?? reasonOf(error);
  return new TransportError('unreachable', message, brief);
}

type Reason = [message: Words, brief: Words];

function socketReason({ code }: { code?: string }): Reason | undefined {
  switch (code) {
    case 'ENOENT':
      return [phrase`there is no such socket`, phrase`no such socket`];
    case 'ECONNREFUSED':
    case 'ENOTSOCK':
      return [phrase`no program listens at that path`, phrase`nobody listens there`];
    default:
      return undefined;
  }
}

function reasonOf(error: Error & { code?: string }): Reason {
  if (error instanceof UnprovenListener) return [error.words, phrase`another program is there`];
  switch (error.code) {
    case 'ECONNREFUSED':
      return [phrase`the connection was refused`, phrase`connection refused`];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [phrase`the name of the computer is not known`, phrase`name not known`];
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return [phrase`there is no way to that computer in the network`, phrase`no way to it`];
    case 'ECONNRESET':
    case 'EPIPE':
      return [phrase`the connection was cut while it was being opened`, phrase`connection cut`];
    case 'ETIMEDOUT':
      return [phrase`nobody answered in time`, phrase`no answer`];
    default:
      if (error.message.includes('handshake has timed out')) return [phrase`nobody answered in time`, phrase`no answer`];
      return [error.code ? phrase`the connection failed (${error.code})` : phrase`the connection failed`, phrase`connection failed`];
  }
}

class NodeTransport implements Transport {
  readonly #socket: WebSocket;
  readonly #message = new Emitter<string>();
  readonly #close = new Emitter<{ code: number; reason: Words }>();
  readonly #pong = new Emitter<void>();
  readonly onMessage = this.#message.event;
  readonly onClose = this.#close.event;
  readonly onPong = this.#pong.event;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    // When `ws` refuses a message, it reports 1006 here, whatever it sends to the peer.
    let refused: Words | undefined;
    socket.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') refused = phrase`it sent a message that is larger than this client accepts`;
    });
    // With the default `binaryType` every message is one Buffer. A host may send its text in binary frames.
    socket.on('message', (data) => this.#message.fire((data as Buffer).toString('utf8')));
    socket.on('pong', () => this.#pong.fire());
    socket.on('close', (code, reason) => this.#close.fire({ code, reason: refused ?? reason.toString('utf8') }));
  }

  send(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  ping(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(code?: number, reason?: string): void {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const cut = setTimeout(() => this.#socket.terminate(), CLOSE_TIMEOUT_MS);
    this.#socket.once('close', () => clearTimeout(cut));
    this.#socket.close(code, reason);
  }
}

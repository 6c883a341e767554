/** The transport for Node, on `ws`. */
import { WebSocket } from 'ws';
import { Challenge, UnprovenListener } from '../../base/server/challenge.ts';
import { Emitter } from '../../base/event.ts';
import { type Transport, TransportError, type TransportFactory } from './transport.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** How long an orderly close may take before the socket is terminated. */
const CLOSE_TIMEOUT_MS = 2_000;
const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Opens WebSockets without compression, because most hosts are local and compression costs memory per connection. A message larger than
 * `maxMessageBytes` closes the connection.
 * `secret` is that of a Tapline host on this computer. Both sides prove that they know it, and neither sends it. The URL holds no token
 * then.
 */
export function connectNodeTransport(maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, secret?: string): TransportFactory {
  return (url, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new TransportError('unreachable', 'the attempt was given up'));
        return;
      }
      const socket = new WebSocket(url, {
        perMessageDeflate: false,
        maxPayload: maxMessageBytes,
        handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
        ...(secret !== undefined && { finishRequest: (request) => new Challenge(secret).send(request) }),
      });
      const giveUp = () => {
        reject(new TransportError('unreachable', 'the attempt was given up'));
        socket.terminate();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      const transport = new NodeTransport(socket);
      socket.once('open', () => {
        signal.removeEventListener('abort', giveUp);
        resolve(transport);
      });
      socket.once('unexpected-response', (request, response) => {
        const { statusCode = 0 } = response;
        // The listener may not be the host. The host is looked for again.
        reject(secret === undefined ? refusal(statusCode) : new TransportError('unreachable', `what listens there answered ${statusCode}`));
        request.destroy();
      });
      // `terminate` and `destroy` above cause this error too. The promise is settled by then.
      socket.on('error', (error) => reject(unreachable(error)));
      socket.once('close', () => signal.removeEventListener('abort', giveUp));
    });
}

function refusal(status: number): TransportError {
  if (status === 401 || status === 403) return new TransportError('token', `the host answered ${status}`);
  if (status >= 500) return new TransportError('unreachable', `the address answered ${status}`);
  return new TransportError('notAgentHost', `the address answered ${status} instead of opening a WebSocket`);
}

/** Made from error codes only: the message of an error may quote the URL. */
function unreachable(error: Error & { code?: string }): TransportError {
  const [message, brief] = reasonOf(error);
  return new TransportError('unreachable', message, brief);
}

function reasonOf(error: Error & { code?: string }): [message: string, brief: string] {
  if (error instanceof UnprovenListener) return [error.message, 'another program is there'];
  switch (error.code) {
    case 'ECONNREFUSED':
      return ['the connection was refused', 'connection refused'];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['the name of the computer is not known', 'name not known'];
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return ['there is no way to that computer in the network', 'no way to it'];
    case 'ECONNRESET':
    case 'EPIPE':
      return ['the connection was cut while it was being opened', 'connection cut'];
    case 'ETIMEDOUT':
      return ['nobody answered in time', 'no answer'];
    default:
      if (error.message.includes('handshake has timed out')) return ['nobody answered in time', 'no answer'];
      return [error.code ? `the connection failed (${error.code})` : 'the connection failed', 'connection failed'];
  }
}

class NodeTransport implements Transport {
  readonly #socket: WebSocket;
  readonly #message = new Emitter<string>();
  readonly #close = new Emitter<{ code: number; reason: string }>();
  readonly #pong = new Emitter<void>();
  readonly onMessage = this.#message.event;
  readonly onClose = this.#close.event;
  readonly onPong = this.#pong.event;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    // When `ws` refuses a message, it reports 1006 here, whatever it sends to the peer.
    let refused: string | undefined;
    socket.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') refused = 'it sent a message that is larger than this client accepts';
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

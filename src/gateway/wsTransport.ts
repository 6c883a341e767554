/** A provider at the other end of a WebSocket: JSON, one message a text frame. */
import type { RawData, WebSocket } from 'ws';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { GatewayMessage } from '../tap/gatewayMessages.ts';
import { Limit } from '../tap/limits.ts';
import type { ProviderConnection } from './providerConnection.ts';
import { CloseCode, type ProviderTransport } from './transport.ts';

/** Bytes that may wait for a peer before it is cut off. */
const MAX_BUFFERED = 16 * 1024 * 1024;
/** From our close frame until the socket is torn down. */
const CLOSE_TIMEOUT_MS = 2000;
/** A peer that says nothing is pinged this often, and given up when it has not answered the one before. */
const PING_INTERVAL_MS = 15_000;

export class WsProviderTransport implements ProviderTransport {
  #connection: ProviderConnection | undefined;
  #heard = true;
  readonly #pings: ReturnType<typeof setInterval>;

  constructor(
    private readonly socket: WebSocket,
    private readonly logger: Logger,
  ) {
    this.#pings = setInterval(() => this.#keepAlive(), PING_INTERVAL_MS);
    socket.on('message', (data, isBinary) => this.#receive(data as Exclude<RawData, Buffer[]>, isBinary));
    socket.on('pong', () => (this.#heard = true));
    socket.on('close', () => {
      clearInterval(this.#pings);
      this.#connection?.closed();
    });
    // A frame above the hard cap or broken framing: `ws` closes with the fitting code, and 'close' follows.
    socket.on('error', (error) => this.logger.debug(`connection of a provider: ${messageOf(error)}`));
  }

  /** Where its frames go. */
  attach(connection: ProviderConnection): void {
    this.#connection = connection;
  }

  send(message: GatewayMessage): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    if (this.socket.bufferedAmount > MAX_BUFFERED) {
      this.logger.warn('a provider reads too slowly and is cut off; it can connect again');
      this.#connection?.close(CloseCode.TooSlow, 'too much is waiting to be read');
    }
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    const terminate = setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS);
    this.socket.once('close', () => clearTimeout(terminate));
  }

  isAlive(timeoutMs: number): Promise<boolean> {
    if (this.socket.readyState !== this.socket.OPEN) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (alive: boolean) => {
        clearTimeout(timer);
        this.socket.off('pong', answered);
        resolve(alive);
      };
      const answered = () => end(true);
      const timer = setTimeout(() => end(false), timeoutMs);
      this.socket.on('pong', answered);
      this.socket.ping();
    });
  }

  #receive(data: Buffer | ArrayBuffer, isBinary: boolean): void {
    this.#heard = true;
    const bytes = data.byteLength;
    // Neither is looked at: a binary frame is no message, one that is too large is refused by its size.
    const text = isBinary || bytes > Limit.toolResultBytes ? '' : (data as Buffer).toString('utf8');
    this.#connection?.receiveFrame(text, bytes);
  }

  #keepAlive(): void {
    if (!this.#heard) return this.socket.terminate();
    this.#heard = false;
    this.socket.ping();
  }
}

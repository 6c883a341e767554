/** The transport of a provider over a WebSocket: JSON, one message in each frame. */
import { isUtf8 } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import { isLargerThan, Limit } from '../../tap/wire/limits.ts';
import { PeerSocket } from '../../base/server/socket/peerSocket.ts';
import type { ProviderConnection } from './providerConnection.ts';
import type { ProviderTransport } from '../sessions/providerTransport.ts';

const MAX_BUFFERED = 16 * 1024 * 1024;
/** The frames of both steps of a pairing, with room for headers and pings. */
const MAX_BEFORE_AUTH = 2 * Limit.framesBeforeAuth * Limit.bytesBeforeAuth + 1024;

export class WsProviderTransport implements ProviderTransport {
  #connection: ProviderConnection | undefined;
  readonly #peer: PeerSocket;

  constructor(socket: WebSocket, options: { stream: Duplex; clock: Clock; logger: Logger }) {
    this.#peer = new PeerSocket(socket, {
      ...options,
      who: 'a provider',
      maxBuffered: MAX_BUFFERED,
      closeCodes: CloseCode,
      patienceMs: () => this.#connection?.link.patienceMs ?? 0,
      onMessage: (data, isBinary) => this.#receive(data, isBinary),
      onControl: () => this.#connection?.receiveControl(),
      onEnd: () => this.#connection?.closed(),
    });
    this.#boundBytes(options.stream);
  }

  /** Sets the connection that receives the frames. */
  attach(connection: ProviderConnection): void {
    this.#connection = connection;
  }

  send(message: GatewayMessage): boolean {
    const text = JSON.stringify(message);
    if (isLargerThan(Limit.messageBytes, text)) return false;
    this.#peer.send(text);
    return true;
  }

  close(code: number, reason: string): void {
    this.#peer.close(code, reason);
  }

  isAlive(timeoutMs: number): Promise<boolean> {
    return this.#peer.isAlive(timeoutMs);
  }

  /** Cuts off a peer that sends too much before it has authenticated, so that it is neither collected nor read. */
  #boundBytes(stream: Duplex): void {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (this.#connection?.grant) stream.off('data', count);
      else if (bytes > MAX_BEFORE_AUTH) stream.destroy();
    };
    // Added after the listener of `ws`, so a chunk counts once its messages were handled.
    stream.on('data', count);
  }

  #receive(data: Buffer | ArrayBuffer, isBinary: boolean): void {
    const bytes = data.byteLength;
    // Frames that are too large are refused by their size. `ws` checks the UTF-8 of text frames, but not of binary ones.
    const isRead = bytes <= Limit.toolResultBytes && (!isBinary || isUtf8(data));
    const text = isRead ? (data as Buffer).toString('utf8') : '';
    this.#connection?.receiveFrame(text, bytes);
  }
}

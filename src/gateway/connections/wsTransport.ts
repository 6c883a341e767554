/** The transport of a provider over a WebSocket: JSON, one message in each frame. */
import { isUtf8 } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import { isLargerThan, Limit } from '../../tap/wire/limits.ts';
import { PeerSocket } from '../../base/server/peerSocket.ts';
import type { ProviderConnection } from './providerConnection.ts';
import type { ProviderTransport } from '../sessions/transport.ts';

const MAX_BUFFERED = 16 * 1024 * 1024;

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

  #receive(data: Buffer | ArrayBuffer, isBinary: boolean): void {
    const bytes = data.byteLength;
    // Frames that are too large are refused by their size. `ws` checks the UTF-8 of text frames, but not of binary ones.
    const isRead = bytes <= Limit.toolResultBytes && (!isBinary || isUtf8(data));
    const text = isRead ? (data as Buffer).toString('utf8') : '';
    this.#connection?.receiveFrame(text, bytes);
  }
}

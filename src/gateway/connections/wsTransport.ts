/** A provider at the other end of a WebSocket: JSON, one message a text frame. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import { isLargerThan, Limit } from '../../tap/wire/limits.ts';
import { PeerSocket } from './peerSocket.ts';
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
      onMessage: (data, isBinary) => this.#receive(data, isBinary),
      onControl: () => this.#connection?.receiveControl(),
      onEnd: () => this.#connection?.closed(),
    });
  }

  /** Where its frames go. */
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
    // Neither is looked at: a binary frame is no message, one that is too large is refused by its size.
    const text = isBinary || bytes > Limit.toolResultBytes ? '' : (data as Buffer).toString('utf8');
    this.#connection?.receiveFrame(text, bytes);
  }
}

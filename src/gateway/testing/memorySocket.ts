/** A provider's connection to a gateway in the same process: the frames of a WebSocket, without one. */
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import { isLargerThan, Limit } from '../../tap/wire/limits.ts';
import { ProviderConnection } from '../connections/providerConnection.ts';
import type { Gateway } from '../gateway.ts';
import type { ProviderTransport } from '../sessions/providerTransport.ts';

interface SocketEvents {
  open: object;
  message: { data: string };
  error: object;
  close: { code: number; reason: string };
}

export class MemorySocket implements ProviderTransport {
  readonly #connection: ProviderConnection;
  readonly #listeners = new Map<keyof SocketEvents, ((event: never) => void)[]>();
  #isOpen = true;
  #isEnding = false;

  constructor(gateway: Gateway) {
    this.#connection = new ProviderConnection(gateway, this, { origin: undefined });
    // The provider listens by then.
    setImmediate(() => this.#fire('open', {}));
  }

  /** What the provider has of it. */
  readonly socket = {
    send: (text: string): void => queueMicrotask(() => this.#isOpen && this.#connection.receiveFrame(text, Buffer.byteLength(text))),
    close: (code: number = CloseCode.Abnormal): void => this.#end(code, ''),
    addEventListener: <E extends keyof SocketEvents>(type: E, listener: (event: SocketEvents[E]) => void): void =>
      void this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]),
  };

  send(message: GatewayMessage): boolean {
    const data = JSON.stringify(message);
    if (isLargerThan(Limit.messageBytes, data)) return false;
    if (this.#isOpen) this.#fire('message', { data });
    return true;
  }
  close(code: number, reason: string): void {
    this.#end(code, reason);
  }
  async isAlive(): Promise<boolean> {
    return this.#isOpen;
  }

  #end(code: number, reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#fire('close', { code, reason });
    // What was sent before arrives before.
    queueMicrotask(() => {
      this.#isOpen = false;
      this.#connection.closed();
    });
  }

  /** Later, as a socket does: whoever causes an event does not hear it before they are done. */
  #fire<E extends keyof SocketEvents>(type: E, event: SocketEvents[E]): void {
    queueMicrotask(() => {
      for (const listener of this.#listeners.get(type) ?? []) (listener as (event: SocketEvents[E]) => void)(event);
    });
  }
}

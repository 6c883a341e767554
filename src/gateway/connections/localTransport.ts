/** A provider in the gateway's own process: the same messages, handed over by call. */
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import type { ProviderInput } from '../../tap/wire/providerMessages.ts';
import type { Gateway } from '../gateway.ts';
import type { Grant } from '../trust/grants.ts';
import { ProviderConnection } from './providerConnection.ts';
import type { ProviderTransport } from '../sessions/transport.ts';

const local: Grant = { kind: 'local', trust: 'internal', key: 'local', account: 'local' };

export class LocalProviderTransport implements ProviderTransport {
  readonly #connection: ProviderConnection;
  #isOpen = true;
  /** Messages wait for each other: what a handler says in answer is heard after what it was called for. */
  readonly #queue: (() => void)[] = [];
  #isDelivering = false;

  constructor(
    gateway: Gateway,
    private readonly onMessage: (message: GatewayMessage) => void,
  ) {
    this.#connection = new ProviderConnection(gateway, this, { grant: local });
  }

  /** From the provider to the gateway. */
  say(message: ProviderInput): void {
    this.#deliver(() => this.#connection.receiveMessage(message));
  }

  /** The provider leaves. */
  dispose(): void {
    this.#connection.close(CloseCode.GoingAway, 'the provider has left');
  }

  /** Nothing is too large where nothing is written. */
  send(message: GatewayMessage): boolean {
    this.#deliver(() => this.onMessage(message));
    return true;
  }
  close(): void {
    this.#isOpen = false;
  }
  async isAlive(): Promise<boolean> {
    return this.#isOpen;
  }

  #deliver(message: () => void): void {
    this.#queue.push(message);
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) if (this.#isOpen) next();
    } finally {
      this.#isDelivering = false;
    }
  }
}

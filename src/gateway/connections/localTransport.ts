/** The transport of a provider in the gateway's own process: the same messages, delivered by function calls. */
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import type { ProviderInput } from '../../tap/wire/providerMessages.ts';
import { ProviderConnection } from './providerConnection.ts';
import type { Gateway } from '../gateway.ts';
import type { ProviderTransport } from '../sessions/providerTransport.ts';
import type { Grant } from '../trust/tokenGrants.ts';

const local: Grant = { kind: 'local', trust: 'internal', key: 'local', account: 'local' };

export class LocalProviderTransport implements ProviderTransport {
  readonly #connection: ProviderConnection;
  #isOpen = true;
  /** Messages are delivered one after the other, so a reply arrives after the message that caused it was handled. */
  readonly #queue: (() => void)[] = [];
  #isDelivering = false;

  constructor(
    gateway: Gateway,
    private readonly onMessage: (message: GatewayMessage) => void,
  ) {
    this.#connection = new ProviderConnection(gateway, this, { grant: local });
  }

  /** Sends a message to the gateway. */
  say(message: ProviderInput): void {
    this.#deliver(() => this.#connection.receiveMessage(message));
  }

  /** Ends the connection. */
  dispose(): void {
    this.#connection.close(CloseCode.GoingAway, 'the provider has left');
  }

  /** There is no size limit, because nothing is serialized. */
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

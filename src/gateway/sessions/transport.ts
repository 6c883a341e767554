import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';

/** How the core reaches a provider. The core knows no wire: a socket and a call in the same process look alike. */
export interface ProviderTransport {
  /** In order; never throws, also when the other side has gone. False: it is larger than a message may be, and was not sent. */
  send(message: GatewayMessage): boolean;
  /** The other side's end is told through {@link ProviderConnection.closed}. */
  close(code: number, reason: string): void;
  /** True when the other side answers within `timeoutMs`. */
  isAlive(timeoutMs: number): Promise<boolean>;
}

import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';

/** How the gateway reaches a provider. A socket and a call in the same process look alike. */
export interface ProviderTransport {
  /** Sends in order. Never throws, also when the other side is gone. False: the message is too large and was not sent. */
  send(message: GatewayMessage): boolean;
  /** The end from the other side is reported by `ProviderConnection.closed`. */
  close(code: number, reason: string): void;
  /** True when the other side answers within `timeoutMs`. */
  isAlive(timeoutMs: number): Promise<boolean>;
}

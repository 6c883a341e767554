/** `tapline/provider`: the provider SDK for Node. Finds the gateway and its token by itself. */
import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { readDaemonRecord } from '../base/daemon.ts';
import { DEFAULT_GATEWAY_PORT, gatewayLockFile, providerTokenFile } from './gatewayPaths.ts';
import { connectProvider, type ProviderHandle, type ProviderOptions } from './provider.ts';

export { GatewayError, ToolError } from './provider.ts';
export type { GateDecision, ProviderHandle, ProviderOptions, ProviderState, ToolCallRequest, ToolInput } from './provider.ts';

export interface NodeProviderOptions extends Omit<ProviderOptions, 'connect'> {
  /** Default: `TAP_GATEWAY_URL`, else that of this user's running gateway, else port 9400. */
  url?: string;
  /** Default: `TAP_PROVIDER_TOKEN`, else the gateway's token file. */
  token?: string;
}

/** Connects, and again whenever the gateway has gone; closed by its handle's `close()`. */
export function createProvider(name: string, options: NodeProviderOptions = {}): ProviderHandle {
  return connectProvider(name, {
    ...options,
    async connect() {
      const url =
        options.url ??
        (process.env.TAP_GATEWAY_URL || readDaemonRecord(gatewayLockFile())?.url) ??
        `ws://127.0.0.1:${DEFAULT_GATEWAY_PORT}`;
      // Looked up at every connection: a new gateway has a new token.
      const token = options.token ?? (process.env.TAP_PROVIDER_TOKEN || (await readFile(providerTokenFile(), 'utf8')).trim());
      return { socket: new WebSocket(url, { perMessageDeflate: false }), token };
    },
  });
}

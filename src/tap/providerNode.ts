/** `tapline/provider`: the provider SDK for Node. Finds the gateway and its token by itself. */
import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { readDaemonRecord } from '../base/daemon.ts';
import { DEFAULT_GATEWAY_PORT, gatewayLockFile, providerTokenFile } from './gatewayPaths.ts';
import { connectProvider } from './provider.ts';
import type { ProviderHandle, ProviderOptions } from './providerApi.ts';

export { FileResult } from './providerApi.ts';
export { GatewayError, ToolError } from './providerErrors.ts';
export type * from './providerApi.ts';

export interface NodeProviderOptions extends Omit<ProviderOptions, 'connect'> {
  /** Default: `TAP_GATEWAY_URL`, else that of this user's running gateway, else port 9400. */
  url?: string;
  /** Default: `TAP_PROVIDER_TOKEN`, else the gateway's token file; and the file as well where the gateway refuses the variable's. */
  token?: string;
}

const HANDSHAKE_TIMEOUT_MS = 5_000;

/** Connects, and again whenever the gateway has gone; closed by its handle's `close()`. */
export function createProvider(name: string, options: NodeProviderOptions = {}): ProviderHandle {
  return connectProvider(name, {
    ...options,
    async connect(refused) {
      const url =
        options.url ??
        (process.env.TAP_GATEWAY_URL || readDaemonRecord(gatewayLockFile())?.url) ??
        `ws://127.0.0.1:${DEFAULT_GATEWAY_PORT}`;
      const token = options.token ?? (await findToken(refused));
      if (token === undefined && !options.onPairing)
        throw new Error(`there is no TAP_PROVIDER_TOKEN and no ${providerTokenFile()}: is a gateway running?`);
      return { socket: new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }), token };
    },
  });
}

/** Looked for at every connection: a new gateway has a new token, also when the environment still has that of the old one. */
async function findToken(refused: string | undefined): Promise<string | undefined> {
  const given = process.env.TAP_PROVIDER_TOKEN;
  if (given && given !== refused) return given;
  try {
    return (await readFile(providerTokenFile(), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return given || undefined;
    throw error;
  }
}

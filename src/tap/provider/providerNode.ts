/** `tapline/provider`: the provider SDK for Node. Finds the gateway and its token. */
import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { Challenge, UnprovenListener } from '../../base/server/challenge.ts';
import { readDaemonRecord } from '../../base/daemon/daemonLock.ts';
import { DEFAULT_GATEWAY_PORT, gatewayLockFile, providerTokenFile } from '../owner/gatewayPaths.ts';
import { Limit } from '../wire/limits.ts';
import { connectProvider } from './provider.ts';
import type { ProviderHandle, ProviderOptions } from './providerApi.ts';

export { FileResult } from './providerApi.ts';
export { ConsentError, GatewayError, ToolError } from './providerErrors.ts';
export { file, image, json, type ResultAnnotations, type ResultPart, text } from './results.ts';
export type { StandardSchema } from './standardSchema.ts';
export { type JsonSchema, tool, type Tool, type ToolOptions } from './tool.ts';
export type * from './providerApi.ts';

export interface NodeProviderOptions extends Omit<ProviderOptions, 'connect'> {
  /** In place of everything that follows. For tests: of `createTestGateway()`. */
  connect?: ProviderOptions['connect'];
  /** Default: `TAP_GATEWAY_URL`, else the URL of this user's running gateway, else port 9400. */
  url?: string;
  /**
   * Default: `TAP_PROVIDER_TOKEN`, else the gateway's token file, which is also used where the gateway does not know the variable's token.
   * These two are sent only to a gateway that has proved that it knows them. A token that is given here is sent to whatever listens on the
   * URL.
   */
  token?: string;
}

const HANDSHAKE_TIMEOUT_MS = 5_000;

/** Connects, and again whenever the connection is lost, until `close()` is called. */
export function createProvider(name: string, options: NodeProviderOptions = {}): ProviderHandle {
  /**
   * The token for which the last listener had no proof. A new gateway does not know the token of the environment, and another program knows
   * none.
   */
  let unproven: string | undefined;
  return connectProvider(name, {
    ...options,
    connect:
      options.connect ??
      (async (refused) => {
        const url =
          options.url ??
          (process.env.TAP_GATEWAY_URL || readDaemonRecord(gatewayLockFile())?.url) ??
          `ws://127.0.0.1:${DEFAULT_GATEWAY_PORT}`;
        // One of an earlier pairing is refused when the gateway has forgotten it. Without a token the user is asked to pair anew.
        const given = options.onPairing && options.token === refused ? undefined : options.token;
        const found = given === undefined ? await findToken([refused, unproven]) : undefined;
        const token = given ?? found;
        if (token === undefined && !options.onPairing)
          throw new Error(`there is no TAP_PROVIDER_TOKEN and no ${providerTokenFile()}: is a gateway running?`);
        const socket = new WebSocket(url, {
          perMessageDeflate: false,
          handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
          maxPayload: Limit.messageBytes,
          ...(found !== undefined && { finishRequest: (request) => new Challenge(found).send(request) }),
        });
        socket.once('error', (error) => {
          if (error instanceof UnprovenListener) unproven = found;
        });
        return { socket, token };
      }),
  });
}

/** Called for every connection, because a new gateway has a new token while the environment still has the old one. */
async function findToken(failed: readonly (string | undefined)[]): Promise<string | undefined> {
  const given = process.env.TAP_PROVIDER_TOKEN;
  if (given && !failed.includes(given)) return given;
  try {
    return (await readFile(providerTokenFile(), 'utf8')).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return given || undefined;
    throw error;
  }
}

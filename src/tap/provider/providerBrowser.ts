/** The provider SDK for a browser tab, as one file. A tab has no token: the user types the pairing code that their session shows. */
import { connectProvider } from './provider.ts';
import type { ProviderHandle, ProviderOptions } from './providerApi.ts';

export { ConsentError, GatewayError, ToolError } from './providerErrors.ts';
export { file, image, json, type ResultAnnotations, type ResultPart, text } from './results.ts';
export type { StandardSchema } from './standardSchema.ts';
export { type JsonSchema, tool, type Tool, type ToolOptions } from './tool.ts';
export type * from './providerApi.ts';

export interface BrowserProviderOptions extends Omit<ProviderOptions, 'connect'> {
  /** Default: port 9400 of this computer. */
  url?: string;
  /** From an earlier `onToken` in this tab. Default: the user is asked to pair. */
  token?: string;
}

/** Connects, and again whenever the connection is lost, until `close()` is called. */
export function createProvider(name: string, options: BrowserProviderOptions = {}): ProviderHandle {
  const { url = 'ws://127.0.0.1:9400', token, onPairing = (text: string) => prompt(text) ?? undefined } = options;
  return connectProvider(name, {
    ...options,
    onPairing,
    connect: (refused) => ({ socket: new WebSocket(url), token: token === refused ? undefined : token }),
  });
}

/** The provider SDK for a browser tab, as one file. A tab has no token: the user types the pairing code that their session shows. */
import { connectProvider, type ProviderHandle, type ProviderOptions } from './provider.ts';

export { GatewayError, ToolError } from './provider.ts';
export type { GateDecision, ProviderHandle, ProviderOptions, ProviderState, ToolCallRequest, ToolInput } from './provider.ts';

export interface BrowserProviderOptions extends Omit<ProviderOptions, 'connect'> {
  /** Default: port 9400 of this computer. */
  url?: string;
}

export function createProvider(name: string, options: BrowserProviderOptions = {}): ProviderHandle {
  const { url = 'ws://127.0.0.1:9400', onPairing = (text: string) => prompt(text) ?? undefined } = options;
  return connectProvider(name, { ...options, onPairing, connect: () => ({ socket: new WebSocket(url) }) });
}

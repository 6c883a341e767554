/** The library `tapline/openctx`: a client of OpenCtx providers for Node. */
import { OpenCtxClientCore, type OpenCtxClientOptions as CoreOptions } from './client.ts';

export type OpenCtxClientOptions = Omit<CoreOptions, 'workerScript'> & Partial<Pick<CoreOptions, 'workerScript'>>;

export class OpenCtxClient extends OpenCtxClientCore {
  static create(options: OpenCtxClientOptions): OpenCtxClient {
    return new OpenCtxClient({ workerScript: new URL('./openctxWorker.js', import.meta.url), ...options });
  }
}

export type { Answers, AskOptions, ProviderAnswer, ItemsParams, ResourceAnnotation, ResourceItem } from './client.ts';
export type { Item, Mention, MetaResult } from './protocol/later.ts';
export type { Position, ProviderSettings, Range, Resource } from './protocol/messages.ts';
export type { ProviderState } from './contextConnection.ts';
export type { FindSecret } from './secrets.ts';
export type { OpenCtxLimits } from './transports/openCtxTransport.ts';

/** OpenCtx providers for tests, over real HTTP and as real modules. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OpenCtxClient, type OpenCtxClientOptions } from '../../../src/openctx/index.ts';

export const workerScript = pathToFileURL(join(import.meta.dirname, '../../../dist/lib/openctxWorker.js'));

export interface SentMessage {
  method: string;
  params?: Record<string, unknown>;
  settings?: Record<string, unknown>;
}
type Handlers = Readonly<Record<string, (message: SentMessage) => unknown>>;

/** An endpoint that answers by method, and says that it does not know others. */
export class HttpProvider {
  readonly received: SentMessage[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** Instead of the handlers. */
  respond: ((response: ServerResponse, message: SentMessage) => void) | undefined;
  /** What it says to a method that it does not know. */
  unknown: (response: ServerResponse) => void = (response) =>
    response.end(JSON.stringify({ error: { code: -32601, message: 'unknown method' } }));

  private constructor(
    private readonly server: Server,
    private readonly handlers: Handlers,
  ) {}

  static async start(handlers: Handlers): Promise<HttpProvider> {
    const server = createServer();
    const provider = new HttpProvider(server, handlers);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void provider.#handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  get methods(): string[] {
    return this.received.map(({ method }) => method);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const message = JSON.parse(Buffer.concat(parts).toString()) as SentMessage;
    this.received.push(message);
    this.headers.push(request.headers);
    const handle = this.handlers[message.method];
    if (this.respond) this.respond(response, message);
    else if (!handle) this.unknown(response);
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ result: handle(message) }));
  }
}

export function openClient(options: OpenCtxClientOptions): OpenCtxClient {
  return OpenCtxClient.create({ workerScript, ...options });
}

export const at = (line: number, character: number, endLine = line, end = character) => ({
  start: { line, character },
  end: { line: endLine, character: end },
});

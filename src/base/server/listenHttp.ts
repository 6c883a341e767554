/** An HTTP server on 127.0.0.1. Whoever starts it decides what it answers, and checks who asks. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../errors.ts';
import type { Logger } from '../log.ts';

const ADDRESS = '127.0.0.1';
const MAX_HEADER_BYTES = 16 * 1024;

export interface ListenHttpOptions {
  /** For the log, such as `MCP server`. */
  name: string;
  /** 0 takes a free one. */
  port: number;
  headersTimeoutMs: number;
  /** For the whole request. */
  requestTimeoutMs: number;
  logger: Logger;
}

/** `url`: `http://127.0.0.1:<port>`. Rejects with the error of `listen`, such as `EADDRINUSE`. */
export async function listenHttp(options: ListenHttpOptions): Promise<{ server: Server; port: number; url: string }> {
  const { name, headersTimeoutMs: headersTimeout, requestTimeoutMs: requestTimeout, logger } = options;
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, headersTimeout, requestTimeout });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, ADDRESS, resolve);
  });
  server.on('error', (error) => logger.error(`the ${name}: ${messageOf(error)}`));
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://${ADDRESS}:${port}` };
}

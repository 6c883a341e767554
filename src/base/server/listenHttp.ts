/** An HTTP server on this computer. Whoever starts it decides what it answers, and checks who asks. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { englishOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import { boundWaiting } from './waitingConnections.ts';

const ADDRESS = '127.0.0.1';
const MAX_HEADER_BYTES = 16 * 1024;
/** By default Node looks every 30 s whether a time is over. */
const CHECKING_INTERVAL_MS = 1_000;
/** For the next request of a connection. */
const KEEP_ALIVE_MS = 5_000;
/** A page of a browser has up to six connections. */
const MAX_WAITING = 200;

export interface ListenHttpOptions {
  /** For the log, such as `MCP server`. */
  name: string;
  /** 0 takes a free one. */
  port: number;
  address?: '127.0.0.1' | '::1';
  /** Whoever starts it takes upgrades. */
  hasUpgrades?: boolean;
  /** From the connection, or the first byte of a later request, to the end of its headers. */
  headersTimeoutMs: number;
  /** For the whole request, with its body, and not for the answer. */
  requestTimeoutMs: number;
  logger: Logger;
}

/** `url`: `http://127.0.0.1:<port>`. Rejects with the error of `listen`, such as `EADDRINUSE`. */
export async function listenHttp(options: ListenHttpOptions): Promise<{ server: Server; port: number; url: string }> {
  const {
    name,
    address = ADDRESS,
    hasUpgrades = false,
    headersTimeoutMs: headersTimeout,
    requestTimeoutMs: requestTimeout,
    logger,
  } = options;
  const server = createServer({
    ...{ maxHeaderSize: MAX_HEADER_BYTES, headersTimeout, requestTimeout, keepAliveTimeout: KEEP_ALIVE_MS },
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, headersTimeout),
  });
  boundWaiting(server, MAX_WAITING, hasUpgrades);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => logger.error(`the ${name}: ${englishOf(error)}`));
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://${ADDRESS}:${port}` };
}

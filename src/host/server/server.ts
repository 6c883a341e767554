/** The host's WebSocket server, on loopback. */
import { randomBytes } from 'node:crypto';
import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { onlyKey, proofHeaders, proveOnUpgrade } from '../../base/challenge.ts';
import { messageOf } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { ClientConnection, type ClientConnectionOptions } from './clientConnection.ts';
import { AgentHost, type AgentHostOptions } from '../host.ts';
import { RETIRE_PATH } from '../../base/daemon.ts';
import { STARTING_STATUS } from '../../base/daemonLock.ts';
import { upgradeProblem } from './upgradeChecks.ts';

const ADDRESS = '127.0.0.1';
/** For the HTTP request that opens the WebSocket, and again for `initialize` or `reconnect` after it. */
const HANDSHAKE_TIMEOUT_MS = 5000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

export interface HostServerOptions extends AgentHostOptions, Omit<ClientConnectionOptions, 'host' | 'handshakeTimeoutMs'> {
  /** Absent or 0: any free one. */
  port?: number;
  /** Absent: a random one. */
  token?: string;
  handshakeTimeoutMs?: number;
  /** Called when it listens, before any session is read: makes this process the only one of its kind, or rejects to give up. */
  claim?(address: Pick<HostServer, 'url' | 'token'>): Promise<void>;
  /**
   * A newer version of Tapline asks the host to make room. True when it ends now (`answered` resolves when the answer has gone out), false
   * when it will as soon as nobody uses it. Absent: it does not retire.
   */
  onRetire?(answered: Promise<void>): boolean;
}

export interface HostServer {
  /** `ws://127.0.0.1:<port>`, without the token. */
  readonly url: string;
  readonly port: number;
  /** Goes in the query as `tkn`, or is proved (`src/base/challenge.ts`). Never to be logged. */
  readonly token: string;
  /** Clients that have said hello. */
  readonly clientCount: number;
  /** A turn or a terminal runs. */
  readonly isBusy: boolean;
  /** Fired when `clientCount` or `isBusy` changes. */
  readonly onDidChangeActivity: Event<void>;
  /** Stops all turns and terminals and closes all connections. */
  close(): Promise<void>;
}

/** Rejects when the port cannot be listened on. */
export async function startHostServer(options: HostServerOptions): Promise<HostServer> {
  const { logger, token = randomBytes(32).toString('base64url') } = options;
  const handshakeTimeoutMs = options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS;
  const http = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: handshakeTimeoutMs,
    requestTimeout: handshakeTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, handshakeTimeoutMs),
  });
  const port = await listen(http, options.port ?? 0);
  const url = `ws://${ADDRESS}:${port}`;
  const findKey = onlyKey(token);
  /** For any other request; also for one to open a WebSocket, as long as the host waits for its sessions. */
  let otherwise: 404 | typeof STARTING_STATUS = STARTING_STATUS;
  http.on('request', (request, response) => {
    request.resume();
    const { onRetire } = options;
    const headers = { Connection: 'close', ...proofHeaders(request, findKey) };
    const problem = request.method === 'POST' && onRetire ? upgradeProblem(request, { port, token }, RETIRE_PATH) : otherwise;
    if (problem !== undefined || !onRetire) return void response.writeHead(problem ?? otherwise, headers).end();
    const retired = onRetire(new Promise((resolve) => response.once('close', resolve)));
    response.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify({ retired }));
  });
  let host: AgentHost;
  try {
    await options.claim?.({ url, token });
    host = new AgentHost(options);
  } catch (error) {
    http.close();
    throw error;
  }
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const connections = new Set<ClientConnection>();
  proveOnUpgrade(webSockets, findKey);
  otherwise = 404;

  http.on('error', (error) => logger.error(`the host's server: ${messageOf(error)}`));
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const onError = (error: Error) => logger.debug(`a connection that was not open yet: ${messageOf(error)}`);
    socket.on('error', onError);
    const problem = upgradeProblem(request, { port, token });
    if (problem !== undefined) {
      logger.warn(`refused a connection: ${problem} ${STATUS_CODES[problem]}`);
      socket.end(`HTTP/1.1 ${problem} ${STATUS_CODES[problem]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('error', onError);
      const connection = new ClientConnection(webSocket, { ...options, handshakeTimeoutMs, host });
      connections.add(connection);
      webSocket.once('close', () => connections.delete(connection));
    });
  });

  let closing: Promise<void> | undefined;
  const close = async () => {
    // First, while it still listens: whoever finds nobody there takes the sessions for free, and this writes their logs.
    host.dispose();
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    for (const connection of connections) connection.dispose();
    // Sockets that never became a WebSocket; the others end by their own close timeout.
    http.closeAllConnections();
    await closed;
  };
  return {
    url,
    port,
    token,
    get clientCount() {
      return host.clients.count;
    },
    get isBusy() {
      return host.isBusy;
    },
    onDidChangeActivity: host.onDidChangeActivity,
    close: () => (closing ??= close()),
  };
}

function listen(http: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, ADDRESS, () => {
      http.off('error', reject);
      resolve((http.address() as AddressInfo).port);
    });
  });
}

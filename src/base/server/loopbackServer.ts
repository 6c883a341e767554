/** An HTTP server on loopback that opens WebSockets on some paths, and proves who it is to clients that ask. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { englishOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type FindKey, proofHeaders, proveOnUpgrade } from './challenge.ts';
import { listenHttp } from './listenHttp.ts';
import { foreignOrigin, hostProblem, REFUSED_NAME, REFUSED_NAME_HEADER } from './loopback.ts';
import { CLOSE_TIMEOUT_MS } from './socket/peerSocket.ts';

const ADDRESS = '127.0.0.1';
/** How often another free port is tried when it is taken on the other address. */
const FREE_PORT_TRIES = 5;
const NAME_HEADERS = { [REFUSED_NAME_HEADER]: REFUSED_NAME };
export const HANDSHAKE_TIMEOUT_MS = 5_000;

export interface LoopbackServerOptions {
  /** 0: any free one. */
  port: number;
  logger: Logger;
  /** Listens on ::1 as well. */
  alsoV6?: boolean;
  /** For the whole request with its headers. */
  handshakeTimeoutMs?: number;
}

/** What opens WebSockets on one path. */
export interface Route {
  /** A larger message ends its connection. */
  maxMessageBytes: number;
  /** The HTTP status to refuse with, or undefined. `origin` is that of a web page that is not the server's own. */
  refusal(request: IncomingMessage, origin: string | undefined): number | undefined;
  /** `stream` is the socket under the WebSocket. */
  accept(socket: WebSocket, stream: Duplex, origin: string | undefined): void;
}

export interface Answer {
  status: number;
  /** Sent as JSON. */
  body?: unknown;
}

/** How the server answers. It is asked only about requests whose `Host` names this computer and port. Other requests get status 403. */
export interface Service {
  /** The keys that the server can prove. */
  findKey: FindKey;
  /** By path, without the query. */
  routes: Readonly<Record<string, Route>>;
  /** The HTTP status for everything that `routes` and `answer` do not handle. */
  otherwise: number;
  /** Answers a request that opens no WebSocket. `answered` resolves when the response has been sent. */
  answer?(request: IncomingMessage, answered: Promise<void>): Answer | Promise<Answer> | undefined;
}

export class LoopbackServer {
  readonly port: number;
  /** `ws://127.0.0.1:<port>` */
  readonly url: string;
  readonly #sockets = new Set<WebSocket>();
  #service: Service = { findKey: () => undefined, routes: {}, otherwise: 503 };
  #routes = new Map<string, { route: Route; webSockets: WebSocketServer }>();
  #stopped: Promise<unknown> | undefined;

  private constructor(
    private readonly servers: readonly Server[],
    port: number,
    private readonly logger: Logger,
  ) {
    this.port = port;
    this.url = `ws://${ADDRESS}:${this.port}`;
    for (const server of servers) {
      server.on('request', (request, response) => this.#answer(request, response));
      server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    }
  }

  /** Rejects with the error of `listen` (`EADDRINUSE`) when the port cannot be had. Until {@link serve} is called it answers 503. */
  static async listen(options: LoopbackServerOptions): Promise<LoopbackServer> {
    const { servers, port } = await listenOn(options);
    return new LoopbackServer(servers, port, options.logger);
  }

  /** Replaces the service for all requests to come. */
  serve(service: Service): void {
    this.#service = service;
    const entries = Object.entries(service.routes);
    this.#routes = new Map(entries.map(([path, route]) => [path, { route, webSockets: webSocketServer(route, service.findKey) }]));
  }

  /** Accepts no further connections. Open ones stay. */
  stopListening(): void {
    this.#stopped ??= Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  /** Closes all connections with `reason`, and resolves when the last one has ended. */
  async close(reason: string): Promise<void> {
    this.stopListening();
    for (const socket of this.#sockets) socket.close(1001, reason);
    const terminate = setTimeout(() => this.#sockets.forEach((socket) => socket.terminate()), CLOSE_TIMEOUT_MS);
    // Connections that never became a WebSocket.
    for (const server of this.servers) server.closeAllConnections();
    await this.#stopped;
    clearTimeout(terminate);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const { findKey, answer, otherwise } = this.#service;
    const answered = new Promise<void>((resolve) => response.once('close', resolve));
    const problem = hostProblem(request);
    const headers = { Connection: 'close', ...(problem === 403 && NAME_HEADERS), ...proofHeaders(request, findKey) };
    const send = ({ status, body }: Answer) => {
      if (body === undefined) response.writeHead(status, headers).end();
      else response.writeHead(status, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    const given = problem ? { status: problem } : (answer?.(request, answered) ?? { status: otherwise });
    if (!(given instanceof Promise)) return send(given);
    given.then(send, (error: unknown) => {
      this.logger.error(`${pathOf(request)}: ${englishOf(error)}`);
      send({ status: 500 });
    });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const onError = (error: Error) => this.logger.debug(`a connection that was not open yet: ${englishOf(error)}`);
    socket.on('error', onError);
    const problem = hostProblem(request);
    if (problem) return this.#refuse(request, socket, problem, problem === 403 ? NAME_HEADERS : {});
    const found = this.#routes.get(pathOf(request));
    if (!found) return this.#refuse(request, socket, this.#service.otherwise);
    const { route, webSockets } = found;
    const origin = foreignOrigin(request);
    const status = route.refusal(request, origin);
    if (status !== undefined) return this.#refuse(request, socket, status);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('error', onError);
      this.#sockets.add(webSocket);
      webSocket.once('close', () => this.#sockets.delete(webSocket));
      route.accept(webSocket, socket, origin);
    });
  }

  #refuse(request: IncomingMessage, socket: Duplex, status: number, more: Record<string, string> = {}): void {
    this.logger.warn(`refused a connection: ${status} ${STATUS_CODES[status]}`);
    const headers = { Connection: 'close', 'Content-Length': '0', ...more, ...proofHeaders(request, this.#service.findKey) };
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
    socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
  }
}

/** The path without the query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function webSocketServer({ maxMessageBytes }: Route, findKey: FindKey): WebSocketServer {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false, maxPayload: maxMessageBytes });
  proveOnUpgrade(server, findKey);
  return server;
}

/** Listens with the same port on each address, or on none. */
async function listenOn(options: LoopbackServerOptions): Promise<{ servers: readonly Server[]; port: number }> {
  const { logger, handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS } = options;
  const given = { name: 'server', hasUpgrades: true, headersTimeoutMs: handshakeTimeoutMs, requestTimeoutMs: handshakeTimeoutMs, logger };
  for (let tries = 1; ; tries++) {
    const { server, port } = await listenHttp({ ...given, port: options.port });
    if (!options.alsoV6) return { servers: [server], port };
    try {
      const { server: second } = await listenHttp({ ...given, port, address: '::1' });
      return { servers: [server, second], port };
    } catch (error) {
      await new Promise((resolve) => server.close(resolve));
      if (options.port !== 0 || tries >= FREE_PORT_TRIES || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

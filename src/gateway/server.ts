/** The gateway's port on loopback: providers at `/`, session owners with their secret at `/owner`, nothing else. */
import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { isProven, onlyKey, proofHeaders, proveOnUpgrade } from '../base/challenge.ts';
import { messageOf } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import { isLoopbackHost, isOwnOrigin } from '../base/loopback.ts';
import { Limit } from '../tap/wire/limits.ts';
import { hasRoom, makeRoom } from './connections/admission.ts';
import { Gateway, type GatewayOptions } from './gateway.ts';
import { OwnerLink } from './connections/ownerLink.ts';
import { CLOSE_TIMEOUT_MS, PeerSocket } from './connections/peerSocket.ts';
import { ProjectProviders } from './projectProviders/projectProviders.ts';
import { ProviderConnection } from './connections/providerConnection.ts';
import { TapProvider } from './connections/tapProvider.ts';
import { WsProviderTransport } from './connections/wsTransport.ts';

const ADDRESS = '127.0.0.1';
const ADDRESS_V6 = '::1';
/** How often a free port is asked for that is free on all addresses. */
const FREE_PORT_TRIES = 5;
const HANDSHAKE_TIMEOUT_MS = 5000;
const MAX_HEADER_BYTES = 16 * 1024;
/** An owner carries file results and large arguments. */
const OWNER_FRAME_BYTES = 64 * 1024 * 1024;
const OWNER_PATH = '/owner';

export interface GatewayServerOptions extends GatewayOptions {
  /** 0: any free one. */
  port: number;
  /** Offers the gateway's own provider, `tap`, to every session. */
  withTap?: boolean;
  /** Listens on ::1 as well. */
  alsoV6?: boolean;
}

export interface GatewayServer {
  readonly gateway: Gateway;
  readonly port: number;
  /** `ws://127.0.0.1:<port>` */
  readonly url: string;
  /** Session owners whose link is open. */
  readonly ownerCount: number;
  readonly onDidChangeOwners: Event<void>;
  /** Sessions end with this much time for providers to clean up; then all connections close. */
  close(deadlineMs?: number): Promise<void>;
}

/** Rejects with the error of `listen` (`EADDRINUSE`) when the port cannot be had. */
export async function startGatewayServer(options: GatewayServerOptions): Promise<GatewayServer> {
  const { logger } = options;
  const servers = await listenOn(options.port, options.alsoV6 ? [ADDRESS, ADDRESS_V6] : [ADDRESS]);
  const { port } = servers[0].address() as AddressInfo;
  const gateway = new Gateway(options);
  const tap = options.withTap ? new TapProvider(gateway) : undefined;
  const url = `ws://${ADDRESS}:${port}`;
  const projectProviders = new ProjectProviders(gateway, url);
  const owners = new Set<OwnerLink>();
  const sockets = new Set<WebSocket>();
  const didChangeOwners = new Emitter<void>();
  const accept = { noServer: true, perMessageDeflate: false, clientTracking: false } as const;
  const providerSockets = new WebSocketServer({ ...accept, maxPayload: Limit.frameBytes });
  const ownerSockets = new WebSocketServer({ ...accept, maxPayload: OWNER_FRAME_BYTES });
  const { findKey } = gateway.grants;
  for (const webSockets of [providerSockets, ownerSockets]) proveOnUpgrade(webSockets, findKey);

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const onError = (error: Error) => logger.debug(`a connection that was not open yet: ${messageOf(error)}`);
    socket.on('error', onError);
    const path = (request.url ?? '').split('?', 1)[0];
    const problem = upgradeProblem(request, path, port, gateway);
    if (problem !== undefined) {
      logger.warn(`refused a connection: ${problem} ${STATUS_CODES[problem]}`);
      socket.end(`HTTP/1.1 ${problem} ${STATUS_CODES[problem]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
      return;
    }
    const isOwner = path === OWNER_PATH;
    (isOwner ? ownerSockets : providerSockets).handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('error', onError);
      sockets.add(webSocket);
      webSocket.once('close', () => sockets.delete(webSocket));
      if (isOwner) acceptOwner(webSocket, socket);
      else acceptProvider(webSocket, socket, foreignOrigin(request, port));
    });
  };
  const acceptProvider = (socket: WebSocket, stream: Duplex, origin: string | undefined) => {
    const transport = new WsProviderTransport(socket, { stream, clock: options.clock, logger });
    makeRoom(gateway.connections, origin);
    transport.attach(new ProviderConnection(gateway, transport, { origin }));
  };
  const acceptOwner = (socket: WebSocket, stream: Duplex) => {
    const peer = new PeerSocket(socket, {
      stream,
      clock: options.clock,
      logger,
      who: 'a session owner',
      maxBuffered: OWNER_FRAME_BYTES,
      onMessage: (data) => link.receive(String(data)),
      onEnd: () => {
        owners.delete(link);
        link.dispose();
        didChangeOwners.fire();
      },
    });
    const link = new OwnerLink(gateway, projectProviders, options.version, (text) => peer.send(text));
    owners.add(link);
    didChangeOwners.fire();
  };

  const serve = (server: Server) => {
    server.on('error', (error) => logger.error(`the gateway's server: ${messageOf(error)}`));
    server.on('request', (request, response) => {
      request.resume();
      const status = isLoopbackHost(request.headers.host, port) ? 404 : 403;
      response.writeHead(status, { Connection: 'close', ...proofHeaders(request, findKey) }).end();
    });
    server.on('upgrade', upgrade);
  };
  for (const server of servers) serve(server);

  let closing: Promise<void> | undefined;
  const close = async (deadlineMs?: number) => {
    const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    await gateway.shutDown(deadlineMs);
    await projectProviders.dispose();
    tap?.dispose();
    for (const link of owners) link.dispose();
    for (const socket of sockets) socket.close(1001, 'the gateway is shutting down');
    const terminate = setTimeout(() => sockets.forEach((socket) => socket.terminate()), CLOSE_TIMEOUT_MS);
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
    clearTimeout(terminate);
  };
  return {
    gateway,
    port,
    url,
    get ownerCount() {
      return owners.size;
    },
    onDidChangeOwners: didChangeOwners.event,
    close: (deadlineMs) => (closing ??= close(deadlineMs)),
  };
}

/** The HTTP status to refuse with. `Host` first: a page that was rebound to us learns nothing else. */
function upgradeProblem(
  request: IncomingMessage,
  path: string | undefined,
  port: number,
  { connections, grants }: Gateway,
): 401 | 403 | 404 | 503 | undefined {
  const { headers } = request;
  if (!isLoopbackHost(headers.host, port)) return 403;
  if (path === '/') return hasRoom(connections, foreignOrigin(request, port)) ? undefined : 503;
  if (path !== OWNER_PATH) return 404;
  if (headers.origin !== undefined) return 403; // no web page owns sessions
  if (isProven(request, onlyKey(grants.ownerSecret))) return undefined;
  const secret = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  return secret !== undefined && grants.isOwner(secret) ? undefined : 401;
}

/** Of a web page that is not the gateway's own. */
function foreignOrigin({ headers: { origin } }: IncomingMessage, port: number): string | undefined {
  return origin !== undefined && !isOwnOrigin(origin, port) ? origin : undefined;
}

function newHttpServer(): Server {
  return createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HANDSHAKE_TIMEOUT_MS,
    requestTimeout: HANDSHAKE_TIMEOUT_MS,
    connectionsCheckingInterval: 1000,
  });
}

/** One port on each address, or an error and no server at all. */
async function listenOn(port: number, addresses: readonly string[]): Promise<[Server, ...Server[]]> {
  for (let tries = 1; ; tries++) {
    const servers: Server[] = [];
    try {
      for (const address of addresses) {
        const server = newHttpServer();
        await listen(server, (servers[0]?.address() as AddressInfo | undefined)?.port ?? port, address);
        servers.push(server);
      }
      return servers as [Server, ...Server[]];
    } catch (error) {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      if (port !== 0 || tries >= FREE_PORT_TRIES || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

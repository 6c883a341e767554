/** The host's WebSocket server, on loopback. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { RETIRE_FOR_LANGUAGE, RETIRE_PATH } from '../../base/daemon/daemon.ts';
import { STARTING_STATUS } from '../../base/daemon/daemonLock.ts';
import type { Event } from '../../base/event.ts';
import { isProven, isSame, onlyKey } from '../../base/server/challenge.ts';
import { foreignOrigin } from '../../base/server/loopback.ts';
import { type Answer, HANDSHAKE_TIMEOUT_MS, LoopbackServer, pathOf, type Route } from '../../base/server/loopbackServer.ts';
import { Host, type HostOptions } from '../host.ts';
import { V1Face } from '../v1Face/v1Face.ts';
import { ChannelFace } from './channelFace.ts';
import { ClientConnection, type ClientConnectionOptions } from './clientConnection.ts';

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export interface HostServerOptions extends HostOptions, Omit<ClientConnectionOptions, 'clients' | 'faces' | 'handshakeTimeoutMs'> {
  /** Of Tapline, told to clients. */
  version?: string;
  /** Absent or 0: any free one. */
  port?: number;
  /** Absent: a random one. */
  token?: string;
  handshakeTimeoutMs?: number;
  /** Called when the server listens, before any session is read. Makes this process the only host of its kind, or rejects. */
  claim?(address: Pick<HostServer, 'url' | 'token'>): Promise<void>;
  /**
   * A window asks the host to make room for a newer one, or only for one that speaks another language. Returns true when the host ends now
   * (`answered` resolves when the response has been sent). Absent: it does not retire.
   */
  onRetire?(answered: Promise<void>, isForLanguage: boolean): boolean;
}

export interface HostServer {
  /** `ws://127.0.0.1:<port>`, without the token. */
  readonly url: string;
  readonly port: number;
  /** Goes into the query as `tkn`, or is proved (`src/base/server/challenge.ts`). Never log it. */
  readonly token: string;
  /** Clients that have completed the handshake. */
  readonly clientCount: number;
  /** True while a turn or a terminal is running. */
  readonly isBusy: boolean;
  /** Fires when `clientCount` or `isBusy` changes. */
  readonly onDidChangeActivity: Event<void>;
  /** Stops all turns and terminals and closes all connections. */
  close(): Promise<void>;
}

/** Rejects when the port cannot be listened on. */
export async function startHostServer(options: HostServerOptions): Promise<HostServer> {
  const { logger, token = randomBytes(32).toString('base64url'), handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS, onRetire } = options;
  const server = await LoopbackServer.listen({ port: options.port ?? 0, logger, handshakeTimeoutMs });
  const { url, port } = server;
  const findKey = onlyKey(token);
  const answer = (request: IncomingMessage, answered: Promise<void>): Answer | undefined => {
    if (request.method !== 'POST' || pathOf(request) !== RETIRE_PATH || !onRetire) return undefined;
    if (foreignOrigin(request) !== undefined) return { status: 403 };
    if (!isProven(request, findKey)) return { status: 401 };
    return { status: 200, body: { retired: onRetire(answered, request.url?.split('?', 2)[1] === RETIRE_FOR_LANGUAGE) } };
  };
  server.serve({ findKey, answer, routes: {}, otherwise: STARTING_STATUS });
  let host: Host;
  try {
    await options.claim?.({ url, token });
    host = new Host(options);
  } catch (error) {
    server.stopListening();
    throw error;
  }
  const channels = new ChannelFace({ host, logger, version: options.version, speaks11: options.speaks11 });
  const v1 = new V1Face({ host, logger, replayLimit: options.replayLimit });
  const faces = { v1, channels };
  const connections = new Set<ClientConnection>();
  // Tapline's own clients prove that they know the token. Other clients send it.
  const isAllowed = (request: IncomingMessage) => isProven(request, findKey) || isSame(tokenInQuery(request), token);
  const route: Route = {
    maxMessageBytes: MAX_MESSAGE_BYTES,
    refusal: (request, origin) => (origin !== undefined ? 403 : isAllowed(request) ? undefined : 401),
    accept: (socket, stream) => {
      const connection = new ClientConnection(socket, stream, { ...options, handshakeTimeoutMs, clients: host.clients, faces });
      connections.add(connection);
      socket.once('close', () => connections.delete(connection));
    },
  };
  server.serve({ findKey, answer, routes: { '/': route }, otherwise: 404 });

  let closing: Promise<void> | undefined;
  const close = async () => {
    // The host writes its logs first, while the server still listens. A process that finds nobody listening would take the sessions.
    channels.dispose();
    v1.dispose();
    host.dispose();
    for (const connection of connections) connection.dispose();
    await server.close('the host is shutting down');
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

function tokenInQuery({ url = '' }: IncomingMessage): string {
  return new URLSearchParams(url.split('?', 2)[1]).get('tkn') ?? '';
}

/** The gateway's server on loopback: providers at `/`, session owners with their secret at `/owner`, nothing else. */
import type { IncomingMessage } from 'node:http';
import { Emitter, type Event } from '../base/event.ts';
import { isProven, onlyKey } from '../base/server/challenge.ts';
import { LoopbackServer, pathOf, type Route } from '../base/server/loopbackServer.ts';
import { PeerSocket } from '../base/server/socket/peerSocket.ts';
import { CloseCode } from '../tap/wire/closeCodes.ts';
import { Limit } from '../tap/wire/limits.ts';
import { makeRoom, whyFull } from './connections/admission.ts';
import { OwnerLink } from './connections/ownerLink.ts';
import { ProviderConnection } from './connections/providerConnection.ts';
import { SiteVisits } from './connections/siteVisits.ts';
import { TapProvider } from './connections/tapProvider.ts';
import { WsProviderTransport } from './connections/wsTransport.ts';
import { Gateway, type GatewayOptions } from './gateway.ts';
import { answerRecords } from './records/recordsAnswer.ts';
import { ProjectProviders } from './projectProviders/projectProviders.ts';

/** An owner carries file results and large arguments. */
const OWNER_FRAME_BYTES = 64 * 1024 * 1024;

export interface GatewayServerOptions extends GatewayOptions {
  /** 0 takes any free port. */
  port: number;
  /** Adds the gateway's own provider, `tap`, to every session. */
  withTap?: boolean;
  /** Listens on ::1 as well. */
  alsoV6?: boolean;
}

export interface GatewayServer {
  readonly gateway: Gateway;
  readonly port: number;
  /** `ws://127.0.0.1:<port>` */
  readonly url: string;
  /** Session owners that are connected. */
  readonly ownerCount: number;
  readonly onDidChangeOwners: Event<void>;
  /** Ends the sessions, with this much time for providers to clean up, and then closes all connections. */
  close(deadlineMs?: number): Promise<void>;
}

/** Rejects with the error of `listen` (such as `EADDRINUSE`) when the port is not available. */
export async function startGatewayServer(options: GatewayServerOptions): Promise<GatewayServer> {
  const { clock, logger } = options;
  const server = await LoopbackServer.listen(options);
  const { port, url } = server;
  const gateway = new Gateway({ ...options, port });
  const tap = options.withTap ? new TapProvider(gateway) : undefined;
  const projectProviders = new ProjectProviders(gateway, url);
  const owners = new Set<OwnerLink>();
  const didChangeOwners = new Emitter<void>();
  const visits = new SiteVisits(() => clock.now());
  const forProviders: Route = {
    maxMessageBytes: Limit.frameBytes,
    refusal: (_request, origin) => {
      if (origin === undefined) return undefined;
      const isPaired = gateway.grants.paired.some((grant) => grant.origin === origin);
      return visits.take(origin, isPaired) ? undefined : 429;
    },
    accept: (socket, stream, origin) => {
      const transport = new WsProviderTransport(socket, { stream, clock, logger });
      const full = whyFull(gateway.connections, origin);
      if (full === undefined) makeRoom(gateway.connections, origin);
      const connection = new ProviderConnection(gateway, transport, { origin });
      transport.attach(connection);
      // Over the WebSocket, because a page sees no status and no program shows one.
      if (full !== undefined) connection.turnAway(full);
    },
  };
  const forOwners: Route = {
    maxMessageBytes: OWNER_FRAME_BYTES,
    refusal: (request) => ownerRefusal(request, gateway),
    accept: (socket, stream) => {
      const peer = new PeerSocket(socket, {
        stream,
        clock,
        logger,
        who: 'a session owner',
        maxBuffered: OWNER_FRAME_BYTES,
        closeCodes: CloseCode,
        onMessage: (data) => link.receive(String(data)),
        onEnd: () => {
          owners.delete(link);
          link.dispose();
          didChangeOwners.fire();
        },
      });
      const link = new OwnerLink(gateway, projectProviders, options.version, peer);
      owners.add(link);
      didChangeOwners.fire();
    },
  };
  const answer = (request: IncomingMessage) => {
    if (request.method !== 'GET' || pathOf(request) !== '/records') return undefined;
    const status = ownerRefusal(request, gateway);
    return status === undefined ? answerRecords(gateway.records, request.url ?? '', clock.now()) : { status };
  };
  server.serve({ findKey: gateway.grants.findKey, routes: { '/': forProviders, '/owner': forOwners }, otherwise: 404, answer });

  let closing: Promise<void> | undefined;
  const close = async (deadlineMs?: number) => {
    server.stopListening();
    await gateway.shutDown(deadlineMs);
    await projectProviders.dispose();
    tap?.dispose();
    for (const link of owners) link.dispose();
    await server.close('the gateway is shutting down');
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

function ownerRefusal(request: IncomingMessage, { grants }: Gateway): 401 | 403 | undefined {
  const { headers } = request;
  if (headers.origin !== undefined) return 403; // no web page owns sessions
  if (isProven(request, onlyKey(grants.ownerSecret))) return undefined;
  const secret = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  return secret !== undefined && grants.isOwner(secret) ? undefined : 401;
}

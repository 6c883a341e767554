import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketAddress } from '../../src/ahp/client/connection/hostUrl.ts';
import type { FakeHost } from './fakeHost.ts';

export interface FakeHostServer {
  readonly url: string;
  /** Cuts every line, and keeps listening. */
  dropAll(): void;
  close(): Promise<void>;
}

/** Serves a fake host on a port of the system's choice, or at the path of a socket; with `token`, only to who brings it. */
export async function serveFakeHost(
  host: FakeHost,
  { token, port = 0, socket }: { token?: string; port?: number; socket?: string } = {},
): Promise<FakeHostServer> {
  const http = createServer((_request, response) => response.writeHead(404).end());
  const server = new WebSocketServer({
    server: http,
    verifyClient: ({ req }, accept) => {
      const given = new URL(req.url ?? '/', 'ws://localhost').searchParams.get('tkn') ?? undefined;
      accept(given === token, 401);
    },
  });
  server.on('connection', (socket: WebSocket) => {
    const connection = host.accept(
      (text) => socket.send(text),
      (code, reason) => socket.close(code, reason),
    );
    socket.on('message', (data) => connection.receive((data as Buffer).toString('utf8')));
    socket.on('close', () => connection.subscriptions.clear());
  });
  http.listen(socket ?? { host: '127.0.0.1', port });
  await once(http, 'listening');
  const dropAll = () => {
    for (const socket of server.clients) socket.terminate();
  };
  return {
    url: socket === undefined ? `ws://127.0.0.1:${(http.address() as AddressInfo).port}` : socketAddress(socket),
    dropAll,
    close: async () => {
      dropAll();
      server.close();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

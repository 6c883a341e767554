import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FakeHost } from './fakeHost.ts';

export interface FakeHostServer {
  readonly url: string;
  /** Cuts every line, and keeps listening. */
  dropAll(): void;
  close(): Promise<void>;
}

/** Serves a fake host on a port of the system's choice; with `token`, only to who brings it. */
export async function serveFakeHost(host: FakeHost, { token, port = 0 }: { token?: string; port?: number } = {}): Promise<FakeHostServer> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port,
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
  await once(server, 'listening');
  const dropAll = () => {
    for (const socket of server.clients) socket.terminate();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropAll,
    close: async () => {
      dropAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

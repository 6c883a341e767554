/** Our own host as a client of AHP 1.0 meets it: what would let it choose AHP v1 is taken out of the handshake. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

export interface ChannelsOnly {
  readonly url: string;
  /** Ends every connection. New ones are accepted. */
  cut(): void;
  close(): Promise<void>;
}

export async function startChannelsOnly({ url, token }: { url: string; token: string }): Promise<ChannelsOnly> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const lines = new Set<WebSocket>();
  server.on('connection', (client) => {
    const line = new WebSocket(`${url}/?tkn=${token}`);
    lines.add(line);
    const early: string[] = [];
    client.on('message', (data) => {
      const text = withoutVersion1((data as Buffer).toString('utf8'));
      if (line.readyState === WebSocket.OPEN) line.send(text);
      else early.push(text);
    });
    line.on('open', () => early.splice(0).forEach((text) => line.send(text)));
    line.on('message', (data) => client.send((data as Buffer).toString('utf8')));
    for (const [one, other] of [
      [client, line],
      [line, client],
    ] as const)
      one.on('close', () => other.terminate()).on('error', () => other.terminate());
  });
  await once(server, 'listening');
  const cut = () => {
    for (const socket of [...server.clients, ...lines]) socket.terminate();
    lines.clear();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function withoutVersion1(text: string): string {
  const frame = JSON.parse(text) as { method?: string; params?: { protocolVersion?: unknown } };
  if (frame.method !== 'initialize') return text;
  delete frame.params?.protocolVersion;
  return JSON.stringify(frame);
}

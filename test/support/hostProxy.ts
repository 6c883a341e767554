/** A host has another port and token after each start. This proxy keeps its address and needs no token, like a service. */
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface HostProxy {
  readonly url: string;
  /** While it is set, everything that a client sends is dropped. */
  isDeaf: boolean;
  /** While it is set, nobody gets through. */
  isAway: boolean;
  /** Resolves when so many connections, counted from now, were turned away because it is away. */
  turnedAway(count: number): Promise<void>;
  /** Breaks all connections. */
  cut(): void;
  close(): void;
}

/** `host` is asked at each connection. */
export async function startHostProxy(host: () => { url: string; token: string }): Promise<HostProxy> {
  const lines = new Set<Socket>();
  const refusals = new EventEmitter();
  const server = createServer((client) => {
    if (proxy.isAway) {
      refusals.emit('refusal');
      return void client.destroy();
    }
    lines.add(client);
    client.once('close', () => lines.delete(client));
    client.once('data', (head: Buffer) => {
      const { url, token } = host();
      const line = connect(Number(new URL(url).port), '127.0.0.1', () => {
        const request = head.toString('latin1').replace(/^GET \S+/, `GET /?tkn=${token}`);
        line.write(request.replace(/^Host: .*$/im, `Host: ${new URL(url).host}`), 'latin1');
        client.on('data', (chunk) => void (proxy.isDeaf || line.write(chunk)));
        line.pipe(client);
      });
      for (const [one, other] of [
        [line, client],
        [client, line],
      ] as const)
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => lines.forEach((line) => line.destroy());
  const turnedAway = async (count: number) => {
    for (let left = count; left > 0; left--) await once(refusals, 'refusal');
  };
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: HostProxy = { url, isDeaf: false, isAway: false, turnedAway, cut, close: () => void server.close() };
  return proxy;
}

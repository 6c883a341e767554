/** A host has another port and token after each start. This proxy keeps its address and needs no token, like a service. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

export interface HostProxy {
  readonly url: string;
  /** While it is set, everything that a client sends is dropped. */
  isDeaf: boolean;
  close(): void;
}

/** `host` is asked at each connection. */
export async function startHostProxy(host: () => { url: string; token: string }): Promise<HostProxy> {
  const server = createServer((client) => {
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
  const proxy = { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, isDeaf: false, close: () => void server.close() };
  return proxy;
}

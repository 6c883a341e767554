/** The process in the middle of a measurement: `gateway`, or `relay`, which forwards frames without reading them. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '../src/base/clock.ts';
import { nullLogger } from '../src/base/log.ts';
import { startGatewayServer } from '../src/gateway/server.ts';

export interface Middle {
  url: string;
  /** For the caller's connection. */
  path: string;
  secret: string;
  /** For providers. */
  token: string;
}

const tell = (message: unknown) => process.send?.(message);

async function gateway(): Promise<Middle> {
  const home = mkdtempSync(join(tmpdir(), 'tapline-bench-'));
  process.once('exit', () => rmSync(home, { recursive: true }));
  const { url, gateway } = await startGatewayServer({
    port: 0,
    clock: systemClock,
    logger: nullLogger,
    version: 'bench',
    home,
    journalsFolder: join(home, 'journals'),
  });
  return { url, path: '/owner', secret: gateway.grants.ownerSecret, token: gateway.grants.fileToken };
}

/** The relay sends frames of the caller to the newest provider, and frames of any provider to the caller. */
async function relay(): Promise<Middle> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await new Promise((resolve) => server.once('listening', resolve));
  let caller: WebSocket | undefined;
  let newest: WebSocket | undefined;
  server.on('connection', (socket, { url }) => {
    const isCaller = url === '/caller';
    if (isCaller) caller = socket;
    else newest = socket;
    socket.on('message', (data, isBinary) => (isCaller ? newest : caller)?.send(data, { binary: isBinary }));
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, path: '/caller', secret: '', token: 'x'.repeat(47) };
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  globalThis.gc?.();
  tell({ heap: process.memoryUsage().heapUsed, cpu: (user + system) / 1000 });
});
process.on('disconnect', () => process.exit());
tell(await (process.argv[2] === 'gateway' ? gateway() : relay()));

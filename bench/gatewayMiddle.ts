/** The process in the middle of a measurement: `gateway`, `tracing` (a gateway with traces), or `relay`, which forwards frames without reading them. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '../src/base/clock.ts';
import { nullLogger } from '../src/base/log.ts';
import { startGatewayServer } from '../src/gateway/gatewayServer.ts';
import { openSpanExport } from '../src/gateway/traces/export/spanExport.ts';
import { Tracing } from '../src/gateway/traces/tracing.ts';

export interface Middle {
  url: string;
  /** For the caller's connection. */
  path: string;
  secret: string;
  /** For providers. */
  token: string;
}

/** What may be asked for: bytes of heap in use, or milliseconds of processor time so far. */
export type Figure = 'heap' | 'cpu';

const tell = (message: unknown) => process.send?.(message);

async function gateway(tracing?: Tracing): Promise<Middle> {
  const home = mkdtempSync(join(tmpdir(), 'tapline-bench-'));
  process.once('exit', () => rmSync(home, { recursive: true }));
  const { url, gateway } = await startGatewayServer({
    port: 0,
    clock: systemClock,
    logger: nullLogger,
    version: 'bench',
    home,
    journalsFolder: join(home, 'journals'),
    ...(tracing && { tracing }),
  });
  return { url, path: '/owner', secret: gateway.grants.ownerSecret, token: gateway.grants.fileToken };
}

/** Its spans are made, and kept nowhere. */
async function tracing(): Promise<Tracing> {
  const made = new Tracing({
    open: async (config) =>
      openSpanExport({ config, records: { add: async () => undefined }, version: 'bench', clock: systemClock, logger: nullLogger }),
    logger: nullLogger,
  });
  await made.configure({ enabled: true, content: false });
  return made;
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

function heap(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Without a collection of garbage, which would be counted with what is measured next. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on('message', (figure: Figure) => tell(figure === 'heap' ? heap() : cpu()));
process.on('disconnect', () => process.exit());
const kinds: Record<string, () => Promise<Middle>> = { gateway, relay, tracing: async () => gateway(await tracing()) };
tell(await kinds[process.argv[2] ?? '']?.());

/**
 * What the gateway costs over a bare relay of the same frames on the same machine: time of a call there and back, calls a second, registering
 * many providers, and memory for each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '../src/base/clock.ts';
import { withTimeout } from '../src/base/errors.ts';
import { nullLogger } from '../src/base/log.ts';
import { type GatewayServer, startGatewayServer } from '../src/gateway/server.ts';
import { OwnerClient } from '../src/tap/ownerClient.ts';
import { report } from './measure.ts';

const CALLS = 2000;
const PARALLEL = 64;
const PROVIDERS = 50;
const TOOLS = 100;
const WAIT_MS = 30_000;

/** One call there and back. */
type Call = () => Promise<unknown>;

const opened = (socket: WebSocket) =>
  withTimeout(
    new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    }),
    WAIT_MS,
    'opening a connection',
  );

/** A relay that knows nothing: what one side sends, the other gets. */
async function relay(): Promise<{ call: Call; close(): void }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await new Promise((resolve) => server.once('listening', resolve));
  const peers: WebSocket[] = [];
  server.on('connection', (socket) => {
    peers.push(socket);
    socket.on('message', (data) => peers.find((other) => other !== socket)?.send(String(data)));
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [caller, provider] = [new WebSocket(url, { perMessageDeflate: false }), new WebSocket(url, { perMessageDeflate: false })];
  await Promise.all([opened(caller), opened(provider)]);
  answer(provider);
  const waiting = new Map<string, () => void>();
  caller.on('message', (data) => {
    const { id } = JSON.parse(String(data)) as { id: string };
    waiting.get(id)?.();
    waiting.delete(id);
  });
  let calls = 0;
  return {
    call: () =>
      new Promise<void>((resolve) => {
        const id = `call-${++calls}`;
        waiting.set(id, resolve);
        caller.send(JSON.stringify({ type: 'tool.call', id, sessionId: 'a', tool: 'greet', args: { name: 'Alice' } }));
      }),
    close() {
      for (const socket of [caller, provider]) socket.terminate();
      server.close();
    },
  };
}

function answer(provider: WebSocket): void {
  provider.on('message', (data) => {
    const { type, id } = JSON.parse(String(data)) as { type: string; id: string };
    if (type === 'tool.call') provider.send(JSON.stringify({ type: 'tool.result', id, data: 'Hello, Alice!' }));
  });
}

const object = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

async function bind(server: GatewayServer, hello: object): Promise<WebSocket> {
  const socket = new WebSocket(server.url, { perMessageDeflate: false });
  const bound = new Promise<void>((resolve, reject) =>
    socket.on('message', (data) => {
      const { type, message } = JSON.parse(String(data)) as { type: string; message?: string };
      if (type === 'hello.ack') resolve();
      if (type === 'error') reject(new Error(message));
    }),
  );
  await opened(socket);
  socket.send(JSON.stringify({ type: 'auth', token: server.gateway.grants.fileToken }));
  socket.send(JSON.stringify({ type: 'hello', protocolVersion: 2, session: 'a', ...hello }));
  await withTimeout(bound, WAIT_MS, 'hello');
  return socket;
}

async function timesOf(call: Call): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < CALLS; at++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

/** Calls a second with many under way. */
async function rateOf(call: Call): Promise<number> {
  const start = performance.now();
  let left = CALLS;
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      while (left-- > 0) await call();
    }),
  );
  return CALLS / (performance.now() - start);
}

const percentile = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? NaN;

export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tapline-bench-'));
  const server = await startGatewayServer({ port: 0, clock: systemClock, logger: nullLogger, version: 'bench', home });
  const owner = new OwnerClient({
    name: 'bench',
    find: async () => ({ url: server.url, token: server.gateway.grants.ownerSecret }),
    logger: nullLogger,
  });
  const session = owner.addSession({ sessionId: 'a', label: 'bench' });
  const registered = new Promise<void>((resolve) => owner.onEvent(({ event }) => event === 'tools/changed' && resolve()));
  await withTimeout(registered, WAIT_MS, 'registering the session');
  const bare = await relay();
  const provider = await bind(server, { name: 'bench', tools: [{ name: 'greet', parameters: object }] });
  answer(provider);
  const call = () => session.call('greet', { name: 'Alice' });

  await timesOf(bare.call); // both warm
  await timesOf(call);
  const [relayTimes, gatewayTimes] = [await timesOf(bare.call), await timesOf(call)];
  report('gateway: tool call there and back ÷ bare relay, median', percentile(gatewayTimes, 0.5) / percentile(relayTimes, 0.5));
  report('gateway: tool call there and back ÷ bare relay, p99', percentile(gatewayTimes, 0.99) / percentile(relayTimes, 0.99));
  const [relayRate, gatewayRate] = [await rateOf(bare.call), await rateOf(call)];
  report('gateway: calls a second ÷ bare relay', gatewayRate / relayRate);
  bare.close();
  provider.terminate();

  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const toolsOf = (at: number) =>
    Array.from({ length: TOOLS }, (_, tool) => ({ name: `p${at}_t${tool}`, description: 'a tool', parameters: object }));
  const providers: WebSocket[] = [];
  const start = performance.now();
  // One place of the fifty may still be held by the provider that has just gone.
  for (let at = 0; at < PROVIDERS - 1; at++) providers.push(await bind(server, { name: `p${at}`, tools: toolsOf(at) }));
  const registering = performance.now() - start;
  globalThis.gc?.();
  report(
    `gateway: registering ${PROVIDERS - 1} providers of ${TOOLS} tools, each ÷ one relayed call`,
    registering / providers.length / percentile(relayTimes, 0.5),
  );
  report(
    'gateway: memory of a provider of 100 tools (both ends), KiB',
    (process.memoryUsage().heapUsed - before) / providers.length / 1024,
  );

  for (const socket of providers) socket.terminate();
  owner.dispose();
  await server.close(0);
  rmSync(home, { recursive: true });
}

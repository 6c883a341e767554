/** A server to be measured, in a process of its own: a portal, or a bare server with the same library. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { AgentHostClient } from '../src/ahp/index.ts';
import { nullLogger } from '../src/base/log.ts';
import { DemoAgent } from '../src/host/agents/demo/demoAgent.ts';
import { startHostServer } from '../src/host/server/hostServer.ts';
import { PortalServer } from '../src/portal/http/portalServer.ts';
import { Portal } from '../src/portal/portal.ts';

export interface MeasuredServer {
  port: number;
  token: string;
}
/** Opens a queue of a job, or tells one more event in it. */
export type LiveOrder = { open: string } | { push: string };

async function bare(): Promise<MeasuredServer> {
  const app = new Hono();
  app.get('/api/test', (c) => c.json({ message: 'Hello, world!' }));
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, token: '' };
}

async function portal(): Promise<MeasuredServer> {
  const logger = nullLogger;
  const host = await startHostServer({ agents: [new DemoAgent({ logger })], logger });
  const client = await AgentHostClient.connect({ url: host.url, token: host.token });
  const opened = await Portal.open({ client, provider: 'demo', logger });
  const pagesFolder = join(import.meta.dirname, '../../dist/portal');
  const webviewsFolder = join(import.meta.dirname, '../../dist/webviews');
  const server = await PortalServer.listen({
    portal: opened,
    port: 0,
    languagesFolder: join(import.meta.dirname, '../../l10n'),
    pagesFolder,
    webviewsFolder,
    repoRoot: '/',
    onStop: () => undefined,
    logger,
  });
  process.on('message', (order: LiveOrder) => {
    if ('open' in order) opened.live.job.open(order.open);
    else opened.live.job.push(order.push, { callback: 'workStopped', workId: 0, succeeded: true });
  });
  return { port: server.port, token: server.token ?? '' };
}

// The measuring process has gone.
process.once('disconnect', () => process.exit());
process.send?.(await (process.argv[2] === 'portal' ? portal() : bare()));

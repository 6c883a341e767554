/** A page that stays open while its portal is killed and started again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Response } from 'playwright-core';
import { nullLogger } from '../../src/base/log.ts';
import { DemoAgent } from '../../src/host/agents/demo/demoAgent.ts';
import { startHostServer } from '../../src/host/server/hostServer.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { followJob } from '../support/followJob.ts';
import { type PrintingProcess, startPrintingProcess } from '../support/printingProcess.ts';

const script = join(import.meta.dirname, '../../dist/portal.cjs');

/** Answers to everything at the address of the portal like a portal, as far as it can, and hears all. */
async function impostorAt(port: number) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
      const answer = { run: 'r'.repeat(43), until: Date.now() + 3_600_000, proof: 'p'.repeat(43) };
      // Which has the page show again who it is.
      if (request.url?.startsWith('/api/')) response.statusCode = 401;
      if (request.method === 'POST') return response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
      return response.setHeader('Content-Type', 'text/html').end('<!doctype html><p>impostor</p>');
    });
  });
  server.on('upgrade', (request, socket) => {
    heard.push(`upgrade ${JSON.stringify(request.headers)}`);
    socket.destroy();
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { heard, close };
}

describe('a page of a portal that is killed and started again', function () {
  this.timeout(90_000);
  let browser: TakenChromium;
  let folder: string;
  let portal: PrintingProcess<{ url: string; token: string; page: string }> | undefined;

  const start = async (...more: string[]) => {
    portal = await startPrintingProcess('portal', script, ['--port', '0', '--agent', 'demo', '--data', join(folder, 'data'), ...more]);
    return portal.said;
  };
  const call = async (path: string, body = '') => {
    const { url, token } = portal?.said ?? assert.fail();
    const headers = { Authorization: `Bearer ${token}` };
    return (await (await fetch(`${url}/api/${path}`, { method: 'POST', body, headers })).json()) as Record<string, unknown>;
  };
  const open = async (address: string): Promise<Page> => {
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Tapline portal' }).waitFor();
    return page;
  };

  before(async () => {
    browser = await takeChromium();
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-portal-')));
  });
  afterEach(() => portal?.stop('SIGKILL'));
  after(async () => {
    await browser?.close();
    await portal?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('goes on by itself: the overview, and the session that is open', async () => {
    const { page: address, url } = await start();
    const overview = await open(address);
    const page = await open(address);
    const { sessionId } = await call('copilot/session/start/demo-fast', folder);
    await call(`copilot/session/${String(sessionId)}/query`, 'help');
    const session = page.frameLocator('iframe.page-frame');
    await page.evaluate((hash) => (location.hash = hash), `host=host&session=demo:/${String(sessionId)}`);
    await session.locator('#composer').waitFor();

    await portal?.stop('SIGKILL');
    await session.getByText('The portal cannot be reached.').waitFor();
    await overview.getByText('may be out of date').first().waitFor();

    assert.equal((await start()).url, url);
    await session.getByText('The portal cannot be reached.').waitFor({ state: 'hidden' });
    await overview.getByText('may be out of date').first().waitFor({ state: 'hidden' });
    await session.locator('#composer').fill('What is said after the restart');
    await session.locator('#composer').press('Enter');
    await session.locator('.turn', { hasText: 'What is said after the restart' }).waitFor();
    // What is new is told to a page that was there before.
    const { sessionId: later } = await call('copilot/session/start/demo-fast', folder);
    await call(`copilot/session/${String(later)}/query`, 'run ls');
    await overview
      .getByText(/needs? you/i)
      .first()
      .waitFor();
    await overview.waitForFunction(() => document.title.startsWith('(1)'));
  });

  it('shows a session that has ended at a host of others, read-only, also after a reload and a restart', async () => {
    const far = await startHostServer({ agents: [new DemoAgent({ logger: nullLogger })], logger: nullLogger });
    try {
      const [hosts, entry] = [join(folder, 'hosts.json'), join(folder, 'entry.json')];
      writeFileSync(hosts, JSON.stringify([{ name: 'far', url: far.url, token: far.token }]), { mode: 0o600 });
      const task = { model: { category: 'driving' }, prompt: ['help'], requireUserInput: false, host: 'far' };
      const jobs = { talk: { work: { kind: 'Ref', taskId: 'talk' } } };
      const rest = { models: { driving: 'demo-fast' }, promptVariables: {}, grid: [], hosts: { far: { folder } } };
      writeFileSync(entry, JSON.stringify({ ...rest, tasks: { talk: task }, jobs }));
      const more = ['--hosts', hosts, '--entry', entry];
      const { page: address, url, token } = await start(...more);
      const { jobId } = await call('copilot/job/start/talk', folder);
      await followJob({ url, token }, String(jobId), () => undefined);

      const page = await open(address);
      await page.evaluate((id) => (location.hash = `#/run/${id}`), String(jobId));
      await page.getByRole('listbox').getByRole('option', { name: /^talk/ }).click();
      await page.getByRole('button', { name: 'Show the session' }).click();
      const session = page.frameLocator('iframe.page-frame');
      const isShown = async () => {
        await session.locator('.turn .user-message', { hasText: 'help' }).waitFor();
        await session.getByText('work in this session has ended').first().waitFor();
        assert.equal(await session.locator('#composer').getAttribute('readonly'), '');
        assert.equal(await session.locator('.title-button').count(), 0);
        await session.getByText('The portal cannot be reached.').waitFor({ state: 'hidden' });
      };
      await isShown();
      await page.reload();
      await isShown();
      await portal?.stop('SIGKILL');
      await session.getByText('The portal cannot be reached.').waitFor();
      await start(...more);
      await isShown();
      await page.reload();
      await isShown();
    } finally {
      await portal?.stop('SIGKILL');
      await far.close();
    }
  });

  it('says what to do when the portal has another token, and goes on once its address was opened in that browser', async () => {
    const { page: address } = await start();
    const page = await open(address);
    const { sessionId } = await call('copilot/session/start/demo-fast', folder);
    await page.evaluate((hash) => (location.hash = hash), `host=host&session=demo:/${String(sessionId)}`);
    const session = page.frameLocator('iframe.page-frame');
    await session.locator('#composer').waitFor();
    await portal?.stop('SIGKILL');
    const { page: next } = await start('--new-token');
    await session.getByText('Open the address that it printed').waitFor();
    const other = await page.context().newPage();
    await other.goto(next);
    await other.getByRole('heading', { name: 'Tapline portal' }).waitFor();
    await session.getByText('Open the address that it printed').waitFor({ state: 'hidden' });
    await page.getByText('may be out of date').first().waitFor({ state: 'hidden' });
  });

  it('tells who has taken the address meanwhile nothing that is good for anything, and goes on after that', async () => {
    const { page: address, url, token } = await start();
    const page = await open(address);
    const sent: string[] = [];
    page.on('request', (request) => void request.allHeaders().then(({ authorization }) => authorization && sent.push(authorization)));
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.waitForRequest(/\/api\/copilot\/job\/runs/);
    assert.deepEqual(await page.context().cookies(), []);
    await portal?.stop('SIGKILL');
    await page.getByText('may be out of date').first().waitFor();

    const impostor = await impostorAt(Number(new URL(url).port));
    try {
      await page.waitForResponse((response) => response.url().endsWith('/page-session'));
      // Also what it serves itself, at the address of the page.
      const visit = await page.context().newPage();
      await visit.goto(url);
      await visit.getByText('impostor').waitFor();
      const taken = await visit.evaluate(async () => {
        const request = indexedDB.open('tapline-portal');
        await new Promise((resolve) => (request.onsuccess = resolve));
        const reading = request.result.transaction('keys').objectStore('keys').get('page') as IDBRequest<CryptoKey>;
        await new Promise((resolve) => (reading.onsuccess = resolve));
        const raw = await crypto.subtle.exportKey('raw', reading.result).catch((error: Error) => error.name);
        return { raw, stored: JSON.stringify({ ...localStorage, ...sessionStorage }), cookie: document.cookie };
      });
      assert.equal(taken.raw, 'InvalidAccessError');
      assert.ok(!taken.stored.includes(token) && taken.cookie === '');
      await visit.close();
    } finally {
      await impostor.close();
    }
    assert.ok(impostor.heard.length > 0 && sent.length > 0);
    assert.deepEqual(
      impostor.heard.filter((text) => text.includes(token) || text.includes('"cookie"')),
      [],
    );

    assert.equal((await start()).url, url);
    const status = async (Authorization: string) => (await fetch(`${url}/api/config`, { headers: { Authorization } })).status;
    const heard = impostor.heard.flatMap((text) => text.match(/Tapline-Page [\w.-]+/) ?? []);
    for (const stolen of new Set([...sent, ...heard])) assert.equal(await status(stolen), 401);
    await page.getByText('may be out of date').first().waitFor({ state: 'hidden' });
    const isRead = (response: Response) => response.url().endsWith('/api/copilot/job/runs') && response.status() === 200;
    await Promise.all([page.waitForResponse(isRead), page.reload()]);
  });
});

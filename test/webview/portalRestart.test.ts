/** A page that stays open while its portal is killed and started again. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { type PrintingProcess, startPrintingProcess } from '../support/printingProcess.ts';

const script = join(import.meta.dirname, '../../dist/portal.cjs');

describe('a page of a portal that is killed and started again', function () {
  this.timeout(90_000);
  let browser: Browser;
  let folder: string;
  let portal: PrintingProcess<{ url: string; token: string; page: string }> | undefined;

  const start = async () => {
    portal = await startPrintingProcess('portal', script, ['--port', '0', '--agent', 'demo', '--data', join(folder, 'data')]);
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
    browser = await launchChromium();
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-portal-')));
  });
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
});

/** The page that the extension gives to copy, in a real browser, served alone on an origin of its own. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readyMade } from '../../src/extension/providers/readyMade.ts';
import { TestOwner } from '../integration/gateway/gatewayHarness.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts';

const dist = join(import.meta.dirname, '../../dist');
const WAIT_MS = 15_000;

describe('the page that was copied from the extension', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  let browser: TakenChromium;
  let server: Server;
  before(async () => {
    home = new GatewayHome();
    [gateway, browser] = await Promise.all([startGatewayProcess(home), takeChromium()]);
    owner = await TestOwner.of(gateway);
    const text = await readyMade('browser', { dist, home: home.folder, gatewayUrl: gateway.url });
    server = createServer((request, response) => {
      if (request.url !== '/provider.html') return void response.writeHead(404).end();
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    owner?.dispose();
    await gateway?.stop();
    home.remove();
  });

  it('pairs with the code, and its tool answers', async () => {
    const session = await owner.session('a');
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/provider.html`);
    await page.getByRole('button', { name: 'Connect' }).click();
    const { code } = await owner.next('pairing/started', undefined, WAIT_MS);
    await page.locator('#code').fill(code);
    await page.getByRole('button', { name: 'Pair' }).click();
    await page.getByRole('status').filter({ hasText: 'bound' }).waitFor();
    assert.deepEqual(await session.call('page_title', {}), { ok: true, data: 'A page that lends its tools' });
  });
});

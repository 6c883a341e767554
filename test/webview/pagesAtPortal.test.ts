/** The pages at a portal, over their WebSockets. */
import assert from 'node:assert/strict';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import type { AgentHostClient } from '../../src/ahp/index.ts';
import { sessionQuery } from '../../src/views/portal/pageWire.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { launchChromium } from '../support/chromium.ts';
import { pageCases } from '../support/pageCases.ts';

describe('at a portal', function () {
  this.timeout(60_000);
  let browser: Browser;
  let test: TestPortal;
  let other: AgentHostClient;
  let page: Page;
  const problems: string[] = [];
  /** Those of the pages, which can be cut, and are refused while `isCut`. */
  const sockets = new Set<WebSocketRoute>();
  let isCut = false;

  before(async () => {
    browser = await launchChromium();
    test = await TestPortal.start({ provider: 'demo' });
    other = await test.connect();
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.routeWebSocket(/\/socket/, (socket) => {
      if (isCut) return void socket.close({ code: 1012 });
      socket.connectToServer();
      sockets.add(socket);
    });
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
    await page.getByRole('heading', { name: 'Tapline portal' }).waitFor();
  });
  after(async () => {
    await browser?.close();
    other?.close();
    await test?.close();
  });
  afterEach(() => assert.deepEqual(problems.splice(0), [], 'no error, and nothing against the policy of the page'));

  const frame = () => page.frameLocator('iframe.page-frame');
  const go = (hash: string) => page.evaluate((to) => (location.hash = to), hash);

  pageCases(() => ({
    ...{ folder: test.folder, other, session: frame() },
    show: async ({ uri }) => void (await go(sessionQuery({ hostId: 'host', uri }))),
    async inbox() {
      await go('#/needs-you/all');
      return frame();
    },
    async typeIntoTerminal(line) {
      const field = frame().getByRole('textbox', { name: /^Type into the terminal/ });
      await field.fill(line);
      await field.press('Enter');
    },
    async cut() {
      isCut = true;
      const open = [...sockets];
      sockets.clear();
      for (const socket of open) await socket.close({ code: 1012 });
      await frame().getByText('The portal cannot be reached.').waitFor();
    },
    async restore() {
      isCut = false;
      await frame().getByText('The portal cannot be reached.').waitFor({ state: 'detached' });
    },
  }));
});

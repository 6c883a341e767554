/** The pages at a portal, over their WebSockets. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { AgentHostClient } from '../../src/ahp/index.ts';
import { sessionQuery } from '../../src/views/portal/wire/pageWire.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { pageCases } from '../support/pageCases.ts';
import { PortalPages } from '../support/portalPages.ts';

describe('at a portal', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let other: AgentHostClient;
  let page: Page;
  let pages: PortalPages;

  before(async () => {
    browser = await takeChromium();
    test = await TestPortal.start({ provider: 'demo' });
    other = await test.connect();
    pages = new PortalPages(browser, test);
    page = await pages.open(1100, 900);
  });
  after(async () => {
    await browser?.close();
    other?.close();
    await test?.close();
  });
  afterEach(() => assert.deepEqual(pages.problems.splice(0), [], 'no error, and nothing against the policy of the page'));

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
      await pages.cut();
      await frame().getByText('The portal cannot be reached.').waitFor();
    },
    async restore() {
      pages.restore();
      await frame().getByText('The portal cannot be reached.').waitFor({ state: 'detached' });
    },
  }));
});

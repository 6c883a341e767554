/** A page in a real browser pairs by the code in the status bar, and lends its tools to a session in the workbench. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { earlyTimeouts } from '../support/earlyTimeout.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';
import { Time } from '../../src/tap/wire/limits.ts';

const root = join(import.meta.dirname, '../..');
const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' };

describe('pairing a page, in the workbench', function () {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let home: GatewayHome;
  let gateway: GatewayProcess;
  const servers: Server[] = [];
  const pages: Page[] = [];

  before(async () => {
    tapline = await takeTapline();
    home = new GatewayHome();
    // The window takes the gateway that runs. Of this one the test can say when two minutes are over.
    const env = { ...earlyTimeouts(home.folder, Time.pairingMs), TAPLINE_HOME: join(dirname(tapline.workspace), 'home') };
    gateway = await startGatewayProcess(home, undefined, env);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.locator('#composer:focus').waitFor();
    // For a newcomer this is out of sight.
    await workbench.run('Tapline: Show Providers');
    await workbench.session.locator('.header-facts', { hasText: 'tools lent' }).waitFor();
  });
  after(async () => {
    for (const page of pages) await page.context().close();
    await workbench?.close();
    await gateway?.stop();
    await tapline?.stop();
    for (const server of servers) server.close();
    home?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-pairing-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  /** The example page on an origin of its own: a site may ask for two codes a minute. */
  async function serve(): Promise<string> {
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '', 'http://page').pathname;
      if (!/^\/(?:examples\/providers\/browser\.html|dist\/lib\/providerBrowser\.js)$/.test(path))
        return void response.writeHead(404).end();
      response.writeHead(200, { 'Content-Type': types[path.split('.').at(-1) ?? ''] }).end(readFileSync(join(root, path)));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  /** In a tab that knows no token. */
  async function ask(origin: string): Promise<Page> {
    const page = await (await tapline.browser.newContext()).newPage();
    pages.push(page);
    await page.goto(`${origin}/examples/providers/browser.html?gateway=${gateway.url}`);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Enter the pairing code').waitFor();
    return page;
  }
  const item = ({ page: of } = workbench) => of.locator('.statusbar-item', { has: of.locator('.codicon-key') });
  const codeCard = ({ session } = workbench) => session.locator('.pairing-card');
  const codeOf = (text: string) => /(\d{6}) · (\S+) · [12]:\d\d/.exec(text)?.[1];
  const card = () => workbench.session.locator('.waiting-card');
  /** Says what the page shows where it is not bound. */
  const bound = async () => {
    try {
      await page.getByRole('status').getByText('bound', { exact: true }).waitFor();
    } catch (error) {
      throw new Error(`The page is not bound, and shows: ${await page.locator('body').innerText()}`, { cause: error });
    }
  };
  const idle = () => workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
  const gone = (locator: Locator) => locator.waitFor({ state: 'detached' });
  const send = async (text: string) => {
    await workbench.session.getByRole('textbox', { name: 'Message' }).fill(text);
    await workbench.session.getByRole('textbox', { name: 'Message' }).press('Enter');
  };
  /** The agent is told of new tools a moment after the window has them. */
  const call = async (origin: string) => {
    const missing = workbench.session.getByText('There is no tool');
    for (let attempt = 0; attempt < 5 && (await card().count()) === 0; attempt++) {
      const before = await missing.count();
      await send('client page_title');
      await Promise.race([card().waitFor(), missing.nth(before).waitFor()]);
      if ((await card().count()) === 0) await idle();
    }
    // Not there at once when the call was made while the page was being loaded again.
    await card().locator('.runner').getByText(`Tool of page · paired, ${origin}`, { exact: true }).waitFor();
    await card().getByRole('button', { name: 'Approve' }).click();
    await idle();
  };

  let origin: string;
  let code: string | undefined;
  let page: Page;

  it('shows the code with the origin, and takes it away once it is used', async () => {
    origin = await serve();
    page = await ask(origin);
    const text = await item().innerText();
    code = codeOf(text);
    assert.ok(code && text.includes(` · ${origin} · `), text);
    assert.equal(
      await item().locator('a').getAttribute('aria-label'),
      `Pairing code ${[...code].join(' ')} for the page ${origin}. Activate to copy or deny it.`,
    );
    await codeCard().getByText(code).waitFor();
    await workbench.shot('pairing-1-code');
    await item().click();
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: `Copy Code ${code}` }).waitFor();
    await workbench.shot('pairing-2-choices');
    await workbench.choose('Copy Code');
    await workbench.page.locator('.statusbar-item', { hasText: 'Copied the code' }).waitFor();
    await page.locator('#code').fill(code);
    await page.getByRole('button', { name: 'Pair' }).click();
    await bound();
    await gone(item());
    await gone(codeCard());
  });

  it('lets the page’s tools be called once the user has seen them, each call with its origin', async () => {
    // It comes by itself, with all tools of the page and the code that it was given.
    const question = workbench.page.locator('.notification-toast', {
      hasText: 'Allow the 3 new tools of “page”, as the document shows them?',
    });
    await question.waitFor();
    await workbench.page.locator('.tab.active', { hasText: 'Tools of page' }).waitFor();
    const shown = workbench.page.locator('.editor-instance .view-lines');
    for (const said of [
      `trust: paired, ${origin}`,
      `you have paired it with the code ${code}`,
      'tool 3 of 3 "page_highlight"',
      '"selector"',
    ])
      await shown.getByText(said).first().waitFor();
    await workbench.shot('pairing-3-allow');
    await workbench.session.locator('.header-facts', { hasText: '3 left out' }).waitFor();
    await question.getByRole('button', { name: 'Choose…' }).click();
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'page_title' }).click();
    await workbench.page.keyboard.press('Enter');
    await workbench.session.locator('.header-facts', { hasText: '2 left out' }).waitFor();
    await call(origin);
    await workbench.session.locator('.transcript', { hasText: 'A page that lends its tools' }).waitFor();
    await workbench.session.locator('.runner-chip').getByText('page', { exact: true }).waitFor();
    assert.equal(await workbench.session.locator('.runner-chip').count(), 1);
    await workbench.shot('pairing-3-called');
  });

  it('knows the page by its token when it is loaded again', async () => {
    await page.reload();
    await bound();
    await call(origin);
    await workbench.session.locator('.tool-call .runner-chip').nth(1).waitFor();
    assert.equal(await item().count(), 0);
  });

  it('marks the turn that the page has started', async () => {
    await page.getByLabel('Tell the session').fill('look at the title');
    await page.getByRole('button', { name: 'Tell' }).click();
    const message = workbench.session.locator('.provider-message');
    await message.waitFor();
    assert.match((await message.innerText()).replace(/\s+/g, ' '), /Sent by the provider page, not by you look at the title/);
    await workbench.session.locator('.timeline-row', { hasText: 'Starts a turn' }).waitFor();
    await workbench.shot('pairing-4-event');
  });

  it('takes the code away from every window with a session when it is denied in one, and tells the page', async () => {
    const second = await Workbench.open(tapline);
    try {
      await second.openTapline();
      await second.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
      const other = await ask(origin);
      await item().waitFor();
      assert.equal(await item(second).count(), 0, 'a window without a session');
      await second.run('Tapline: Start a Demo Session');
      await item(second).waitFor();
      assert.equal(codeOf(await item(second).innerText()), codeOf(await item().innerText()));
      await workbench.run('Tapline: Deny Pairing');
      for (const window of [workbench, second]) {
        await gone(item(window));
        await gone(codeCard(window));
      }
      await other.getByRole('status').getByText('closed', { exact: true }).waitFor();
    } finally {
      await second.close();
    }
  });

  it('takes the code away when it expires', async () => {
    await ask(await serve());
    await item().waitFor();
    process.kill(gateway.pid, 'SIGUSR2');
    await gone(item());
    await gone(codeCard());
  });
});

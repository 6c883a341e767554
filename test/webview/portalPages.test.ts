/** The pages of VS Code's views at a portal, in a real browser: what only a shell over a WebSocket does. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { violationsOf } from './violationsOf.ts';

const pictures = join(import.meta.dirname, '../../artifacts/webview');

describe('a page of VS Code’s views at a portal', function () {
  this.timeout(60_000);
  let browser: Browser;
  let test: TestPortal;
  let page: Page;
  const problems: string[] = [];
  /** Those of the page, which can be cut, and are refused while `isCut`. */
  const sockets = new Set<WebSocketRoute>();
  let isCut = false;

  before(async () => {
    browser = await launchChromium();
    test = await TestPortal.start({ provider: 'demo' });
    page = await open(1100, 900);
  });
  after(async () => {
    await browser?.close();
    await test?.close();
  });
  afterEach(() => assert.deepEqual(problems.splice(0), [], 'no error, and nothing against the policy of the page'));

  async function open(width: number, height: number): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
    const one = await context.newPage();
    one.setDefaultTimeout(15_000);
    one.on('pageerror', (error) => problems.push(error.message));
    one.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await one.routeWebSocket(/\/socket/, (socket) => {
      if (isCut) return void socket.close({ code: 1012 });
      socket.connectToServer();
      sockets.add(socket);
    });
    await one.goto(`${test.server.url}/?token=${test.server.token}`);
    await one.getByRole('heading', { name: 'Tapline portal' }).waitFor();
    return one;
  }
  /** A session of the portal in which this was said, at its page. */
  async function say(text: string): Promise<string> {
    const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
    const id = String(sessionId);
    if (text !== '') assert.deepEqual(await test.call(`copilot/session/${id}/query`, text), {});
    await show(id);
    return id;
  }
  const show = async (id: string) => {
    await page.evaluate((hash) => (location.hash = hash), `host=host&session=demo:/${id}`);
    await composer().waitFor();
  };
  const view = () => page.frameLocator('iframe.page-frame');
  const composer = () => view().locator('#composer');
  const approve = async (name: string) => {
    await view().locator('.waiting-card vscode-button:not([aria-disabled])', { hasText: name }).waitFor();
    await view().locator('.waiting-card').getByRole('button', { name, exact: true }).press('Enter');
  };
  const shot = async (name: string, of = page) => {
    mkdirSync(pictures, { recursive: true });
    await of.screenshot({ path: join(pictures, `portal-page-${name}.png`) });
  };
  const cut = async () => {
    isCut = true;
    const open = [...sockets];
    sockets.clear();
    for (const socket of open) await socket.close({ code: 1012 });
    await view().getByText('The portal cannot be reached.').waitFor();
  };

  it('shows the difference that an edit makes, and lets it be applied', async () => {
    await say('edit');
    await view().locator('.waiting-card').getByText('A line of the demo agent.').first().waitFor();
    assert.equal(
      await view()
        .getByRole('button', { name: /^Open diff/ })
        .count(),
      0,
      'a browser has no diff editor',
    );
    assert.equal(await view().getByRole('button', { name: 'Attach files' }).count(), 0);
    await shot('edit');
    await approve('Apply the edit');
    await view().locator('.waiting-card').waitFor({ state: 'detached' });
    await view().getByText('notes.md').last().waitFor();
    assert.match(readFileSync(join(test.folder, 'notes.md'), 'utf8'), /A line of the demo agent/);
  });

  it('types into a terminal', async () => {
    await say('run read word; echo "got $word"');
    await approve('Run once');
    const field = view().getByRole('textbox', { name: /^Type into the terminal/ });
    await field.fill('hello');
    await field.press('Enter');
    // The agent quotes what the command has printed.
    await view().locator('pre', { hasText: 'got hello' }).first().waitFor();
    await field.waitFor({ state: 'detached' });
    await shot('terminal');
  });

  it('shows after a reload what the user has said and what was written and not sent', async () => {
    const id = await say('stream 1');
    await view().getByRole('heading', { name: 'Section 1 of 1' }).waitFor();
    await composer().fill('not sent yet');
    // However the same session is opened.
    await page.evaluate((hash) => (location.hash = hash), `host=host&session=demo:/${id}&card=1`);
    await page.reload();
    await view().getByRole('heading', { name: 'Section 1 of 1' }).waitFor();
    await view().locator('.user-message, .user-card').getByText('stream 1', { exact: true }).first().waitFor();
    assert.equal(await composer().inputValue(), 'not sent yet');
  });

  it('shows a session that has ended for the portal, and leads to it from the list', async () => {
    const id = await say('help');
    await view().getByText('There is no model behind me').first().waitFor();
    await page.getByRole('button', { name: 'Stop the session' }).click();
    await page.getByText('The portal does not run this session, or not any more.').waitFor();
    assert.equal(test.portal.sessions.get(id), undefined);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('Other sessions of the host').click();
    await page.getByRole('list', { name: 'Other sessions of the host' }).getByRole('link', { name: 'help' }).first().click();
    await view().getByText('There is no model behind me').first().waitFor();
  });

  it('sends what was done while the connection was cut, once, and shows what it showed', async () => {
    await say('help');
    await view().getByText('There is no model behind me').first().waitFor();
    await cut();
    await composer().fill('stream 2');
    await composer().press('Enter');
    isCut = false;
    await view().getByRole('heading', { name: 'Section 2 of 2' }).waitFor();
    await view().getByText('The portal cannot be reached.').waitFor({ state: 'detached' });
    assert.equal(await view().getByRole('heading', { name: 'Section 2 of 2' }).count(), 1);
    assert.equal(await view().getByText('There is no model behind me').count(), 1);
  });

  it('gives back what was said while the connection was cut, when the page is left before it is there again', async () => {
    await say('help');
    await view().getByText('There is no model behind me').first().waitFor();
    await cut();
    await composer().fill('said in vain');
    await composer().press('Enter');
    await page.getByRole('link', { name: 'Runs' }).click();
    // Until then it could still reach the portal, and send what it has.
    await page.locator('.page-frame').waitFor({ state: 'detached' });
    isCut = false;
    await page.goBack();
    // The draft is that of the chat, which comes after the session.
    await page.waitForFunction(() => {
      const frame = document.querySelector<HTMLIFrameElement>('iframe.page-frame');
      return frame?.contentDocument?.querySelector<HTMLTextAreaElement>('#composer')?.value === 'said in vain';
    });
  });

  it('has room on a narrow screen, and no violation of accessibility', async () => {
    const id = await say('edit');
    const narrow = await open(320, 640);
    for (const hash of [`host=host&session=demo:/${id}&card=1`, 'needs-you']) {
      await narrow.evaluate((one) => (location.hash = one), hash);
      const frame = narrow.frameLocator('iframe.page-frame');
      await frame.locator('.waiting-card').first().waitFor();
      await shot(`narrow-${hash.slice(0, 5)}`, narrow);
      const width = await frame.locator('html').evaluate((html) => html.scrollWidth);
      assert.ok(width <= 320, `${hash}: ${width}`);
      assert.deepEqual(await violationsOf(narrow), [], hash);
    }
    await narrow.context().close();
  });
});

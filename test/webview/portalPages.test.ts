/** The pages of VS Code's views at a portal, in a real browser: what only a shell over a WebSocket does. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { giveBytes, largePhoto } from '../support/photos.ts';
import { PortalPages } from '../support/portalPages.ts';
import { violationsOf } from './violationsOf.ts';

const pictures = join(import.meta.dirname, '../../artifacts/webview');

describe('a page of VS Code’s views at a portal', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  let pages: PortalPages;

  before(async () => {
    browser = await takeChromium();
    test = await TestPortal.start({ provider: 'demo' });
    pages = new PortalPages(browser, test);
    page = await pages.open(1100, 900);
  });
  after(async () => {
    await browser?.close();
    await test?.close();
  });
  afterEach(() => assert.deepEqual(pages.problems.splice(0), [], 'no error, and nothing against the policy of the page'));

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
  const lines = () => {
    const path = join(test.folder, 'notes.md');
    return existsSync(path) ? (readFileSync(path, 'utf8').match(/A line of the demo agent/g) ?? []).length : 0;
  };
  const shot = async (name: string, of = page) => {
    mkdirSync(pictures, { recursive: true });
    await of.screenshot({ path: join(pictures, `portal-page-${name}.png`) });
  };
  const cut = async () => {
    await pages.cut();
    await view().getByText('The portal cannot be reached.').waitFor();
  };

  it('goes back in a session after a question, with the files that it changed', async () => {
    await say('edit');
    await approve('Apply the edit');
    await view().locator('.waiting-card').waitFor({ state: 'detached' });
    await view().getByText('notes.md').last().waitFor();
    const back = view().getByRole('button', { name: 'Go back to before this message' });
    const dialog = view().getByRole('dialog');
    // Until the turn is over it would be stopped, and its edit may not be written.
    await view().locator('.send-button[aria-label="Stop"]').waitFor({ state: 'detached' });
    const had = lines();
    await back.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('It changed 1 file').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await shot('go-back');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(lines(), had, 'Enter changes nothing');
    await back.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await back.focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: /^Undo the Changes/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await view().locator('.user-message').waitFor({ state: 'detached' });
    assert.equal(await composer().inputValue(), 'edit');
    assert.equal(lines(), had - 1);
  });

  it('leaves a question with the connection that it was asked over', async () => {
    await say('stream 1');
    await view().getByRole('heading', { name: 'Section 1 of 1' }).waitFor();
    await view().locator('.send-button[aria-label="Stop"]').waitFor({ state: 'detached' });
    const back = view().getByRole('button', { name: 'Go back to before this message' });
    await back.focus();
    await page.keyboard.press('Enter');
    await view().getByRole('dialog').waitFor();
    await cut();
    await view().getByRole('dialog').waitFor({ state: 'detached' });
    await view().getByRole('alert').getByText('The connection was cut before there was an answer.').waitFor();
    pages.restore();
    await view().getByText('The portal cannot be reached.').waitFor({ state: 'detached' });
    assert.equal(await view().locator('.user-message').count(), 1);
    await back.focus();
    await page.keyboard.press('Enter');
    await view().getByRole('dialog').getByRole('button', { name: 'Go Back' }).click();
    await view().locator('.user-message').waitFor({ state: 'detached' });
    assert.equal(await composer().inputValue(), 'stream 1');
  });

  it('attaches files of the user’s own computer: picked, dropped and pasted', async () => {
    await say('');
    const buffer = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const picking = page.waitForEvent('filechooser');
    await view().getByRole('button', { name: 'Attach files' }).click();
    await (
      await picking
    ).setFiles([
      { name: 'a.py', mimeType: 'text/x-python', buffer: Buffer.from('x = 1\n') },
      { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff]) },
      { name: 'dot.png', mimeType: 'image/png', buffer },
    ]);
    const chips = view().getByRole('list', { name: 'Attachments' }).last().getByRole('listitem');
    await view().getByRole('alert').getByText('“a.zip” was not attached: here only texts').waitFor();
    await view()
      .locator('.transcript')
      .evaluate((area) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['two'], 'b.txt', { type: 'text/plain' }));
        // As a browser says where an image of a page is from.
        dataTransfer.setData('text/uri-list', 'https://example.com/b.txt');
        area.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
      });
    await composer().evaluate((area) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['three'], 'c.txt', { type: 'text/plain' }));
      area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    });
    await chips.nth(3).waitFor();
    assert.deepEqual(await chips.allInnerTexts(), ['a.py', 'dot.png', 'b.txt', 'c.txt']);
    await shot('attached');
    await composer().fill('help');
    await composer().press('Enter');
    await view().locator('.user-message .chip img').waitFor();
    assert.deepEqual(await view().locator('.user-message .chip').allInnerTexts(), ['a.py', 'dot.png', 'b.txt', 'c.txt']);
    assert.equal(await composer().inputValue(), '');
  });

  it('makes photos smaller that are too large: picked, dropped and pasted', async () => {
    await say('');
    const photo = await largePhoto(page);
    const buffer = Buffer.from(photo, 'base64');
    assert.ok(buffer.length > 2_000_000);
    const picking = page.waitForEvent('filechooser');
    await view().getByRole('button', { name: 'Attach files' }).click();
    await (await picking).setFiles([{ name: 'picked.jpg', mimeType: 'image/jpeg', buffer }]);
    await giveBytes(view().locator('.transcript'), 'drop', [{ name: 'dropped.jpg', type: 'image/jpeg', data: photo }]);
    await giveBytes(composer(), 'paste', [
      { name: 'pasted.jpg', type: 'image/jpeg', data: photo },
      { name: 'broken.jpg', type: 'image/jpeg', data: Buffer.alloc(2_100_000).toString('base64') },
    ]);
    const broken = '“broken.jpg” was not attached: it is too large, and could not be read to make it smaller.';
    await view().getByRole('alert').getByText(broken).waitFor();
    await composer().fill('help');
    await composer().press('Enter');
    await view().locator('.user-message .chip img').nth(2).waitFor();
    const sizes = await view()
      .locator('.user-message .chip img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalHeight > (one as HTMLImageElement).naturalWidth));
    assert.deepEqual(sizes, [true, true, true]);
    assert.deepEqual(
      await view().locator('.user-message .chip').allInnerTexts(),
      ['picked.jpg', 'dropped.jpg', 'pasted.jpg'].map((name) => `${name} (made smaller)`),
    );
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

  it('gives back what was said while the connection was cut, when the page is left before it is there again', async () => {
    await say('help');
    await view().getByText('There is no model behind me').first().waitFor();
    await cut();
    await composer().fill('said in vain');
    await composer().press('Enter');
    await page.getByRole('link', { name: 'Runs' }).click();
    // Until then it could still reach the portal, and send what it has.
    await page.locator('.page-frame').waitFor({ state: 'detached' });
    pages.restore();
    await page.goBack();
    // The draft is that of the chat, which comes after the session.
    await page.waitForFunction(() => {
      const frame = document.querySelector<HTMLIFrameElement>('iframe.page-frame');
      return frame?.contentDocument?.querySelector<HTMLTextAreaElement>('#composer')?.value === 'said in vain';
    });
  });

  it('has room on a narrow screen, and no violation of accessibility', async () => {
    const id = await say('edit');
    const narrow = await pages.open(320, 640);
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

  for (const width of [320, 420])
    it(`says the title of a session once above what was said in it, ${width} wide`, async () => {
      const title = 'help me to name the days of the week';
      const id = await say(title);
      const narrow = await pages.open(width, 640);
      await narrow.evaluate((one) => (location.hash = one), `host=host&session=demo:/${id}`);
      const ofPage = narrow.frameLocator('iframe.page-frame').getByRole('heading', { name: title });
      await ofPage.waitFor();
      const own = narrow.getByRole('heading', { name: title });
      await own.waitFor({ state: 'attached' });
      const isDrawn = (one: Element) => one.getBoundingClientRect().width > 1;
      assert.deepEqual([await own.evaluate(isDrawn), await ofPage.evaluate(isDrawn)], [false, true]);
      await shot(`title-${width}`, narrow);
      await narrow.setViewportSize({ width: 1000, height: 640 });
      await narrow.waitForFunction(() => document.querySelector('.detail-head h2:not(.visually-hidden)'));
      await narrow.context().close();
    });
});

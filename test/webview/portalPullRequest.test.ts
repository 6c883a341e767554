/** The pull request of a run, on the portal's page. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { FakeForge } from '../fakes/fakeForge.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import type { TestPortal } from '../integration/portal/portalHarness.ts';
import { ranWork, startResultPortal } from '../integration/portal/resultHarness.ts';
import { violationsOf } from './violationsOf.ts';

describe('the pull request of a run on the page of the portal', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let forge: FakeForge;
  let page: Page;
  const problems: string[] = [];

  before(async () => {
    browser = await takeChromium();
    forge = FakeForge.make();
    test = await startResultPortal({ edit: ['write a.txt ONE\\n'] });
    page = await (await browser.newContext({ viewport: { width: 1100, height: 900 } })).newPage();
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
    const jobId = await ranWork(test, forge.folder);
    await page.evaluate((id) => (location.hash = `#/run/${id}`), jobId);
  });
  after(async () => {
    await browser?.close();
    await test?.close();
    forge?.remove();
  });
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  const result = () => page.getByRole('region', { name: 'Result', exact: true });
  const opening = () => page.getByRole('button', { name: 'Open a pull request…' });
  const form = () => page.getByRole('form', { name: 'Open a pull request' });
  const pushed = () => page.getByRole('group', { name: 'What was pushed' });

  it('is offered once there is a branch, and shows what goes where', async () => {
    await page.getByRole('button', { name: 'Commit on a branch…' }).click();
    assert.equal(await opening().count(), 0);
    await page.getByRole('textbox', { name: 'Branch' }).fill('night');
    await page.getByRole('button', { name: 'Commit', exact: true }).click();
    await opening().click();
    await form().and(page.locator(':focus')).waitFor();
    const text = await form().innerText();
    assert.ok(text.includes(`to the branch night of ${forge.bare}, and never over what is there`), text);
    assert.ok(text.includes('whose own hooks are run'), text);
    assert.ok(text.includes('gh, the program that opens pull requests, is not installed'), text);
    assert.match(await form().getByRole('list').innerText(), /^[\da-f]+ Work$/);
    assert.equal(await form().getByRole('textbox').count(), 0);
    assert.deepEqual(await violationsOf(page), []);
    await form().getByRole('button', { name: 'Leave it' }).click();
    await opening().and(page.locator(':focus')).waitFor();
    assert.equal(forge.heads(), 'main');
  });

  it('can be stopped, and says what the remote refuses', async () => {
    const hook = join(forge.bare, 'hooks/pre-receive');
    writeFileSync(hook, '#!/bin/sh\nsleep 600\n', { mode: 0o755 });
    await opening().click();
    await form().getByRole('button', { name: 'Push' }).click();
    await form().getByRole('button', { name: 'Stop' }).click();
    await result().getByText('It was stopped. It is not known what the remote has got.').waitFor();
    writeFileSync(hook, '#!/bin/sh\necho "Not on a Friday <b>x</b>"\nexit 1\n', { mode: 0o755 });
    await form().getByRole('button', { name: 'Push' }).click();
    await result()
      .getByText(/remote: Not on a Friday <b>x<\/b>/)
      .waitFor();
    rmSync(hook);
    assert.equal(forge.heads(), 'main');
  });

  it('is pushed, and opened where the remote says', async () => {
    await form().getByRole('button', { name: 'Push' }).click();
    const link = pushed().getByRole('link', { name: 'Open a pull request there' });
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), 'https://forge.example/me/shop/pull/new/night');
    assert.deepEqual([await link.getAttribute('target'), await link.getAttribute('rel')], ['_blank', 'noopener noreferrer']);
    await pushed()
      .getByText(/^Pushed \w+ to the branch night of/)
      .and(page.locator(':focus'))
      .waitFor();
    await pushed().getByText('What Git said').click();
    await pushed()
      .getByText(/remote: Create a pull request for it by visiting:/)
      .waitFor();
    assert.deepEqual(await violationsOf(page), []);
    assert.equal(forge.heads(), 'main\nnight');
    const deeds = page.getByRole('list', { name: 'What people did' });
    await deeds.getByText('The portal’s page committed').waitFor();
    await deeds.getByText('The portal’s page pushed the branch night to').waitFor();
  });

  it('is opened by gh with the words of the user, by keyboard alone', async () => {
    forge.addGh();
    await opening().focus();
    await page.keyboard.press('Enter');
    await form().getByLabel('Open a pull request in forge.example/me/shop with gh').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await form().getByLabel('Description').fill('All of the night');
    await form().getByLabel('Title').fill('What the night has done');
    await page.keyboard.press('Enter');
    const link = pushed().getByRole('link', { name: 'Look at the pull request' });
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), 'https://forge.example/me/shop/pull/7');
    const { args, body } = forge.ghCalls().at(-1) ?? assert.fail();
    assert.ok(args.includes('--title=What the night has done') && args.includes('--base=main'), args.join(' '));
    assert.equal(body, 'All of the night');
    await page.getByRole('list', { name: 'What people did' }).getByText('opened a pull request for the branch night').waitFor();
  });

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await opening().click();
    await form().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    assert.deepEqual(await violationsOf(page), []);
  });
});

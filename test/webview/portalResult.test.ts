/** What a run has brought about, on the portal's page. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import type { TestPortal } from '../integration/portal/portalHarness.ts';
import { ranWork, startResultPortal } from '../integration/portal/resultHarness.ts';
import { violationsOf } from './violationsOf.ts';

describe('the result of a run on the page of the portal', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  let folder: string;
  const problems: string[] = [];

  before(async () => {
    browser = await takeChromium();
    test = await startResultPortal({
      edit: [
        'write a.ts const one = 1;\\nconst two = 2;\\n',
        'write notes.md # Notes\\n\\nAll is **well**. <img src=x onerror=alert(1)> [here](/api/stop) [a](javascript:alert(1))\\n',
        'report notes.md',
      ],
      look: ['say nothing'],
      tidy: ['delete old.txt'],
    });
    folder = join(test.folder, 'work #1');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.ts'), 'const one = 1;\nlet two;\n');
    writeFileSync(join(folder, 'old.txt'), 'old\n');
    page = await (await browser.newContext({ viewport: { width: 1100, height: 900 } })).newPage();
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
  });
  after(async () => {
    await browser?.close();
    await test?.close();
  });
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  const result = () => page.getByRole('region', { name: 'Result', exact: true });
  const ofStep = (name: string) => page.getByRole('region', { name: `Result of ${name}` });

  it('begins with the files of each step, and unfolds to their changes', async () => {
    const jobId = await ranWork(test, folder);
    await page.evaluate((id) => (location.hash = `#/run/${id}`), jobId);
    await result().getByText('3 files changed').waitFor();
    assert.equal(await ofStep('look').count(), 0, 'it has changed nothing');
    const edited = ofStep('edit').getByRole('button', { name: 'changed a.ts' });
    assert.match(await ofStep('edit').getByRole('listitem').filter({ hasText: 'a.ts' }).innerText(), /\+1\s+−1/);
    await edited.click();
    const diff = ofStep('edit').locator('.diff');
    await diff.locator('.diff-added', { hasText: 'const two = 2;' }).waitFor();
    assert.equal(await diff.locator('.diff-removed').innerText(), '− let two;\n');
    // Also the portal has what colours code.
    await diff.locator('.code-keyword').first().waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await ofStep('tidy').getByRole('button', { name: 'deleted old.txt' }).click();
    await ofStep('tidy').locator('.diff-removed', { hasText: 'old' }).waitFor();
  });

  it('shows the document that a step has reported, whose Markdown is no HTML', async () => {
    await result().getByRole('button', { name: 'document notes.md' }).waitFor();
    const document = result().locator('.result-document');
    // The only one is open.
    await document.getByRole('heading', { name: 'Notes' }).waitFor();
    assert.equal(await document.locator('strong').innerText(), 'well');
    assert.equal(await document.locator('img, script, form').count(), 0);
    assert.deepEqual(
      await document.locator('.markdown a[href]').evaluateAll((all) => all.map((a) => a.outerHTML)),
      [],
      'nothing leads into the portal',
    );
    assert.deepEqual(await violationsOf(page), []);
  });

  it('opens files that are there in VS Code', async () => {
    const link = ofStep('edit').getByRole('link', { name: 'Open in VS Code: a.ts' });
    const path = join(folder, 'a.ts').split('/').map(encodeURIComponent).join('/');
    assert.equal(await link.getAttribute('href'), `vscode://file${path}`);
    assert.equal(await ofStep('tidy').getByRole('link').count(), 0);
  });

  it('commits on a branch what is shown before, as the user names it', async () => {
    const open = () => page.getByRole('button', { name: 'Commit on a branch…' });
    await open().click();
    await result().getByText('The folder of the run is not in a repository of Git.').waitFor();
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Me');
    git('config', 'user.email', 'me@example.org');
    git('commit', '--quiet', '--allow-empty', '-m', 'first');
    await open().click();
    const form = page.getByRole('form', { name: 'Commit on a branch' });
    await form.waitFor();
    assert.deepEqual(await form.getByRole('listitem').allInnerTexts(), ['created a.ts', 'created notes.md']);
    await form.getByText(/The folder stays on main, with the changes in it\./).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await form.getByRole('button', { name: 'Leave it' }).click();
    await open().and(page.locator(':focus')).waitFor();
    assert.equal(git('branch', '--format=%(refname:short)'), 'main');
    await page.keyboard.press('Enter');
    await form.getByLabel('Branch').fill('night');
    await form.getByLabel('Message').fill('What the night has done');
    await form.getByRole('button', { name: 'Commit' }).click();
    await result()
      .getByText(/^Committed as \w+ on the branch night, in .*work #1\. Nothing was pushed\.$/)
      .waitFor();
    assert.equal(git('log', '--format=%s', 'night'), 'What the night has done\nfirst');
    assert.equal(git('branch', '--show-current'), 'main');
  });

  it('discards a change once that is confirmed', async () => {
    const before = readFileSync(join(folder, 'a.ts'), 'utf8');
    const button = () => ofStep('edit').getByRole('button', { name: 'Discard: a.ts…' });
    const question = () => page.getByRole('group', { name: 'Discard: a.ts' });
    await button().click();
    await question()
      .getByText(/cannot be undone/)
      .waitFor();
    await question().getByRole('button', { name: 'Leave as it is' }).and(page.locator(':focus')).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press('Enter');
    await button().and(page.locator(':focus')).waitFor();
    assert.equal(readFileSync(join(folder, 'a.ts'), 'utf8'), before);
    await page.keyboard.press('Enter');
    await question().getByRole('button', { name: 'Discard', exact: true }).click();
    await result().getByRole('status').getByText('The changes were discarded.').waitFor();
    await ofStep('edit').getByRole('button', { name: 'changed a.ts' }).waitFor({ state: 'detached' });
    await result().getByRole('heading', { level: 3 }).and(page.locator(':focus')).waitFor();
    assert.equal(readFileSync(join(folder, 'a.ts'), 'utf8'), 'const one = 1;\nlet two;\n');
    // A file that was created goes.
    await ofStep('edit').getByRole('button', { name: 'Discard: notes.md…' }).click();
    await page.getByRole('button', { name: 'Delete the file' }).click();
    await ofStep('edit').getByRole('button', { name: 'created notes.md' }).waitFor({ state: 'detached' });
    await result().getByText('1 file changed').waitFor();
  });

  it('asks no more about a change that has become another', async () => {
    let isOther = false;
    await page.route('**/result', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: isOther ? body.replaceAll('"revision":"', '"revision":"x') : body });
    });
    writeFileSync(join(folder, 'old.txt'), 'old\n');
    const jobId = await ranWork(test, folder);
    await page.evaluate((id) => (location.hash = `#/run/${id}`), jobId);
    const names = ['Discard: a.ts', 'Discard all: changes of edit'];
    for (const name of names) await page.getByRole('button', { name: `${name}…` }).click();
    const questions = page.getByRole('group', { name: /^Discard/ });
    await page.waitForResponse('**/result');
    // It comes some time after the answer before was taken.
    await page.waitForRequest('**/result');
    assert.equal(await questions.count(), 2, 'the changes are the same');
    isOther = true;
    for (const name of names) await page.getByRole('button', { name: `${name}…` }).waitFor();
    assert.equal(await questions.count(), 0);
    await page.unroute('**/result');
  });

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    assert.deepEqual(await violationsOf(page), []);
    await page.setViewportSize({ width: 1100, height: 900 });
  });
});

/** What the portal's page has for the morning after: runs that are saved and deleted, schedules, and notifications of the browser. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { violationsOf } from './violationsOf.ts';

const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false });
const job = (taskId: string) => ({ work: { kind: 'Ref', taskId } });

describe('the page of the portal, the morning after', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  const problems: string[] = [];

  before(async () => {
    browser = await takeChromium();
    test = await TestPortal.start({ provider: 'demo' });
    const schedule = { cron: '30 6 * * 1-5', timeZone: 'Europe/Berlin', folder: test.folder };
    const entry = {
      models: { driving: 'demo-fast' },
      promptVariables: {},
      tasks: { quick: task('help'), asks: task('run echo hello') },
      jobs: { Quick: job('quick'), Asks: job('asks'), Nightly: { ...job('quick'), schedule } },
      grid: [{ keyword: 'All', jobs: ['Quick', 'Asks', 'Nightly'].map((name) => ({ name, jobName: name })) }],
    };
    writeFileSync(join(test.folder, 'entry.json'), JSON.stringify(entry));
    assert.deepEqual(await test.call('copilot/test/installJobsEntry', join(test.folder, 'entry.json')), { result: 'OK' });
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, acceptDownloads: true });
    page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => problems.push(error.message));
    // A browser without a screen has no notifications, and no page in the background.
    await page.addInitScript({
      content: `window.told = [];
        Object.defineProperty(document, 'hasFocus', { value: () => !window.isAway });
        window.Notification = class {
          static permission = 'default';
          static requestPermission = async () => (window.Notification.permission = 'granted');
          constructor(title, { body }) {
            window.told.push({ title, body, click: () => this.onclick() });
          }
          close() {}
        };`,
    });
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
  });
  after(async () => {
    await browser?.close();
    await test?.close();
  });
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  const started = async (name: string) => String((await test.call(`copilot/job/start/${name}`, test.folder))['jobId']);
  const told = () =>
    page.evaluate(() => (window as unknown as { told: { title: string; body: string }[] }).told.map(({ title, body }) => [title, body]));

  it('saves the timeline of a run, and deletes the run once that is confirmed', async () => {
    const jobId = await started('Quick');
    await page.evaluate((id) => (location.hash = `#/run/${id}`), jobId);
    const saved = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')] as const;
    };
    const [markdownName, markdown] = await saved('Save as Markdown: the timeline of Quick');
    assert.match(markdownName, /\.md$/);
    assert.match(markdown, /Quick[^]*TASK SUCCEEDED/);
    const [jsonName, json] = await saved('Save as JSON: the timeline of Quick');
    assert.match(jsonName, /\.json$/);
    assert.ok((JSON.parse(json) as { entries: unknown[] }).entries.length > 2);

    await page.getByRole('button', { name: 'Delete Quick…' }).click();
    const question = page.getByRole('group', { name: 'Delete Quick' });
    await question.getByRole('button', { name: 'Keep it' }).and(page.locator(':focus')).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete Quick…' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No job has run yet.').waitFor();
    assert.deepEqual(await test.call(`copilot/job/${jobId}/status`), { error: 'JobNotFound' });
  });

  it('offers no deletion where portals share the runs', async () => {
    const jobId = await started('Quick');
    await page.route('**/api/config', (route) => route.fulfill({ json: { repoRoot: '/', sharesRuns: true } }));
    await page.evaluate((id) => (location.hash = `#/run/${id}`), jobId);
    await page.getByRole('button', { name: 'Save as JSON: the timeline of Quick' }).waitFor();
    await page.getByRole('button', { name: 'Delete Quick…' }).waitFor({ state: 'detached' });
    await page.unroute('**/api/config');
    await page.getByRole('button', { name: 'Delete Quick…' }).waitFor();
    assert.deepEqual(await test.call(`copilot/job/${jobId}/delete`), { result: 'Deleted' });
  });

  it('marks a run in which somebody has denied a call, and says who it was in its step and in what is saved', async () => {
    const jobId = await started('Asks');
    const { id, revision } = await until('a call that waits', test.portal.attention.onDidChange, () =>
      test.portal.attention.list().items.find(({ decisions }) => decisions.includes('deny')),
    );
    const headers = { ...test.authorized, 'Content-Type': 'application/json', 'User-Agent': 'tapline' };
    const answer = JSON.stringify({ revision, decision: 'deny', reason: 'Not on this machine.' });
    assert.deepEqual(await (await test.fetch(`/api/attention/${id}`, answer, headers)).json(), { result: 'Answered' });
    await test.follow(`job/${jobId}`);
    await page.evaluate(() => (location.hash = '#/runs'));
    await page.getByRole('link', { name: /^Asks/ }).getByText('1 call was denied').waitFor();
    await page.evaluate((run) => (location.hash = `#/run/${run}/step/1`), jobId);
    await page
      .locator('.step-head', { hasText: 'asks' })
      .getByText(/1 call was denied/)
      .waitFor();
    await page.locator('.steps', { hasText: /Denied echo hello: “Not on this machine\.” · by the command line/ }).waitFor();
    const button = page.getByRole('button', { name: 'Save as Markdown: the timeline of Asks' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    assert.match(readFileSync(await download.path(), 'utf8'), /command line denied a call[^]*Not on this machine/);
    assert.deepEqual(await test.call(`copilot/job/${jobId}/delete`), { result: 'Deleted' });
  });

  it('says when a job starts by itself', async () => {
    await page.evaluate(() => (location.hash = '#/jobs/Nightly'));
    await page.getByText(/^Starts by itself at “30 6 \* \* 1-5” \(Europe\/Berlin\) in .+, next .+\.$/).waitFor();
    await page.evaluate(() => (location.hash = '#/jobs/Quick'));
    await page.getByRole('form', { name: 'Start Quick' }).waitFor();
    assert.equal(await page.getByText('Starts by itself').count(), 0);
  });

  it('notifies while it is in the background of what begins to wait, and leads there', async () => {
    await page.evaluate(() => (location.hash = '#/needs-you'));
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByText('The browser notifies you while this page is in the background.').waitFor();
    const first = await started('Asks');
    await page
      .getByRole('link', { name: /echo hello/ })
      .first()
      .waitFor();
    assert.deepEqual(await told(), [], 'the user sees it');
    await page.evaluate(() => ((window as unknown as { isAway: boolean }).isAway = true));
    await started('Asks');
    await page.waitForFunction(() => (window as unknown as { told: unknown[] }).told.length === 1);
    const [[title, body] = []] = await told();
    assert.equal(title, 'Tapline needs you');
    assert.match(body ?? '', /echo hello/);
    await page.evaluate(() => (window as unknown as { told: { click(): void }[] }).told[0]?.click());
    await page.waitForFunction(() => location.hash.startsWith('#/needs-you/item/'));
    await page.frameLocator('iframe.page-frame').locator('.waiting-card').first().waitFor();
    await test.call(`copilot/job/${first}/stop`);
    assert.equal((await told()).length, 1, 'nothing is told twice');
  });

  it('notifies in the same way of what becomes of a run, and leads to it', async () => {
    const before = (await told()).length;
    const jobId = await started('Quick');
    await page.waitForFunction((count) => (window as unknown as { told: unknown[] }).told.length > count, before);
    const [title, body] = (await told()).at(-1) ?? [];
    assert.equal(title, 'A run is done');
    assert.match(body ?? '', /^“Quick” has succeeded after [\d.]+ s$/);
    await page.evaluate(() => (window as unknown as { told: { click(): void }[] }).told.at(-1)?.click());
    assert.equal(await page.evaluate(() => location.hash), `#/run/${jobId}`);
    await page.getByRole('link', { name: /^Asks.*Waits for you.*echo hello/ }).waitFor();
    const away = (isAway: boolean) => page.evaluate((is) => ((window as unknown as { isAway: boolean }).isAway = is), isAway);
    const done = page.getByRole('link', { name: /^Quick.*Succeeded/ });
    await away(false);
    await started('Quick');
    await done.nth(1).waitFor();
    // The row is drawn before it is decided whether to tell of it.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));
    assert.equal((await told()).length, before + 1, 'nothing of the run that the user saw');
    await away(true);
    await started('Quick');
    await done.nth(2).waitFor();
    await page.waitForFunction((count) => (window as unknown as { told: unknown[] }).told.length > count, before + 1);
    assert.equal((await told()).length, before + 2);
  });
});

/** What the portal's page has for runs that wait for their time and for other runs. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { violationsOf } from './violationsOf.ts';

const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false });
const job = (taskId: string) => ({ work: { kind: 'Ref', taskId } });

describe('the page of the portal, with a queue', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  const problems: string[] = [];

  before(async () => {
    browser = await takeChromium();
    test = await TestPortal.start({ provider: 'demo' });
    const entry = {
      models: { driving: 'demo-fast' },
      promptVariables: {},
      tasks: { quick: task('help'), asks: task('run echo hello') },
      jobs: { Quick: job('quick'), Asks: job('asks') },
      grid: [{ keyword: 'All', jobs: ['Quick', 'Asks'].map((name) => ({ name, jobName: name })) }],
      limits: { perFolder: 1 },
    };
    assert.deepEqual(await test.install(entry), { result: 'OK' });
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
  });
  after(async () => {
    await browser?.close();
    await test?.close();
  });
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  const started = async (name: string) => String((await test.call(`copilot/job/start/${name}`, test.folder))['jobId']);
  const show = (hash: string) => page.evaluate((to) => (location.hash = to), hash);

  it('says what a run waits for, in its row and on its page, and stops it', async () => {
    const first = await started('Asks');
    const second = await started('Quick');
    await show('#/runs');
    const row = page.getByRole('link', { name: /Quick/ });
    await row.getByText(`waits for run ${first.slice(0, 8)} (Asks) in this folder`).waitFor();
    assert.match((await row.textContent()) ?? '', /Queued/);
    await show(`#/run/${second}`);
    await page.getByText(`Queued: waits for run ${first.slice(0, 8)} (Asks) in this folder`).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Stop Quick' }).click();
    await page.locator('.job-head').getByText('Stopped', { exact: true }).waitFor();
    await test.call(`copilot/job/${first}/stop`);
  });

  it('starts a job at the time that the user gives', async () => {
    await show('#/jobs/Quick');
    const form = page.getByRole('form', { name: 'Start Quick' });
    await form.getByLabel('Folder').fill(test.folder);
    await form.getByLabel('Not before').fill('2999-01-02T03:04');
    assert.deepEqual(await violationsOf(page), []);
    await form.getByRole('button', { name: 'Start Quick' }).click();
    await page.getByText('Queued: waits until 2999-01-02 03:04').waitFor();
    const run = test.portal.runs.jobStates().find(({ queue }) => queue?.notBefore !== undefined);
    // The browser and the portal are on one computer.
    assert.equal(run?.queue?.notBefore, new Date(2999, 0, 2, 3, 4).getTime());
  });
});

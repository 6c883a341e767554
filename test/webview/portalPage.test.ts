/** The page of the portal in a real browser. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';

const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false });
const entry = {
  models: { driving: 'demo-fast' },
  promptVariables: {},
  tasks: { help: task('help'), slow: task('run echo hello'), fail: task('fail'), unasked: { ...task('run ls'), approve: ['everything'] } },
  jobs: {
    'good job': { work: { kind: 'Ref', taskId: 'help' } },
    'slow job': { work: { kind: 'Ref', taskId: 'slow' } },
    'unasked job': { work: { kind: 'Ref', taskId: 'unasked' } },
  },
  grid: [],
};
const shots = process.env['SHOTS'];

describe('the page of the portal', function () {
  this.timeout(60_000);
  let browser: Browser;
  let test: TestPortal;
  let page: Page;
  const problems: string[] = [];

  before(async () => {
    browser = await launchChromium();
    test = await TestPortal.start({ provider: 'demo' });
    writeFileSync(join(test.folder, 'entry.json'), JSON.stringify(entry));
    await test.call('copilot/test/installJobsEntry', join(test.folder, 'entry.json'));
    page = await browser.newPage({ viewport: { width: 900, height: 900 } });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
  });
  after(async () => {
    await browser.close();
    await test.close();
  });
  const shot = async (name: string) => {
    if (!shots) return;
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, `${name}.png`) });
  };

  it('opens with the token, which leaves the address', async () => {
    await page.getByRole('heading', { name: 'Tapline portal' }).waitFor();
    assert.equal(page.url(), `${test.server.url}/`);
    assert.equal(await page.evaluate(() => document.cookie), '', 'no script can read it');
  });

  it('says what a job does without asking, before it is started', async () => {
    const item = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Start ${name}` }) });
    await item('unasked job')
      .getByText(/^“unasked” runs commands, which can do whatever you can, .* without asking\.$/)
      .waitFor();
    assert.doesNotMatch(await item('slow job').innerText(), /without asking/);
    await shot('unasked');
  });

  it('says why a job cannot start', async () => {
    await page.getByLabel('Folder').fill('relative');
    await page.getByRole('button', { name: 'Start good job' }).click();
    await page.getByText('The folder must be an absolute path.').waitFor();
  });

  it('starts a job and shows what happens in it to its end', async () => {
    await page.getByLabel('Folder').fill(test.folder);
    await page.getByRole('button', { name: 'Start good job' }).click();
    await page.getByRole('log').getByText('The job has succeeded.').waitFor();
    await page.getByRole('log').getByText('Prompt: help').waitFor();
    await page.getByRole('log').getByText('[TASK SUCCEEDED]').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Succeeded' }).getByText('good job').waitFor();
    await shot('job');
  });

  it('stops a job, and continues it', async () => {
    await page.getByRole('button', { name: 'Start slow job' }).click();
    await page.getByRole('status').getByText('waits for your answer').waitFor();
    await shot('waiting');
    await page.getByRole('button', { name: 'Stop slow job' }).click();
    await page.getByRole('button', { name: 'Continue slow job' }).click();
    await page.getByRole('button', { name: 'Stop slow job' }).click();
    await page.getByRole('button', { name: 'Continue slow job' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 380, height: 900 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is cut on a phone');
    await shot('phone');
  });

  it('runs tasks in a session, and shows their failures', async () => {
    await page.setViewportSize({ width: 900, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByLabel('Model').selectOption('demo-fast');
    await page.getByRole('button', { name: 'Start a session' }).click();
    await page.getByRole('button', { name: 'Run fail' }).click();
    await page.getByRole('log').getByText('Error: The demo agent failed because you asked it to.').waitFor();
    await shot('session');
    await page.getByRole('button', { name: 'Stop the session' }).click();
    await page.getByRole('button', { name: 'Start a session' }).waitFor();
    assert.equal(test.portal.sessions.size, 0);
  });

  it('runs nothing but its own script, and has no error', () => assert.deepEqual(problems, []));
});

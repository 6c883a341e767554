/** What the portal's page says of what runs have used: in a step, in all of them, when nothing happens and when a budget is used up. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { modelCallsMeta } from '../../src/ahp/common/modelCalls.ts';
import { gate } from '../integration/host/hostHarness.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { violationsOf } from './violationsOf.ts';

const task = (prompt: string, more: object = {}) => ({
  model: { category: 'driving' },
  prompt: [prompt],
  requireUserInput: false,
  ...more,
});
const ref = (taskId: string) => ({ kind: 'Ref', taskId });

describe('what the page of the portal says of what is used', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  const goesOn = gate();

  before(async () => {
    browser = await takeChromium();
    test = await TestPortal.start();
    test.agent.onTurn = async (turn) => {
      turn.usage({ inputTokens: 1_200, outputTokens: 34, _meta: modelCallsMeta(3) });
      if (turn.message.text === 'quiet') await goesOn.promise;
      turn.markdown('Done.');
    };
    const jobs = {
      Spends: { budget: { tokens: 2_000 }, work: { kind: 'Seq', works: [ref('spend'), ref('spend')] } },
      Quiet: { work: ref('quiet') },
    };
    const tasks = { spend: task('spend'), quiet: task('quiet', { limits: { quietMinutes: 0.001 } }) };
    const entry = { models: { driving: 'one' }, promptVariables: {}, tasks, jobs, grid: [] };
    assert.deepEqual(await test.install(entry), { result: 'OK' });
    page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
  });
  after(async () => {
    goesOn.open();
    await browser?.close();
    await test?.close();
  });

  const show = async (name: string) => {
    const jobId = String((await test.call(`copilot/job/start/${name}`, test.folder))['jobId']);
    await page.evaluate((id) => (location.hash = `#/run/${id}`), jobId);
  };

  it('has the sum of a run and the use of each step, and goes on after a budget was used up', async () => {
    await show('Spends');
    await page.getByText(/^Why: its budget of 2,000 tokens is used up, after 2,468; when it is continued, it has as much again$/).waitFor();
    await page.getByText(/^6 model calls · 2,468 tokens · \S+ s of work$/).waitFor();
    await page.getByText(/^Model: one · 3 model calls · 1,234 tokens/).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Continue Spends' }).click();
    await page.getByText(/^9 model calls · 3,702 tokens/).waitFor();
    assert.equal(await page.getByText('Why:').count(), 0);
  });

  it('says that nothing happens in a step, in the run and in its row, until it goes on', async () => {
    await show('Quiet');
    await page.locator('.job > .problem', { hasText: /^quiet: nothing has happened for \d+ s$/ }).waitFor();
    await page.getByRole('button', { name: /quiet.*nothing has happened for/ }).waitFor();
    // It is said again where something has happened meanwhile.
    const said = page.getByText(/^Nothing has happened in the session for 0\.001 minutes\./);
    await said.first().waitFor();
    await page.evaluate(() => (location.hash = '#/runs'));
    await page.getByRole('link', { name: /Quiet.*quiet: nothing has happened for/ }).waitFor();
    goesOn.open();
    await page.getByRole('link', { name: /Quiet.*Succeeded/ }).waitFor();
    assert.equal(await page.getByText('nothing has happened').count(), 0);
  });
});

/** What a person does to a run in the middle, in the portal's page: pause, continue, steer, skip, retry with other words. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { until } from '../support/until.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { violationsOf } from './violationsOf.ts';

const criteria = { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } };
const task = (prompt: string, more: object = {}) => ({
  ...{ model: { category: 'driving' }, prompt: [prompt], requireUserInput: prompt.includes('$user-input'), ...more },
});
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const entry = {
  ...{ models: { driving: 'one' }, promptVariables: {}, grid: [] },
  tasks: { wait: task('wait'), after: task('after'), checked: task('say $user-input', { criteria }) },
  jobs: {
    Waits: { work: { kind: 'Seq', works: [ref('wait'), ref('after')] } },
    Fails: { work: { kind: 'Seq', works: [ref('after'), ref('checked'), ref('after')] } },
  },
};

describe('the page of the portal in the middle of a run', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  let runsFolder: string;
  let prompts: string[];
  const problems: string[] = [];

  before(async () => {
    browser = await takeChromium();
    runsFolder = mkdtempSync(join(tmpdir(), 'tapline-middle-'));
    test = await TestPortal.start({ runsFolder });
    test.agent.onTurn = async (turn) => {
      prompts.push(turn.message.text);
      if (turn.message.text !== 'wait') return;
      const said = await until('a steering message', turn.onDidReceiveSteering, () => turn.takeSteeringMessage());
      said.heard();
      turn.markdown('heard');
    };
    assert.deepEqual(await test.install(entry), { result: 'OK' });
  });
  beforeEach(() => (prompts = []));
  after(async () => {
    await browser?.close();
    await test?.close();
    rmSync(runsFolder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await page.context().close();
    assert.deepEqual(problems.splice(0), []);
  });

  async function open(width: number, jobId: string): Promise<void> {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
    await page.evaluate((id) => (location.hash = `#/run/${id}`), jobId);
  }
  const started = async (name: string) => String((await test.call(`copilot/job/start/${name}`, `${test.folder}\nin`))['jobId']);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const focused = (name: string) => button(name).and(page.locator(':focus')).waitFor();
  const state = (words: string) => page.locator('.job-head strong').getByText(words, { exact: true }).waitFor();
  const deeds = () => page.getByRole('list', { name: 'What people did' }).getByRole('listitem').allInnerTexts();
  async function fits(): Promise<void> {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the page');
    assert.deepEqual(await violationsOf(page), []);
  }

  for (const width of [1100, 390])
    it(`pauses after this step, steers it by the keyboard, and continues, ${width} pixels wide`, async () => {
      await open(width, await started('Waits'));
      await button('Pause Waits').click();
      await state('Running, to be paused');
      // It is not to pause, and then it is.
      await button('Continue Waits').click();
      await state('Running');
      await button('Pause Waits').click();
      await state('Running, to be paused');
      await button('Steer wait…').focus();
      await page.keyboard.press('Enter');
      const form = page.getByRole('form', { name: 'Steer wait' });
      await form.getByRole('textbox').and(page.locator(':focus')).waitFor();
      await fits();
      await page.keyboard.press('Escape');
      await focused('Steer wait…');
      await page.keyboard.press('Enter');
      await page.keyboard.type('enough');
      await page.keyboard.press('Enter');
      await state('Paused');
      await page.getByText('Told the agent: “enough”').waitFor();
      await fits();
      assert.deepEqual(prompts, ['wait']);
      await button('Continue Waits').click();
      await state('Succeeded');
      assert.deepEqual(prompts, ['wait', 'after']);
      assert.deepEqual(
        (await deeds()).map((text) => text.replace(/^.*?(?=The )/, '')),
        [
          'The portal’s page paused it after the steps that ran.',
          'The portal’s page let it go on without the pause.',
          'The portal’s page paused it after the steps that ran.',
          'The portal’s page let it go on.',
        ],
      );
    });

  it('skips a step that runs once that is confirmed', async () => {
    await open(390, await started('Waits'));
    await button('Skip wait…').click();
    const question = page.getByRole('group', { name: 'Skip wait' });
    await question.getByRole('button', { name: 'Let it run' }).and(page.locator(':focus')).waitFor();
    await fits();
    await page.keyboard.press('Enter');
    await focused('Skip wait…');
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Skip', exact: true }).click();
    await state('Succeeded');
    await page.getByRole('button', { name: /1 wait.*Skipped/ }).click();
    await page.getByText('Skipped by the portal’s page: it counts as done.').waitFor();
  });

  it('skips a step that has failed, and retries it with other words from another step', async () => {
    const jobId = await started('Fails');
    await open(1100, jobId);
    await state('Failed');
    await button('Retry from checked…').click();
    const form = page.getByRole('form', { name: 'Retry from checked' });
    await form.getByRole('combobox').and(page.locator(':focus')).waitFor();
    assert.deepEqual(await form.getByRole('option').allInnerTexts(), ['1 · after', '2 · checked']);
    assert.equal(await form.getByRole('textbox', { name: 'Prompt of “checked”' }).inputValue(), 'say $user-input');
    await form.getByRole('textbox', { name: 'Input of “checked”' }).fill('out');
    await form.getByRole('textbox', { name: 'Prompt of “checked”' }).fill('tell $user-input');
    await form.getByRole('combobox').selectOption('1 · after');
    await fits();
    await form.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.locator('.job-head').getByText('attempt 2').waitFor();
    await state('Failed');
    assert.deepEqual(prompts, ['after', 'say in', 'after', 'tell out']);
    await button('Skip checked').click();
    await state('Succeeded');
    assert.equal(prompts.at(-1), 'after');
    const said = (await deeds()).map((text) => text.replace(/^.*?(?=The )/, ''));
    assert.deepEqual(said, [
      'The portal’s page changed the input of “checked”: “out”.',
      'The portal’s page changed the prompt of “checked”: “tell $user-input”.',
      'The portal’s page let it go on.',
      'The portal’s page let it go on without a step.',
    ]);
    await fits();
  });

  it('lists paused runs as such', async () => {
    const jobId = await started('Waits');
    await open(1100, jobId);
    await button('Pause Waits').click();
    await button('Steer wait…').click();
    await page.keyboard.type('enough');
    await page.keyboard.press('Enter');
    await state('Paused');
    await page.getByRole('combobox', { name: 'Which runs' }).selectOption('Paused');
    assert.match((await page.getByRole('link', { name: /Waits/ }).allInnerTexts()).join('\n'), /Paused ·/);
    await page.reload();
    await state('Paused');
  });
});

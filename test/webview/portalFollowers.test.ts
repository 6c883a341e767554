/** Ten browsers and ten programs at one job of the portal. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Emitter } from '../../src/base/event.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { followJob } from '../support/followJob.ts';
import { until } from '../support/until.ts';
import { gate } from '../integration/host/hostHarness.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';

const READERS = 10;
const LINES = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`);

describe('a job of the portal', function () {
  this.timeout(120_000);
  let browser: TakenChromium;
  let test: TestPortal;

  before(async () => {
    browser = await takeChromium();
    test = await TestPortal.start();
  });
  after(async () => {
    await browser?.close();
    await test?.close();
  });

  it('is followed by ten browsers and ten programs, each of which gets every event once', async () => {
    const all = gate();
    test.agent.onTurn = async (turn) => {
      await all.promise;
      for (const line of LINES) {
        turn.markdown(`${line}\n\n`);
        await new Promise(setImmediate);
      }
    };
    const task = (prompt: string) => ({ prompt: [prompt], requireUserInput: false, model: { category: 'driving' } });
    const works = ['first', 'second'].map((taskId) => ({ kind: 'Ref', taskId }));
    const entry = {
      ...{ models: { driving: 'one' }, promptVariables: {}, grid: [] },
      tasks: { first: task('begin'), second: task('end') },
      jobs: { Watched: { work: { kind: 'Seq', works } } },
    };
    assert.deepEqual(await test.install(entry), { result: 'OK' });
    const { jobId } = await test.call('copilot/job/start/Watched', test.folder);

    let programs = 0;
    const joined = new Emitter<void>();
    const told = Promise.all(
      Array.from({ length: READERS }, () =>
        followJob({ url: test.server.url, token: test.server.token }, String(jobId), (_path, { callback }) => {
          if (callback === 'onAgentStart' && ++programs === READERS) joined.fire();
        }),
      ),
    );
    const open = async (): Promise<Page> => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`${test.server.url}/?token=${test.server.token}`);
      await page
        .getByRole('list', { name: 'Runs' })
        .getByRole('link', { name: /Watched/ })
        .click();
      await page.getByRole('button', { name: 'Show the session' }).click();
      await page.frameLocator('iframe.page-frame').getByText('begin').first().waitFor();
      return page;
    };
    const pages = await Promise.all(Array.from({ length: READERS }, open));
    await Promise.race([told, until('all programs', joined.event, () => programs >= READERS, 90_000)]);
    all.open();

    for (const heard of await told) {
      for (const [path, responses] of Object.entries(heard)) {
        assert.match(String(responses.at(-1)?.['error']), /Closed$/, path);
        if (!path.startsWith('session/')) continue;
        const said = responses.filter(({ callback }) => callback === 'onMessage').map(({ delta }) => delta);
        assert.deepEqual(said.join('').trim().split('\n\n'), LINES);
      }
      const job = (heard[`job/${String(jobId)}`] ?? []).map(({ callback, error, workId }) => `${callback ?? error} ${workId ?? ''}`.trim());
      assert.deepEqual(job, ['workStarted 0', 'workStopped 0', 'workStarted 1', 'workStopped 1', 'jobSucceeded', 'JobsClosed']);
      assert.equal(Object.keys(heard).length, 5, 'the job, two tasks, two sessions');
    }
    const state = test.portal.runs.jobState(String(jobId));
    const decisions = state?.steps.map(({ task: run }) => run?.decisions.map(({ reason }) => reason)) ?? [];
    for (const page of pages) {
      await page.getByText('The portal does not run this session, or not any more.').waitFor();
      const session = page.frameLocator('iframe.page-frame');
      await session.getByText(LINES.at(-1) ?? '', { exact: true }).waitFor();
      assert.deepEqual(await session.locator('.markdown p').allTextContents(), LINES);
      await page.goBack();
      await page.getByRole('option', { name: /^second, Succeeded/ }).waitFor();
      for (const [at, name] of ['first', 'second'].entries()) {
        const head = page.locator('.steps .step-head').filter({ hasText: name });
        if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
        await page.getByText('As recorded').click();
        const record = page.getByRole('list', { name: 'Record' });
        await record.waitFor();
        assert.deepEqual(await record.getByRole('listitem').allTextContents(), decisions[at]);
      }
    }
  });
});

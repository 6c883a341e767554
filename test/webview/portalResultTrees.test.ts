/** The commit of a run in a work tree, on the portal's page. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ranWork, startResultPortal } from '../integration/portal/resultHarness.ts';
import type { TestPortal } from '../integration/portal/portalHarness.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { violationsOf } from './violationsOf.ts';

describe('the result of a run in a work tree on the page of the portal', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  let base: string;
  let folder: string;
  const problems: string[] = [];

  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
  before(async () => {
    browser = await takeChromium();
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-page-')));
    folder = join(base, 'shop');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Me');
    git('config', 'user.email', 'me@example.org');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    page = await (await browser.newContext({ viewport: { width: 1100, height: 900 } })).newPage();
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  });
  after(async () => {
    await browser?.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  afterEach(async () => {
    await page.goto('about:blank');
    await test.close();
    assert.deepEqual(problems.splice(0), []);
  });

  async function show(prompts: Record<string, string[]>): Promise<string> {
    test = await startResultPortal(prompts, { job: { worktree: 'run' }, worktreesFolder: join(base, 'worktrees') });
    const jobId = await ranWork(test, folder);
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
    await page.evaluate((id) => (location.hash = `#/run/${id}`), jobId);
    return jobId;
  }
  const result = () => page.getByRole('region', { name: 'Result', exact: true });

  it('is committed on the branch of the tree, which is not asked for', async () => {
    const branch = `tapline/${await show({ edit: ['write a.txt ONE\\n'], broken: ['fail'] })}/run`;
    await result()
      .getByRole('button', { name: `Commit on ${branch}…` })
      .click();
    const form = page.getByRole('form', { name: 'Commit on a branch' });
    await form.getByText(`on the branch of this work tree, ${branch}.`).waitFor();
    assert.equal(await form.getByLabel('Branch').count(), 0);
    await form.getByLabel('Message').and(page.locator(':focus')).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await form.getByLabel('Message').fill('Half a night');
    await form.getByRole('button', { name: 'Commit' }).click();
    await result()
      .getByText(`on the branch ${branch}, in ${join(base, 'worktrees')}`)
      .waitFor();
    assert.equal(git('log', '--format=%s', branch), 'Half a night\nfirst');
  });

  it('is said to be committed where it was merged', async () => {
    await show({ edit: ['write a.txt ONE\\n'] });
    await result().getByText('The work is committed in the folder of the run.').waitFor();
    assert.equal(
      await result()
        .getByRole('button', { name: /Commit on/ })
        .count(),
      0,
    );
    assert.equal(
      await result()
        .getByRole('button', { name: /Discard/ })
        .count(),
      0,
    );
    await result().getByRole('link', { name: 'Open in VS Code' }).waitFor();
  });
});

/** What the portal's page says of jobs that work in Git work trees, and of steps that would write into one folder. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { violationsOf } from './violationsOf.ts';

const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false, approve: ['everything'] });
const both = { kind: 'Par', works: ['one', 'two'].map((taskId) => ({ kind: 'Ref', taskId })) };

describe('the page of the portal and work trees', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  let base: string;
  let repository: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { encoding: 'utf8' });

  before(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-trees-')));
    repository = join(base, 'shop');
    mkdirSync(repository);
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '-m', 'first');
    browser = await takeChromium();
    test = await TestPortal.start({ provider: 'demo', runsFolder: join(base, 'runs'), worktreesFolder: join(base, 'worktrees') });
    const tasks = { one: task('run echo one > a.txt'), two: task('run echo two > a.txt') };
    const jobs = { Shared: { work: both }, Apart: { work: both, worktree: 'step' } };
    const grid = [{ keyword: 'All', jobs: ['Shared', 'Apart'].map((name) => ({ name, jobName: name })) }];
    assert.deepEqual(await test.install({ models: { driving: 'demo-fast' }, promptVariables: {}, tasks, jobs, grid }), { result: 'OK' });
    page = await (await browser.newContext({ viewport: { width: 1100, height: 900 } })).newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
  });
  after(async () => {
    await browser?.close();
    await test?.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('says before a start which steps would write at once, and where a job works', async () => {
    await page.evaluate(() => (location.hash = '#/jobs/Shared'));
    const shared = page.getByRole('form', { name: 'Start Shared' });
    await shared.getByText(/^These tasks change files in one folder at the same time, without asking: one, two\./).waitFor();
    await page.evaluate(() => (location.hash = '#/jobs/Apart'));
    const apart = page.getByRole('form', { name: 'Start Apart' });
    await apart.getByText(/^The run, and each branch that runs beside others, works in a Git work tree of its own/).waitFor();
    assert.equal(await apart.getByText('change files in one folder').count(), 0);
    await apart.getByLabel('Folder').fill(base);
    await apart.getByRole('button', { name: 'Start Apart' }).click();
    await page.getByText(/can have none: fatal: not a git repository/).waitFor();
  });

  it('says what is in conflict and where it is, and deletes nothing that is not committed', async () => {
    await page.evaluate(() => (location.hash = '#/jobs/Apart'));
    const apart = page.getByRole('form', { name: 'Start Apart' });
    await apart.getByLabel('Folder').fill(repository);
    await apart.getByRole('button', { name: 'Start Apart' }).click();
    await page.getByText(/^Why: Two branches of a Par have changed a\.txt\./).waitFor();
    const line = page.getByText(/^In conflict, in a\.txt: .*worktrees/);
    const [, path = ''] = /: (\/.*), on tapline\//.exec(await line.innerText()) ?? [];
    assert.deepEqual(await violationsOf(page), []);
    writeFileSync(join(path, 'half.txt'), 'half');
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete Apart…' }).click();
      await page.getByRole('group', { name: 'Delete Apart' }).getByRole('button', { name: 'Delete', exact: true }).click();
    };
    await remove();
    await page.getByText(/^The run has work that is not committed\./).waitFor();
    rmSync(join(path, 'half.txt'));
    await page.reload();
    await remove();
    await page.getByText('No job has run yet.').waitFor();
  });
});

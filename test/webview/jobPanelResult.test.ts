/** The result of a run in VS Code, with the test in place of the extension. Its parts are tested at a portal in the portal's page. */
import assert from 'node:assert/strict';
import { generateChartNodes } from '../../src/portal/chart/generateChartNodes.ts';
import { normalWork } from '../../src/portal/entry/normalWork.ts';
import { type JobStatus, jobStatus } from '../../src/views/portal/jobData.ts';
import type { PullRequestPlan } from '../../src/views/portal/answers/pullRequestAnswers.ts';
import type { CommitPlan, RunResult } from '../../src/views/portal/answers/resultAnswers.ts';
import { JobPage } from './jobPage.ts';
import { type ThemeName, themes } from './themes.ts';
import { type Harness, startWebview } from './webviewPage.ts';

const ref = (taskId: string) => ({ kind: 'Ref', taskId }) as const;
const ended = { status: 'Succeeded', startedAt: 1000, endedAt: 8000 };
const job: JobStatus = jobStatus.parse({
  ...{
    jobId: 'j-1',
    jobName: 'Fix a failing test',
    attempt: 1,
    workingDirectory: '/home/ada/web-app',
    userInput: 'the login test',
    ...ended,
  },
  chart: generateChartNodes(normalWork({ kind: 'Seq', works: [ref('fix the test'), ref('report')] })),
  steps: ['fix the test', 'report'].map((taskName, workId) => ({ step: `${workId}#0`, workId, taskName, ...ended })),
  resultChanges: [{ at: 9000, did: 'committed', by: 'VS Code', branch: 'tapline/fix', commit: 'abc1234', folder: '/home/ada/web-app' }],
});
const file = (path: string, change: 'changed' | 'created' | 'deleted', added: number, removed: number) => ({
  ...{ id: path, path, change, added, removed, localPath: `/home/ada/web-app/${path}`, revision: `r ${path}` },
  discard: 'This cannot be undone.',
});
const step = (at: number, taskName: string) => ({ step: `${at}#0`, workId: at, taskName, status: 'Succeeded' as const, problems: [] });
const found: RunResult = {
  steps: [
    {
      ...step(0, 'fix the test'),
      changes: [
        {
          sessionId: 's',
          files: [
            file('src/login/checkPassword.ts', 'changed', 12, 3),
            file('test/login.test.ts', 'created', 48, 0),
            file('old.txt', 'deleted', 0, 7),
          ],
          discard: 'All of them are taken back.',
          revision: 'all',
        },
      ],
      documents: [],
    },
    { ...step(1, 'report'), changes: [], documents: ['notes.md'] },
  ],
};
const notes = {
  localPath: '/home/ada/web-app/notes.md',
  isMarkdown: true,
  text: '# Why it failed\n\nThe password was compared **before** it was hashed, see [the issue](https://example.org/1) and [x](javascript:alert(1)).\n',
};
const commitPlan: CommitPlan = {
  ...{ folder: '/home/ada/web-app', base: 'main', head: 'abc1234', branch: 'tapline/fix-a-failing-test-j1', message: 'the login test' },
  files: [
    { path: 'src/login/checkPassword.ts', change: 'changed' },
    { path: 'test/login.test.ts', change: 'created' },
    { path: 'old.txt', change: 'deleted' },
  ],
  ...{ leftOut: [], revision: 'p' },
};
const requestPlan: PullRequestPlan = {
  ...{
    folder: '/home/ada/web-app',
    branch: 'tapline/fix',
    branches: ['tapline/fix'],
    commit: 'abc1234',
    commits: ['abc1234 the login test'],
  },
  ...{ remote: 'origin', remotes: ['origin'], address: 'https://github.com/ada/web-app.git', repository: 'github.com/ada/web-app' },
  ...{ base: 'main', title: 'the login test', body: 'By the job.', gh: 'ready', revision: 'q' },
};

describe('The result of a run on the page of a job', function () {
  this.timeout(60_000);
  let harness: Harness<JobPage>;
  let view: JobPage;

  before(async () => {
    harness = await startWebview('jobPanel', (page) => new JobPage(page));
  });
  after(() => harness?.close());
  beforeEach(async () => (view = await harness.open({ width: 900 })));
  afterEach(async () => {
    assert.deepEqual(view.troubles, []);
    assert.deepEqual(view.requests, [], 'only the extension asks the portal');
    await view.close();
  });
  const button = (name: string) => view.page.getByRole('button', { name, exact: true });
  const focused = (name: string) => button(name).and(view.page.locator(':focus')).waitFor();
  const result = () => view.page.getByRole('region', { name: 'Result', exact: true });
  async function show(shown: JobStatus = job): Promise<void> {
    await view.show({ jobId: 'j-1', job: shown });
    await view.answerResult('result', found);
    await result().getByText('3 files changed').waitFor();
    await view.answerResult('document', notes);
    await result().getByRole('heading', { name: 'Why it failed' }).waitFor();
  }

  it('shows changes in VS Code, and opens files that are there', async () => {
    await show();
    await button('changed src/login/checkPassword.ts').click();
    const change = { sessionId: 's', file: 'src/login/checkPassword.ts' };
    const asked = await view.asked('showChange');
    assert.deepEqual(asked.request, { type: 'showChange', jobId: 'j-1', change });
    await view.answer({ id: asked.id, problem: 'The run has no such change any more.' });
    await view.page.getByRole('alert').getByText('The run has no such change any more.').waitFor();
    assert.equal(await result().locator('.diff').count(), 0);
    await button('Open src/login/checkPassword.ts').click();
    assert.deepEqual((await view.asked('openFile')).request, { type: 'openFile', jobId: 'j-1', file: change });
    assert.equal(await button('Open old.txt').count(), 0, 'it is deleted');
    await button('Open notes.md').click();
    const { request } = await view.asked('openFile');
    assert.deepEqual(request, { type: 'openFile', jobId: 'j-1', file: { step: '1#0', document: 'notes.md' } });
  });

  it('opens only links of a document that lead out', async () => {
    await show();
    await result().getByRole('link', { name: 'the issue' }).click();
    const message = await view.until('the link', ({ type }) => type === 'openLink');
    assert.deepEqual(message, { type: 'openLink', address: 'https://example.org/1' });
    assert.equal(await result().locator('.markdown a[href]').count(), 1);
  });

  it('discards a change once that is confirmed, and then looks again', async () => {
    await show();
    await button('Discard: old.txt…').click();
    await focused('Leave as it is');
    await view.page.getByRole('group', { name: 'Discard: old.txt' }).getByRole('button', { name: 'Discard', exact: true }).click();
    const body = await view.answerResult('discard', { result: 'Discarded' });
    assert.deepEqual(body, { sessionId: 's', file: 'old.txt', revision: 'r old.txt' });
    await result().getByRole('status').getByText('The changes were discarded.').waitFor();
    await view.answerResult('result', { steps: [] });
    await result().getByText('No file has changed.').waitFor();
  });

  it('commits and opens a pull request once the user has seen what is done, also when a command has begun it', async () => {
    await show();
    await view.begin('commit');
    await view.answerResult('commitPlan', commitPlan);
    await view.page.getByRole('form', { name: 'Commit on a branch' }).getByText('created test/login.test.ts').waitFor();
    await button('Commit').click();
    const commit = await view.answerResult('commit', new Error('There is such a branch already.'));
    assert.deepEqual(commit, { branch: commitPlan.branch, message: 'the login test', revision: 'p' });
    await result().getByText('There is such a branch already.').waitFor();
    await button('Leave it').click();
    await focused('Commit on a branch…');
    await view.begin('pullRequest');
    await view.answerResult('pullRequestPlan', requestPlan);
    await view.page.getByRole('form', { name: 'Open a pull request' }).getByText('https://github.com/ada/web-app.git').waitFor();
    await button('Push and open').click();
    const { id } = await view.asked('result');
    await button('Stop').click();
    const cancel = await view.until('its end', ({ type }) => type === 'cancel');
    assert.deepEqual(cancel, { type: 'cancel', of: id });
    await result().getByText('It was stopped. It is not known what the remote has got.').waitFor();
  });

  /** What the page has said last. */
  async function offers(deeds: string[]): Promise<void> {
    const last = () => view.posted.findLast((message) => message.type === 'offers')?.deeds;
    for (let frames = 0; frames < 50 && String(last()) !== String(deeds); frames++) await view.settle();
    assert.deepEqual(last(), deeds);
  }
  const worktree = { id: 'run', path: '/trees/j-1.run', folder: '/trees/j-1.run', branch: 'tapline/j-1/run', base: 'abc' };

  it('says what can be begun there, which is no commit once the work is merged', async () => {
    await show();
    await offers(['commit', 'pullRequest']);
    await view.show({ jobId: 'j-1', job: { ...job, status: 'Executing' } });
    await offers([]);
    await view.close();
    view = await harness.open({ width: 900 });
    const merged = { ...job, worktrees: [{ ...worktree, status: 'Merged' as const }], resultChanges: [] };
    await view.show({ jobId: 'j-1', job: merged });
    await view.answerResult('result', { ...found, worktrees: [] });
    await result().getByText('The work is committed in the folder of the run.').waitFor();
    assert.equal(await result().locator('[data-begins]').count(), 0);
    await offers([]);
    await view.show({ jobId: 'j-1', job });
    await offers(['pullRequest']);
    await view.show({ isRunning: false });
    await offers([]);
  });

  it('takes a command to what it has begun already', async () => {
    await show();
    await view.begin('commit');
    await view.answerResult('commitPlan', commitPlan);
    const form = view.page.getByRole('form', { name: 'Commit on a branch' });
    await form.waitFor();
    await view.page.getByRole('heading', { name: 'Fix a failing test' }).focus();
    await view.begin('commit');
    await form.and(view.page.locator(':focus')).waitFor();
  });

  it('offers neither while the run goes on', async () => {
    await view.show({ jobId: 'j-1', job: { ...job, status: 'Executing' } });
    await view.answerResult('result', found);
    await result().getByText('3 files changed').waitFor();
    assert.equal(await result().locator('[data-begins]').count(), 0);
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`looks right and passes axe, ${theme}`, async () => {
      await view.close();
      view = await harness.open({ theme, width: 1366, height: 768 });
      await show();
      await view.screenshot(`jobPanel-result-${theme}`);
      assert.deepEqual(await view.violations(), []);
      await button('Discard: old.txt…').click();
      await button('Commit on a branch…').click();
      await view.answerResult('commitPlan', commitPlan);
      await button('Commit').waitFor();
      await view.screenshot(`jobPanel-commit-${theme}`);
      assert.deepEqual(await view.violations(), []);
    });
});

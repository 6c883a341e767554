/** The page of a job in VS Code, with the test in place of the extension. Its parts are tested in the portal's page too. */
import assert from 'node:assert/strict';
import { generateChartNodes } from '../../src/portal/chart/generateChartNodes.ts';
import { normalWork } from '../../src/portal/entry/normalWork.ts';
import { jobOffer, type JobStatus, jobStatus } from '../../src/views/portal/jobData.ts';
import { JobPage } from './jobPage.ts';
import { type ThemeName, themes } from './themes.ts';
import { type Harness, startWebview } from './webviewPage.ts';

const ref = (taskId: string) => ({ kind: 'Ref', taskId }) as const;
const chart = generateChartNodes(
  normalWork({
    kind: 'Seq',
    works: [{ kind: 'Loop', postCondition: [false, ref('tests pass?')], body: ref('fix the test') }, ref('report')],
  }),
);
const offer = jobOffer.parse({
  grid: [{ keyword: 'tests', jobs: [{ name: 'fix', jobName: 'Fix a failing test' }, null] }],
  jobs: { 'Fix a failing test': { requireUserInput: true, revision: 'r1' } },
  chart: { 'Fix a failing test': chart },
});
const job: JobStatus = jobStatus.parse({
  ...{
    jobId: 'j-1',
    jobName: 'Fix a failing test',
    status: 'Executing',
    attempt: 1,
    startedAt: 1000,
    workingDirectory: '/w',
    userInput: 'x',
  },
  ...{ chart, steps: [{ step: '0#0', workId: 0, taskName: 'tests pass?', status: 'Failed', startedAt: 3000, endedAt: 5000 }] },
});
const running = {
  ...{ step: '1#0', workId: 1, taskName: 'fix the test', status: 'Executing' as const, startedAt: 5000 },
  task: { model: 'm', decisions: [{ at: 6000, reason: '[MISC] <img src=x>' }], sessions: [{ sessionId: 's', status: 'Running' as const }] },
};
const failed: JobStatus = {
  ...{ ...job, status: 'Failed', endedAt: 8000, reason: 'its work failed' },
  steps: [...job.steps, { ...running, status: 'Failed', endedAt: 8000 }],
};
const withJob = (given: JobStatus) => ({ jobId: given.jobId, waiting: [{ sessionId: 's' }], job: given });

describe('The page of a job', function () {
  this.timeout(60_000);
  let harness: Harness<JobPage>;
  let view: JobPage;

  before(async () => {
    harness = await startWebview('jobPanel', (page) => new JobPage(page));
  });
  after(() => harness?.close());
  beforeEach(async () => (view = await harness.open({ width: 700 })));
  const button = (name: string) => view.page.getByRole('button', { name, exact: true });
  const focused = (name: string) => button(name).and(view.page.locator(':focus')).waitFor();
  afterEach(async () => {
    assert.deepEqual(view.troubles, []);
    assert.deepEqual(view.requests, [], 'only the extension asks the portal');
    await view.close();
  });

  it('offers to open a portal that does not run', async () => {
    await view.show({ isRunning: false });
    await view.page.getByRole('button', { name: 'Open the Portal' }).click();
    await view.until('the wish to open it', ({ type }) => type === 'openPortal');
  });

  it('starts a job of the grid, with what the user wrote', async () => {
    await view.show({ offer });
    await view.page.getByRole('button', { name: 'fix', exact: true }).click();
    assert.equal(await view.page.getByLabel('Folder').inputValue(), '/home/ada/web-app');
    assert.notEqual(await button('fix').evaluate((one) => getComputedStyle(one).boxShadow), 'none', 'it is marked as the chosen one');
    await view.page.getByLabel('Your input').fill('the login\ntest');
    // What comes in between keeps it.
    await view.show({ offer, at: 9500 });
    await view.page.getByRole('button', { name: 'Start Fix a failing test' }).click();
    const { id, request } = await view.asked('start');
    const expected = {
      type: 'start',
      jobName: 'Fix a failing test',
      folder: '/home/ada/web-app',
      userInput: 'the login\ntest',
      revision: 'r1',
    };
    assert.deepEqual(request, expected);
    await view.answer({ id, problem: 'The folder is not there.' });
    await view.page.getByRole('alert').getByText('The folder is not there.').waitFor();
    assert.equal(await view.page.getByLabel('Your input').inputValue(), 'the login\ntest', 'a refusal keeps it');
  });

  it('shows a run, and stops and continues it', async () => {
    await view.show({ jobId: 'j-1' });
    await view.page.getByText('Loading…').waitFor();
    await view.show(withJob({ ...job, steps: [...job.steps, running] }));
    const step = view.page.getByRole('option', { name: /^fix the test, Waits for you · 4 s/ });
    assert.equal(await step.getAttribute('aria-selected'), 'true', 'what runs is shown until the user chooses');
    await view.page.getByText('<img src=x>').waitFor();
    await view.page.getByRole('button', { name: 'Stop Fix' }).click();
    const { id, request } = await view.asked('change');
    assert.deepEqual(request, { type: 'change', jobId: 'j-1', change: { kind: 'stop' } });
    await view.page.getByRole('button', { name: 'Stop Fix' }).click();
    await view.answer({ id });
    await view.show({ ...withJob({ ...job, status: 'Stopped', endedAt: 8000 }), problem: 'It is late.' });
    await view.page.getByRole('alert').getByText('It is late.').waitFor();
    await view.page.getByRole('status').getByText('The job Fix a failing test: Stopped.').waitFor({ state: 'attached' });
    await view.page.getByRole('button', { name: 'Continue Fix' }).click();
    const again = await view.asked('change');
    assert.deepEqual(
      again.request,
      { type: 'change', jobId: 'j-1', change: { kind: 'continue' } },
      'a second click while it is done is none',
    );
    await view.answer({ id: again.id, problem: 'It has ended.' });
    await view.page.getByRole('alert').getByText('It has ended.').waitFor();
    // It is nothing to another run.
    await view.show({ ...withJob({ ...job, jobId: 'j-2' }) });
    await view.page.getByText('It has ended.').waitFor({ state: 'detached' });
  });

  it('pauses a run, and takes that back', async () => {
    await view.show(withJob({ ...job, steps: [...job.steps, running] }));
    await button('Pause Fix a failing test').click();
    const { id, request } = await view.asked('change');
    assert.deepEqual(request, { type: 'change', jobId: 'j-1', change: { kind: 'pause' } });
    await view.answer({ id });
    await view.show(withJob({ ...job, steps: [...job.steps, running], pausing: { by: 'VS Code' } }));
    await view.page.locator('.job-head').getByText('Waits for you, to be paused').waitFor();
    assert.equal(await button('Pause Fix a failing test').count(), 0);
    await button('Continue Fix a failing test').click();
    assert.deepEqual((await view.asked('change')).request, { type: 'change', jobId: 'j-1', change: { kind: 'continue' } });
  });

  it('does not lose the focus with a button that goes, and takes a double click for one', async () => {
    const shown = { ...job, steps: [...job.steps, running] };
    await view.show(withJob(shown));
    await button('Pause Fix a failing test').focus();
    await view.show(withJob({ ...shown, pausing: { by: 'VS Code' } }));
    await focused('Continue Fix a failing test');
    await button('Stop Fix a failing test').focus();
    await view.show(withJob({ ...shown, status: 'Stopped', endedAt: 9000 }));
    await focused('Continue Fix a failing test');
    await button('Continue Fix a failing test').click();
    await view.answer({ id: (await view.asked('change')).id });
    await view.show(withJob(shown));
    await button('Pause Fix a failing test').dispatchEvent('click', { detail: 2 });
    assert.equal(view.posted.filter(({ type }) => type === 'change').length, 1);
  });

  it('keeps a message to a step while another step waits, and the focus when the step ends', async () => {
    const other = { ...running, step: '2#0', workId: 2, taskName: 'report', task: { ...running.task, sessions: [] } };
    const beside = { ...other, task: { ...running.task, sessions: [{ sessionId: 'o', status: 'Running' as const }] } };
    const shown = { ...job, steps: [...job.steps, running, other] };
    await view.show({ ...withJob(shown), waiting: [] });
    await button('Steer fix the test…').click();
    await view.page.keyboard.type('mind the log');
    await view.show({ ...withJob({ ...shown, steps: [...job.steps, running, beside] }), waiting: [{ sessionId: 'o' }] });
    assert.equal(await view.page.getByRole('form', { name: 'Steer fix the test' }).getByRole('textbox').inputValue(), 'mind the log');
    await view.show(withJob({ ...shown, steps: [...job.steps, { ...running, status: 'Succeeded', endedAt: 9000 }, other] }));
    await view.page
      .getByRole('button', { name: /1 fix the test/ })
      .and(view.page.locator(':focus'))
      .waitFor();
  });

  it('steers a step by the keyboard, and keeps what was written until the agent has it', async () => {
    const shown = withJob({ ...job, steps: [...job.steps, running] });
    await view.show(shown);
    await button('Steer fix the test…').focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.type('look at the log');
    // What comes in between keeps it, and the focus.
    await view.show({ ...shown, at: 9500 });
    await view.page.keyboard.type(' first');
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('Enter');
    const { id, request } = await view.asked('change');
    assert.deepEqual(request, { type: 'change', jobId: 'j-1', change: { kind: 'steer', step: '1#0', text: 'look at the log first' } });
    await view.answer({ id, problem: 'It does not run.' });
    await view.page.getByRole('alert').getByText('It does not run.').waitFor();
    const field = view.page.getByRole('form', { name: 'Steer fix the test' }).getByRole('textbox');
    assert.equal(await field.inputValue(), 'look at the log first');
    await field.press('Enter');
    const second = await view.asked('change');
    await view.answer({ id: second.id });
    await focused('Steer fix the test…');
    assert.equal(view.posted.filter(({ type }) => type === 'change').length, 2, 'two presses told it once');
  });

  it('skips a step that runs once that is confirmed', async () => {
    await view.show(withJob({ ...job, steps: [...job.steps, running] }));
    await button('Skip fix the test…').focus();
    await view.page.keyboard.press('Enter');
    await focused('Let it run');
    await view.page.keyboard.press('Escape');
    await focused('Skip fix the test…');
    assert.equal(view.posted.filter(({ type }) => type === 'change').length, 0);
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('group', { name: 'Skip fix the test' }).getByRole('button', { name: 'Skip', exact: true }).click();
    assert.deepEqual((await view.asked('change')).request, { type: 'change', jobId: 'j-1', change: { kind: 'skip', step: '1#0' } });
  });

  it('retries from a step with another prompt and input, once it knows what the step had', async () => {
    await view.show(withJob(failed));
    await button('Retry from fix the test…').focus();
    await view.page.keyboard.press('Enter');
    const input = await view.asked('stepInput');
    assert.deepEqual(input.request, { type: 'stepInput', jobId: 'j-1', workId: 1 });
    const form = view.page.getByRole('form', { name: 'Retry from fix the test' });
    assert.equal(await form.getByRole('button', { name: 'Retry', exact: true }).isDisabled(), true);
    await view.answer({ id: input.id, input: { userInput: 'x', prompt: 'fix $user-input' } });
    assert.equal(await form.getByLabel('Input of “fix the test”').inputValue(), 'x');
    await form.getByLabel('Prompt of “fix the test”').fill('mend $user-input');
    await form.getByRole('combobox').selectOption('2 · tests pass?');
    await form.getByRole('button', { name: 'Retry', exact: true }).click();
    const { id, request } = await view.asked('change');
    const change = { kind: 'retry', from: '0#0', edit: { step: '1#0', prompt: 'mend $user-input' } };
    assert.deepEqual(request, { type: 'change', jobId: 'j-1', change });
    await view.answer({ id });
    await form.waitFor({ state: 'detached' });
    await button('Skip fix the test').click();
    assert.deepEqual((await view.asked('change')).request, { type: 'change', jobId: 'j-1', change: { kind: 'skip', step: '1#0' } });
  });

  it('says why it does not know what a step had', async () => {
    await view.show(withJob(failed));
    await button('Retry from fix the test…').click();
    await view.answer({ id: (await view.asked('stepInput')).id, problem: 'The portal cannot be reached.' });
    await view.page.getByRole('alert').getByText('The portal cannot be reached. It runs with what it had.').waitFor();
  });

  it('shows sessions in Tapline, at what waits in them, and says where a run works', async () => {
    const worktrees = [{ id: 'run', path: '/w-trees/1', branch: 'tapline/fix', status: 'Made' }];
    await view.show({
      ...withJob({ ...job, worktrees, steps: [...job.steps, { ...running, task: { ...running.task, host: 'build' } }] }),
      waiting: [{ sessionId: 's', host: 'build' }],
    });
    await view.page.getByText('Works in /w-trees/1, on tapline/fix').waitFor();
    await button('Answer it').click();
    const { id, request } = await view.asked('showSession');
    assert.deepEqual(request, { type: 'showSession', sessionId: 's', host: 'build', atCard: true });
    await view.answer({ id, problem: 'The agent host “build” is not here.' });
    await view.page.getByRole('alert').getByText('The agent host “build” is not here.').waitFor();
    await button('Show the session').click();
    assert.deepEqual((await view.asked('showSession')).request, { type: 'showSession', sessionId: 's', host: 'build' });
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`looks right and passes axe, ${theme}`, async () => {
      await view.close();
      view = await harness.open({ theme, width: 1000, height: 768 });
      await view.show(withJob({ ...job, steps: [...job.steps, running] }));
      await view.screenshot(`jobPanel-${theme}`);
      assert.deepEqual(await view.violations(), []);
      for (const opened of ['Steer', 'Skip']) {
        await button(`${opened} fix the test…`).click();
        await view.screenshot(`jobPanel-${opened}-${theme}`);
        assert.deepEqual(await view.violations(), []);
        await view.page.keyboard.press('Escape');
      }
      await view.show(withJob(failed));
      await button('Retry from fix the test…').click();
      await view.answer({ id: (await view.asked('stepInput')).id, input: { userInput: 'x', prompt: 'fix $user-input' } });
      await view.screenshot(`jobPanel-retry-${theme}`);
      assert.deepEqual(await view.violations(), []);
      await view.show({ offer });
      await view.page.getByRole('button', { name: 'fix', exact: true }).click();
      await view.screenshot(`jobPanel-start-${theme}`);
      assert.deepEqual(await view.violations(), []);
    });
});

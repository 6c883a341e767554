/** The page of a job in VS Code, with the test in place of the extension. Its parts are tested in the portal's page too. */
import assert from 'node:assert/strict';
import { generateChartNodes } from '../../src/portal/chart/generateChartNodes.ts';
import { normalWork } from '../../src/portal/entry/normalWork.ts';
import { jobOffer, type JobStatus, jobStatus } from '../../src/views/portal/jobData.ts';
import { type JobMessage, type JobPageMessage, parseJobPageMessage } from '../../src/webviews/jobPanel/protocol.ts';
import { type ThemeName, themes } from './themes.ts';
import { type Harness, startWebview, WebviewPage } from './webviewPage.ts';

class JobPage extends WebviewPage<JobPageMessage> {
  protected take(message: unknown): JobPageMessage | undefined {
    return parseJobPageMessage(message);
  }
  async show(message: Partial<JobMessage>): Promise<void> {
    await this.sendAll([{ type: 'job', isRunning: true, folder: '/home/ada/web-app', at: 9000, ...message } satisfies JobMessage]);
  }
}

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
const withJob = (given: JobStatus) => ({ jobId: given.jobId, waiting: ['s'], job: given });

describe('The page of a job', function () {
  this.timeout(60_000);
  let harness: Harness<JobPage>;
  let view: JobPage;

  before(async () => {
    harness = await startWebview('jobPanel', (page) => new JobPage(page));
  });
  after(() => harness?.close());
  beforeEach(async () => (view = await harness.open({ width: 700 })));
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
    await view.page.getByLabel('Your input').fill('the login\ntest');
    // What comes in between keeps it.
    await view.show({ offer, at: 9500 });
    await view.page.getByRole('button', { name: 'Start Fix a failing test' }).click();
    const start = await view.until('a start', ({ type }) => type === 'start');
    const expected = {
      type: 'start',
      jobName: 'Fix a failing test',
      folder: '/home/ada/web-app',
      userInput: 'the login\ntest',
      revision: 'r1',
    };
    assert.deepEqual(start, expected);
  });

  it('shows a run, and stops and continues it', async () => {
    await view.show({ jobId: 'j-1' });
    await view.page.getByText('Loading…').waitFor();
    await view.show(withJob({ ...job, steps: [...job.steps, running] }));
    const step = view.page.getByRole('option', { name: /^fix the test, Waits for you · 4 s/ });
    assert.equal(await step.getAttribute('aria-selected'), 'true', 'what runs is shown until the user chooses');
    await view.page.getByText('<img src=x>').waitFor();
    await view.page.getByRole('button', { name: 'Stop Fix' }).click();
    assert.deepEqual(await view.until('a stop', ({ type }) => type === 'stop'), { type: 'stop', jobId: 'j-1' });
    await view.show({ ...withJob({ ...job, status: 'Stopped', endedAt: 8000 }), problem: 'It is late.' });
    await view.page.getByRole('alert').getByText('It is late.').waitFor();
    await view.page.getByRole('status').getByText('The job Fix a failing test: Stopped.').waitFor({ state: 'attached' });
    await view.page.getByRole('button', { name: 'Continue Fix' }).click();
    assert.deepEqual(await view.until('a continue', ({ type }) => type === 'continue'), { type: 'continue', jobId: 'j-1' });
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`looks right and passes axe, ${theme}`, async () => {
      await view.close();
      view = await harness.open({ theme, width: 800, height: 900 });
      await view.show(withJob({ ...job, steps: [...job.steps, running] }));
      await view.screenshot(`jobPanel-${theme}`);
      assert.deepEqual(await view.violations(), []);
      await view.show({ offer });
      await view.page.getByRole('button', { name: 'fix', exact: true }).click();
      await view.screenshot(`jobPanel-start-${theme}`);
      assert.deepEqual(await view.violations(), []);
    });
});

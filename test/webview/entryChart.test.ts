/** The charts beside an entry in VS Code, with the test in place of the extension. */
import assert from 'node:assert/strict';
import { tryJob } from '../../src/portal/trial/tryJob.ts';
import { entryCharts } from '../../src/extension/portal/entryEditor/entryCharts.ts';
import type { TrialScript } from '../../src/views/portal/trial/trial.ts';
import {
  type EntryChartMessage,
  type EntryChartPageMessage,
  parseEntryChartPageMessage,
  type ShownTrial,
} from '../../src/webviews/entryChart/protocol.ts';
import { type ThemeName, themes } from './themes.ts';
import { violationsOf } from './violationsOf.ts';
import { type Harness, startWebview, WebviewPage } from './webviewPage.ts';

class ChartPage extends WebviewPage<EntryChartPageMessage> {
  protected take(message: unknown): EntryChartPageMessage | undefined {
    return parseEntryChartPageMessage(message);
  }
  async show(message: Omit<EntryChartMessage, 'type'>): Promise<void> {
    await this.sendAll([{ type: 'charts', ...message } satisfies EntryChartMessage]);
  }
}

const task = { model: { category: 'driving' }, prompt: ['Look.'], requireUserInput: false };
const asked = {
  ...task,
  prompt: ['Look at $user-input.'],
  requireUserInput: true,
  availability: { condition: ['May I? job_boolean_true'] },
};
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const read = entryCharts(
  JSON.stringify({
    models: { driving: 'fast' },
    promptVariables: {},
    tasks: { 'look <b>': asked, write: task, test: task },
    jobs: {
      Review: { work: { kind: 'Par', works: [ref('look <b>'), ref('test')] } },
      Write: { work: { kind: 'Loop', body: ref('write'), postCondition: [false, ref('test')] } },
    },
    grid: [],
  }),
);
const jobs = 'jobs' in read ? read.jobs : [];

/** As the extension does it. */
async function shownTrial(job: string, script: TrialScript): Promise<ShownTrial> {
  assert.ok('entry' in read);
  return { job, script, result: (await tryJob(read.entry, job, { ...script, folder: '/w' })) ?? assert.fail() };
}

describe('The chart beside an entry', function () {
  this.timeout(60_000);
  let harness: Harness<ChartPage>;
  let view: ChartPage;

  before(async () => {
    harness = await startWebview('entryChart', (page) => new ChartPage(page));
  });
  after(() => harness?.close());
  beforeEach(async () => (view = await harness.open({ width: 700 })));
  afterEach(async () => {
    assert.deepEqual(view.troubles, []);
    await view.close();
  });

  const heading = async () => view.page.getByRole('heading', { level: 1 }).textContent();

  it('is that of the job in which the user writes, or that they choose', async () => {
    await view.show({ jobs });
    await view.page.getByRole('listbox', { name: 'Chart of Review' }).waitFor();
    await view.show({ jobs, at: 'Write' });
    await view.page.getByRole('listbox', { name: 'Chart of Write' }).waitFor();
    assert.equal(await view.page.getByRole('option', { name: /test/ }).count(), 1);
    await view.page.getByLabel('Job').selectOption('Review');
    await view.page.getByRole('listbox', { name: 'Chart of Review' }).waitFor();
    // It is typed on in the same job.
    await view.show({ jobs: jobs.toReversed(), at: 'Write' });
    assert.equal(await heading(), 'Review');
    await view.show({ jobs, at: 'Review' });
    await view.show({ jobs, at: 'Write' });
    await view.page.getByRole('listbox', { name: 'Chart of Write' }).waitFor();
    assert.equal(await heading(), 'Write');
  });

  it('stays while the text has a fault, which it says, and says that there is none', async () => {
    await view.show({ jobs: [], problem: 'There is no chart yet. The text is no JSON now.' });
    await view.page.getByRole('status').getByText('There is no chart yet. The text is no JSON now.').waitFor();
    await view.show({ jobs, problem: 'The chart is that of the last text without faults. entry: is wrong' });
    await view.page.getByRole('listbox', { name: 'Chart of Review' }).waitFor();
    await view.page.getByRole('status').getByText('entry: is wrong').waitFor();
    await view.show({ jobs });
    await view.page.getByText('entry: is wrong').waitFor({ state: 'detached' });
    await view.show({ jobs: [] });
    await view.page.getByText('The file has no jobs yet.').waitFor();
  });

  /** Answers what the page asks to be tried, until it ends the trial. */
  async function follow(): Promise<Extract<EntryChartPageMessage, { type: 'try' }>> {
    const asked = await view.until('wish to try', ({ type }) => type === 'try');
    assert.ok(asked.type === 'try');
    const { type: _type, job, ...script } = asked;
    await view.show({ jobs, trial: await shownTrial(job, script as TrialScript) });
    return asked;
  }
  const rowsOf = () => view.page.getByRole('list', { name: 'Steps of the trial' }).getByRole('button').allTextContents();

  it('is tried with a script: steps in order, in the list and in the chart, and what each of them got', async () => {
    await view.show({ jobs, at: 'Write' });
    await view.page.getByRole('button', { name: 'Try with a Scripted Model' }).click();
    assert.deepEqual(await follow(), { type: 'try', job: 'Write', outcomes: {} });
    await view.page.getByRole('status').getByText('it would succeed after 2 steps. Nothing was run.').waitFor();
    assert.deepEqual(await rowsOf(), ['✓1 write Succeeded · may wait for you', '✓2 test Answered: true · may wait for you']);
    await view.page.getByRole('option', { name: 'test, Answered: true · step 2, condition' }).click();
    const open = view.page.getByRole('button', { name: '2 test' });
    assert.equal(await open.getAttribute('aria-expanded'), 'true');
    await view.page.getByText('Prompt, to a new session of fast:').waitFor();
    assert.equal(await view.page.getByLabel('The prompt').textContent(), 'Look.');
    assert.equal(await view.page.getByRole('definition').nth(1).textContent(), 'in /w');
    // Outcomes are changed by keys, and the result follows at once.
    const fails = view.page.getByRole('group', { name: 'test' }).getByRole('button', { name: 'Fails First' });
    await fails.focus();
    await view.page.keyboard.press('Enter');
    assert.deepEqual((await follow()).outcomes, { test: { fails: 1 } });
    assert.equal(await fails.getAttribute('aria-pressed'), 'true');
    await view.page.getByText('it would succeed after 4 steps').waitFor();
    await view.page.getByRole('option', { name: 'test, Answered: true · step 2, 4, 2 runs, condition' }).waitFor();
    const rounds = view.page.getByRole('spinbutton', { name: 'Rounds of test that fail' });
    await rounds.fill('2');
    await rounds.press('Enter');
    assert.deepEqual((await follow()).outcomes, { test: { fails: 2 } });
    await view.page.getByText('it would succeed after 6 steps').waitFor();
    assert.equal((await rowsOf())[3], '–4 test Answered: false · round 2 · may wait for you');
    await view.page.getByRole('button', { name: 'End the Trial' }).click();
    await view.until('end of the trial', ({ type }) => type === 'endTrial');
    await view.show({ jobs, at: 'Write' });
    await view.page.getByRole('list', { name: 'Steps', exact: true }).waitFor();
  });

  it('is tried with another cap of its loops, where it has some', async () => {
    await view.show({ jobs, trial: await shownTrial('Review', { outcomes: {} }) });
    await view.page.getByLabel('Input').waitFor();
    const cap = view.page.getByLabel('How often a loop may go round');
    assert.equal(await cap.count(), 0);
    await view.show({ jobs, trial: await shownTrial('Write', { outcomes: { test: { fails: 'always' } } }) });
    assert.equal(await cap.inputValue(), '100');
    await cap.fill('2');
    await cap.press('Enter');
    assert.deepEqual(await follow(), { type: 'try', job: 'Write', outcomes: { test: { fails: 'always' } }, loopCap: 2 });
    await view.page
      .getByRole('status')
      .getByText(/it would fail after 4 steps/)
      .waitFor();
    await cap.fill('0');
    await cap.press('Enter');
    assert.equal((await follow()).loopCap, 1);
    assert.equal(await cap.inputValue(), '1');
    await cap.fill('');
    await cap.press('Enter');
    assert.equal('loopCap' in (await follow()), false, 'an empty field is the cap of a run');
    assert.equal(await cap.inputValue(), '100');
  });

  it('is tried with an input, and where a task may not run', async () => {
    await view.show({ jobs, trial: await shownTrial('Review', { outcomes: {} }) });
    await view.page.getByLabel('Input').fill('the <i>last</i> commit');
    await view.page.getByLabel('Input').blur();
    assert.equal((await follow()).userInput, 'the <i>last</i> commit');
    await view.page.getByRole('button', { name: '1 look <b>' }).click();
    assert.deepEqual(await view.page.getByLabel('The prompt').allTextContents(), [
      'May I? job_boolean_true',
      'Look at the <i>last</i> commit.',
    ]);
    await view.page.getByRole('group', { name: 'look <b>' }).getByRole('button', { name: 'Not Available' }).click();
    assert.deepEqual(await follow(), {
      ...{ type: 'try', job: 'Review', userInput: 'the <i>last</i> commit' },
      outcomes: { 'look <b>': { unavailable: 'always' } },
    });
    await view.page.getByText('it would fail after 2 steps. “look <b>” failed: Does not run').waitFor();
    await view.page.getByLabel('Job').selectOption('Write');
    assert.deepEqual(await follow(), { type: 'try', job: 'Write', outcomes: {} });
    assert.equal(await heading(), 'Write');
  });

  it('takes no messages that its protocol does not have', () => {
    const tried = (outcomes: unknown) => parseEntryChartPageMessage({ type: 'try', job: 'a', outcomes, more: 1 });
    assert.deepEqual(tried({ a: { fails: 2, other: 1 } }), { type: 'try', job: 'a', outcomes: { a: { fails: 2 } } });
    for (const outcomes of [undefined, [], { a: { fails: -1 } }, { a: { fails: 'never' } }, { a: 1 }])
      assert.equal(tried(outcomes), undefined);
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`can be read and used by everybody, in ${theme}`, async () => {
      await view.close();
      view = await harness.open({ width: 700, theme });
      await view.show({ jobs, at: 'Write', problem: 'The chart is that of the last text without faults. entry: is wrong' });
      await view.page.getByRole('listbox').waitFor();
      assert.deepEqual(await violationsOf(view.page), []);
      await view.show({ jobs, trial: await shownTrial('Write', { outcomes: { test: { fails: 1 }, write: { fails: 'always' } } }) });
      await view.page.getByRole('button', { name: '1 write' }).click();
      await view.page.getByText('The script reaches a limit.').waitFor();
      assert.deepEqual(await violationsOf(view.page), []);
    });
});

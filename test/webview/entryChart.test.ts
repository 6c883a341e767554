/** The charts beside an entry in VS Code, with the test in place of the extension. */
import assert from 'node:assert/strict';
import { entryCharts } from '../../src/extension/portal/entryEditor/entryCharts.ts';
import { type EntryChartMessage, type EntryChartPageMessage, parseEntryChartPageMessage } from '../../src/webviews/entryChart/protocol.ts';
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
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const read = entryCharts(
  JSON.stringify({
    models: { driving: 'fast' },
    promptVariables: {},
    tasks: { 'look <b>': task, write: task, test: task },
    jobs: {
      Review: { work: { kind: 'Par', works: [ref('look <b>'), ref('test')] } },
      Write: { work: { kind: 'Loop', body: ref('write'), postCondition: [false, ref('test')] } },
    },
    grid: [],
  }),
);
const jobs = 'jobs' in read ? read.jobs : [];

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

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`can be read and used by everybody, in ${theme}`, async () => {
      await view.close();
      view = await harness.open({ width: 700, theme });
      await view.show({ jobs, at: 'Write', problem: 'The chart is that of the last text without faults. entry: is wrong' });
      await view.page.getByRole('listbox').waitFor();
      assert.deepEqual(await violationsOf(view.page), []);
    });
});

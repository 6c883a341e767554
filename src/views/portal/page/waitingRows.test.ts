import assert from 'node:assert/strict';
import { generateChartNodes } from '../../../portal/chart/generateChartNodes.ts';
import { normalWork } from '../../../portal/entry/normalWork.ts';
import type { WaitingItem } from '../answers/attentionList.ts';
import { jobStatus } from '../jobData.ts';
import type { SessionSummary } from '../sessionData.ts';
import { nextWaiting, waitingRows } from './waitingRows.ts';

const NOW = new Date(2026, 10, 27, 8, 0).getTime();
const item = (fields: Partial<WaitingItem> = {}): WaitingItem => ({
  ...{
    id: 'i',
    revision: 'r',
    kind: 'call',
    session: 'demo:/s',
    title: 'tidy\nup',
    what: 'Run rm?',
    since: NOW - 120_000,
    decisions: ['deny'],
  },
  ...fields,
});
const session = (use: SessionSummary['use']): SessionSummary => ({
  ...{ sessionId: 's', uri: 'demo:/s', title: 't', isWorking: true, waiting: 1 },
  ...(use && { use }),
});
const ref = (taskId: string) => ({ kind: 'Ref', taskId }) as const;
const job = jobStatus.parse({
  ...{ jobId: 'j', jobName: 'Clean', status: 'Executing', attempt: 1, startedAt: NOW - 60_000, workingDirectory: '/w', userInput: '' },
  chart: generateChartNodes(normalWork({ kind: 'Seq', works: [ref('look'), ref('tidy up')] })),
  steps: [
    { step: '0#0', workId: 0, taskName: 'look', status: 'Succeeded', startedAt: NOW - 60_000, endedAt: NOW - 50_000 },
    {
      ...{ step: '1#0', workId: 1, taskName: 'tidy up', status: 'Executing', startedAt: NOW - 50_000 },
      task: { model: 'm', decisions: [], sessions: [{ sessionId: 's', status: 'Running' }] },
    },
  ],
});
const partOf = (of: WaitingItem, sessions: SessionSummary[], jobs = new Map([['j', job]])) =>
  waitingRows([of], { sessions, jobs, now: NOW })[0]?.partOf.map((part) => part.replace(/\d+:.*/, 'TIME'));

describe('the rows of what waits', () => {
  it('name the job, its run, the step and the task', () => {
    const inJob = session({ taskName: 'tidy up', jobId: 'j', jobName: 'Clean' });
    assert.deepEqual(partOf(item(), [inJob]), ['job Clean', 'run of TIME', 'step 2 of 2', 'task tidy up']);
    assert.deepEqual(partOf(item({ session: 'demo:/sub', topSession: 'demo:/s' }), [inJob]), [
      'job Clean',
      'run of TIME',
      'step 2 of 2',
      'task tidy up',
    ]);
    assert.deepEqual(partOf(item(), [inJob], new Map()), ['job Clean', 'task tidy up'], 'the run is not known yet');
    assert.deepEqual(partOf(item(), [session({ taskName: 'alone' })]), ['task alone']);
    assert.deepEqual(partOf(item(), [session(undefined)]), []);
    assert.deepEqual(partOf(item({ host: 'far' }), [inJob]), [], 'another host has a session of the same name');
  });

  it('say where and since when, and where it is answered', () => {
    const rows = waitingRows(
      [item({ host: 'far', folder: 'file:///w/a%20b' }), item({ kind: 'failed', title: '' }), item({ session: undefined })],
      {
        ...{ sessions: [], jobs: new Map(), now: NOW },
      },
    );
    assert.deepEqual(rows[0]?.place, ['at far', '/w/a b', '2m']);
    assert.deepEqual(
      rows.map(({ title, hasPage }) => [title, hasPage]),
      [
        ['tidy up', true],
        ['Session without a title', false],
        ['tidy up', false],
      ],
    );
  });

  it('go on after an answer with the one behind it, else with the first', () => {
    assert.equal(nextWaiting(['a', 'b', 'c'], 'a', ['b', 'c']), 'b');
    assert.equal(nextWaiting(['a', 'b', 'c'], 'b', ['a', 'new', 'c']), 'c');
    assert.equal(nextWaiting(['a', 'b'], 'b', ['a', 'new']), 'a');
    assert.equal(nextWaiting(['a'], 'a', []), undefined);
  });
});

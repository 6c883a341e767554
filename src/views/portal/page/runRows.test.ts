import assert from 'node:assert/strict';
import type { WaitingItem } from '../answers/attentionList.ts';
import type { JobSummary } from '../jobData.ts';
import type { SessionSummary } from '../sessionData.ts';
import { failureOf, foundRuns, runRows } from './runRows.ts';

const NOW = new Date(2026, 10, 27, 8, 0).getTime();
const run = (fields: Partial<JobSummary>): JobSummary => ({
  ...{
    jobId: 'j',
    jobName: 'Build',
    status: 'Succeeded',
    attempt: 1,
    startedAt: NOW - 60_000,
    endedAt: NOW - 48_000,
    workingDirectory: '/home/ada/web-app',
  },
  ...fields,
});
const session = (jobId: string, waiting: number): SessionSummary => ({
  ...{ sessionId: `s of ${jobId}`, uri: 'demo:/s', title: 't', isWorking: true, waiting },
  use: { taskName: 'a', jobId },
});
const runs = [
  run({ jobId: 'a' }),
  run({ jobId: 'b', jobName: 'Review', status: 'Failed', reason: 'its work\nfailed', workingDirectory: 'C:\\code\\api\\' }),
  run({ jobId: 'c', status: 'Executing', endedAt: undefined }),
  run({ jobId: 'd', status: 'Executing', endedAt: undefined }),
  run({ jobId: 'e', status: 'Interrupted', workingDirectory: '/', attempt: 2 }),
  run({ jobId: 'f', status: 'Stopped', jobName: '\u202e' }),
];
const rows = runRows(runs, [session('c', 2), session('d', 0)], [], NOW);
const ids = (filter: Parameters<typeof foundRuns>[1], search = '') => foundRuns(rows, filter, search).map(({ jobId }) => jobId);

describe('the rows of runs', () => {
  it('have the newest first, and what tells one from another', () => {
    assert.deepEqual(
      rows.map(({ jobId, statusText }) => `${jobId} ${statusText}`),
      ['f Stopped', 'e Interrupted', 'd Running', 'c Waits for you', 'b Failed', 'a Succeeded'],
    );
    const [, , , , b, a] = rows;
    assert.deepEqual([b?.folder, b?.folderPath, b?.failure], ['api', 'C:\\code\\api\\', 'its work failed']);
    assert.deepEqual([a?.folder, a?.elapsed, a?.failure], ['web-app', '12 s', undefined]);
    assert.match(a?.begun ?? '', /7:59/);
    assert.deepEqual([rows[1]?.folder, rows[1]?.attempt, rows[0]?.name], ['/', 2, 'A job without a name']);
  });

  it('have what newer portals say: the input, what waits, what was denied, the step that failed and why', () => {
    const failedStep = {
      step: '2#0',
      workId: 2,
      taskName: 'review',
      reason: 'criteria.toolExecuted ["x"]: x was not called in the last round.',
    };
    const [row] = runRows([run({ status: 'Failed', reason: 'its work failed', input: 'Fix\nit', denied: 2, failedStep })], [], [], NOW);
    assert.deepEqual(
      [row?.input, row?.denied, row?.failure],
      ['Fix it', '2 calls were denied', 'review: Criteria not met: x was not called in the last round'],
    );
    const where = { step: '0#0', workId: 0, taskName: 'a' };
    assert.equal(failureOf({ status: 'Failed', failedStep: where }), 'a failed');
    assert.equal(failureOf({ status: 'Stopped', failedStep: where }), undefined, 'it was stopped, and has not failed');
    const waiting = run({ status: 'Executing', endedAt: undefined, waiting: 1 });
    assert.equal(runRows([waiting], [], [], NOW)[0]?.status, 'Waiting');
    assert.equal(runRows([{ ...waiting, waiting: 0 }], [session('j', 1)], [], NOW)[0]?.status, 'Executing');
    assert.equal(row && foundRuns([row], 'failed', 'fix denied review').length, 1);
  });

  it('are filtered by how they stand', () => {
    assert.deepEqual(ids('all'), ['f', 'e', 'd', 'c', 'b', 'a']);
    assert.deepEqual(ids('waiting'), ['c']);
    assert.deepEqual(ids('running'), ['d', 'c']);
    assert.deepEqual(ids('failed'), ['e', 'b']);
    assert.deepEqual(ids('succeeded'), ['a']);
    assert.deepEqual(ids('stopped'), ['f']);
  });

  it('are found by every word of a search, in any order', () => {
    assert.deepEqual(ids('all', ' WORK  review '), ['b']);
    assert.deepEqual(ids('all', 'web-app build'), ['d', 'c', 'a']);
    assert.deepEqual(ids('succeeded', 'review'), []);
    assert.deepEqual(ids('all', '(.*'), []);
  });

  it('say what waits, and how much', () => {
    const item = (fields: Partial<WaitingItem>): WaitingItem => ({
      ...{ id: 'i', revision: 'r', kind: 'call', session: 'demo:/s', title: 'Tidy up', what: 'Run\nrm?', since: NOW, decisions: [] },
      ...fields,
    });
    const said = (waiting: number, ...items: WaitingItem[]) =>
      runRows([run({ status: 'Executing', endedAt: undefined, waiting })], [session('j', waiting)], items, NOW)[0]?.waits;
    assert.equal(said(1, item({})), 'Run rm?');
    assert.equal(said(3, item({ kind: 'failed', what: 'A turn failed' }), item({}), item({ what: 'Another' })), 'Run rm?, and 2 more');
    assert.equal(said(1, item({ what: '' })), 'Tidy up');
    assert.equal(said(2), '2 things wait');
    assert.equal(said(1), undefined);
    assert.equal(said(2, item({ session: 'demo:/other' })), '2 things wait');
    assert.equal(said(0, item({})), undefined, 'it was answered a moment ago');
  });

  it('say that nothing has happened in a step for a while', () => {
    const stalled = { taskName: 'bui\nld', since: NOW - 20 * 60_000 };
    const [row] = runRows([run({ status: 'Executing', endedAt: undefined, stalled })], [], [], NOW);
    assert.equal(row?.stalled, 'bui ld: nothing has happened for 20 min');
    assert.equal(foundRuns(row ? [row] : [], 'all', 'nothing happened').length, 1);
  });
});

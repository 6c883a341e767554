import assert from 'node:assert/strict';
import type { JobSummary } from './jobData.ts';
import { runRows } from './runRows.ts';

const run = (jobId: string, more: Partial<JobSummary> = {}): JobSummary => ({
  ...{ jobId, jobName: 'night', status: 'Succeeded', attempt: 1, startedAt: 1000, endedAt: 3000, workingDirectory: '/home/me/code/lemon' },
  ...more,
});

describe('the rows of runs', () => {
  it('tell one run from another, the newest first', () => {
    const rows = runRows(
      [
        run('a', { input: 'fix\nthe test', denied: 2 }),
        run('b', { startedAt: 2000, status: 'Failed', failedStep: { step: '1#0', workId: 1, taskName: 'review', reason: 'not done' } }),
        run('c', { startedAt: 9000, endedAt: undefined, status: 'Executing', waiting: 2 }),
      ],
      {},
      10_000,
    );
    assert.deepEqual(
      rows.map(({ jobId, statusText, failure, denied, input, folder }) => ({ jobId, statusText, failure, denied, input, folder })),
      [
        { jobId: 'c', statusText: 'Waits for you (2)', failure: undefined, denied: undefined, input: undefined, folder: 'code/lemon' },
        { jobId: 'b', statusText: 'Failed', failure: 'review: not done', denied: undefined, input: undefined, folder: 'code/lemon' },
        { jobId: 'a', statusText: 'Succeeded', failure: undefined, denied: '2 calls denied', input: 'fix the test', folder: 'code/lemon' },
      ],
    );
  });

  it('are those of a portal of an older version, too', () => {
    const [row] = runRows([run('a', { status: 'Failed', reason: 'its work failed' })], {}, 10_000);
    assert.deepEqual([row?.failure, row?.statusText, row?.denied], ['its work failed', 'Failed', undefined]);
    assert.equal(runRows([run('b', { status: 'Executing', endedAt: undefined })], {}, 10_000)[0]?.status, 'Executing');
  });

  it('are found by each word that they show, and by status', () => {
    const runs = [
      run('a', { input: 'Fix the Lemon' }),
      run('b', { status: 'Executing', endedAt: undefined, waiting: 1, workingDirectory: '/srv/x' }),
    ];
    const found = (filter: Parameters<typeof runRows>[1]) => runRows(runs, filter, 10_000).map(({ jobId }) => jobId);
    assert.deepEqual(found({ text: 'lemon  fix' }), ['a']);
    assert.deepEqual(found({ text: 'lemon other' }), []);
    assert.deepEqual(found({ text: 'SRV' }), ['b']);
    assert.deepEqual(found({ status: ['Waiting'] }), ['b']);
    assert.deepEqual(found({ status: ['Executing'] }), []);
    assert.deepEqual(found({ status: [] }), ['a', 'b']);
  });
});

import assert from 'node:assert/strict';
import type { JobSummary } from '../jobData.ts';
import { type KnownRuns, lookAtRuns } from './runNews.ts';

const NOW = 1_000_000_000;
const run = (fields: Partial<JobSummary>): JobSummary => ({
  ...{ jobId: 'j', jobName: 'Build', status: 'Executing', attempt: 1, startedAt: NOW - 60_000, workingDirectory: '/w' },
  ...fields,
});
const ended = (status: JobSummary['status'], fields: Partial<JobSummary> = {}) => run({ status, endedAt: NOW - 30_000, ...fields });
const failedStep = { step: '0#0', workId: 0, taskName: 'a\nb', reason: 'a secret of the model' };
const stalled = { taskName: 'a', since: NOW - 20 * 60_000 };

describe('the news of runs', () => {
  let known: KnownRuns | undefined;
  beforeEach(() => (known = undefined));
  const look = (...runs: JobSummary[]) => {
    const looked = lookAtRuns(runs, known, NOW);
    known = looked.known;
    return looked.news.map(({ kind, title, text }) => `${kind}: ${title}. ${text}`);
  };

  it('are none of what was over or stalled before anybody looked', () => {
    assert.deepEqual(look(ended('Failed'), run({ jobId: 'k', stalled })), []);
    assert.deepEqual(look(ended('Failed'), run({ jobId: 'k', stalled })), []);
  });

  it('say how each run ends, with names of the entry alone', () => {
    look(run({}));
    assert.deepEqual(look(ended('Failed', { failedStep, reason: 'a secret', input: 'a secret' })), [
      'failed: A run has failed. “Build” has failed in “a b” after 30 s',
    ]);
    for (const [end, said] of [
      [ended('Succeeded'), 'done: A run is done. “Build” has succeeded after 30 s'],
      [ended('Interrupted'), 'failed: A run was interrupted. “Build” was interrupted after 30 s'],
      [ended('Stopped', { reason: 'x' }), 'failed: A run was stopped. “Build” was stopped, because its budget is used up, after 30 s'],
    ] as const) {
      known = undefined;
      look(run({}));
      assert.deepEqual(look(end), [said]);
      assert.deepEqual(look(end), [], 'once');
    }
  });

  it('are none of a run that somebody has stopped, or that is paused', () => {
    look(run({}), run({ jobId: 'k' }));
    assert.deepEqual(look(ended('Stopped', { stoppedBy: 'the page' }), run({ jobId: 'k', status: 'Paused' })), []);
    assert.deepEqual(look(ended('Stopped'), run({ jobId: 'k' })), []);
  });

  it('are told of a run that began and ended between two looks, and of each attempt', () => {
    look();
    assert.equal(look(ended('Failed')).length, 1);
    assert.equal(look(ended('Failed', { attempt: 2 })).length, 1);
    assert.equal(look(run({ attempt: 3 })).length, 0);
    assert.equal(look(ended('Succeeded', { attempt: 3 })).length, 1);
  });

  it('are not told again when the portal lists a run anew', () => {
    look(run({}));
    look(ended('Failed'));
    look();
    assert.deepEqual(look(ended('Failed')), []);
  });

  it('say once that nothing happens in a run, until it goes on', () => {
    look(run({}));
    assert.deepEqual(look(run({ stalled })), ['stalled: A run is stalled. “Build”, “a”: nothing has happened for 20 min']);
    assert.deepEqual(look(run({ stalled: { taskName: 'b', since: NOW } })), []);
    look(run({}));
    assert.equal(look(run({ stalled })).length, 1);
  });

  it('begin with what needs somebody', () => {
    look(...['a', 'b', 'c'].map((jobId) => run({ jobId })));
    const news = look(ended('Succeeded', { jobId: 'a' }), run({ jobId: 'b', stalled }), ended('Failed', { jobId: 'c' }));
    assert.deepEqual(
      news.map((one) => one.split(':')[0]),
      ['failed', 'stalled', 'done'],
    );
  });
});

import assert from 'node:assert/strict';
import type { JobStatus } from '../jobData.ts';
import { waitingJobs } from './waitingJobs.ts';

const session = (jobId: string, waiting = 1) => ({ waiting, use: { taskId: 't', taskName: 'T', jobId, jobName: 'J' } });
const job = (jobId: string) => ({ jobId }) as JobStatus;

describe('the runs in which something waits', () => {
  it('are each asked for once, and only those', async () => {
    const asked: string[] = [];
    const { jobs, problem } = await waitingJobs(
      [session('a'), session('a'), session('b', 0), { waiting: 1, use: undefined }],
      async (id) => {
        asked.push(id);
        return job(id);
      },
    );
    assert.deepEqual([asked, [...jobs.keys()], problem], [['a'], ['a'], undefined]);
  });

  it('are there where one of them cannot be had, which is said', async () => {
    const { jobs, problem } = await waitingJobs([session('a'), session('b'), session('c')], async (id) => {
      if (id !== 'b') throw new Error('It is away.');
      return job(id);
    });
    assert.deepEqual([...jobs.keys()], ['b']);
    assert.equal(problem, 'The steps of 2 runs in which something waits could not be read. It is away.');
  });
});

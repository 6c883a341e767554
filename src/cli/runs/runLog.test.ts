import assert from 'node:assert/strict';
import type { JobRun, StepRun } from './runData.ts';
import { RunLog } from './runLog.ts';

const step = (workId: number, taskName: string, startedAt: number, reasons: [number, string][], endedAt?: number): StepRun => ({
  ...{ step: `${workId}#0`, workId, taskId: `t${workId}`, taskName, startedAt },
  status: endedAt === undefined ? 'Executing' : 'Failed',
  ...(endedAt !== undefined && { endedAt }),
  task: { decisions: reasons.map(([at, reason]) => ({ at, reason })) },
});
const job = (...steps: StepRun[]): JobRun => ({
  ...{ jobId: 'j', jobName: 'job', status: 'Executing', startedAt: 1, workingDirectory: '/', userInput: '', steps },
});

describe('the log of a run', () => {
  const texts = (log: RunLog, run: JobRun) => log.take(run).map(({ taskName, text }) => `${taskName}: ${text}`);

  it('has what steps side by side did in the order in which it happened, each once', () => {
    const log = new RunLog();
    const before = job(step(0, 'a', 1, [[3, 'one']]), step(1, 'b', 2, []));
    assert.deepEqual(texts(log, before), ['a: has started', 'b: has started', 'a: one']);
    assert.deepEqual(texts(log, before), []);
    const after = job(
      step(0, 'a', 1, [[3, 'one'], [5, 'one']], 8), // prettier-ignore
      step(1, 'b', 2, [[4, 'two'], [6, 'three']]), // prettier-ignore
      step(0, 'a', 9, []),
    );
    assert.deepEqual(texts(log, after), ['b: two', 'a: one', 'b: three', 'a: has failed', 'a: has started']);
  });

  it('says that a step was skipped, and how it had ended before', () => {
    const by = 'the command line';
    const failed = { ...step(0, 'a', 1, [], 3), status: 'Succeeded', skipped: { at: 5, by, was: 'Failed' } };
    const ran = { ...step(1, 'b', 2, [], 4), status: 'Succeeded', skipped: { at: 4, by, was: 'Executing' } };
    assert.deepEqual(texts(new RunLog(), job(failed, ran)), [
      'a: has started',
      'b: has started',
      'a: has failed',
      'b: was skipped by the command line and counts as done',
      'a: was skipped by the command line and counts as done',
    ]);
  });

  it('has the decisions of a task that runs alone', () => {
    const log = new RunLog();
    const task = { taskId: 't', taskName: 'a', status: 'Executing', startedAt: 1, decisions: [{ at: 2, reason: 'x' }] };
    assert.deepEqual(log.take(task), [{ at: 2, taskName: 'a', text: 'x' }]);
    assert.deepEqual(log.take(task), []);
  });
});

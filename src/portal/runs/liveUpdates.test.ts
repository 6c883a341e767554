import assert from 'node:assert/strict';
import { liveUpdates } from './liveUpdates.ts';
import type { RunEvent } from './runEvents.ts';

const at = 1;
const taskId = 't';
const definition = {
  jobName: 'job',
  requireUserInput: false,
  work: { kind: 'Ref', taskId: 'a', workIdInJob: 0 },
  tasks: {},
  models: {},
} as const;
const open = { does: 'open' };
const close = { does: 'close' };

/** What is done, without the ids, which must be those of the job or the task. */
function shown(event: RunEvent, expectedOf: 'job' | 'task' | 'session' = event.type.startsWith('task') ? 'task' : 'job'): unknown[] {
  return liveUpdates(event, 'j').map(({ of, id, ...rest }) => {
    assert.equal(of, expectedOf);
    assert.equal(id, { job: 'j', task: 't', session: 's' }[of]);
    return rest.does === 'push' ? rest.response : rest;
  });
}

describe('the live interface', () => {
  it('tells of a job', () => {
    assert.deepEqual(shown({ at, type: 'jobStarted', jobId: 'j', definition, userInput: '', workingDirectory: '/' }), [open]);
    assert.deepEqual(shown({ at, type: 'jobContinued', redo: [] }), [open]);
    assert.deepEqual(shown({ at, type: 'workStarted', workId: 3, step: '3#0', taskId, taskName: 'a' }), [
      { callback: 'workStarted', workId: 3, taskId },
    ]);
    assert.deepEqual(shown({ at, type: 'workStopped', workId: 3, step: '3#0', taskId, succeeded: false }), [
      { callback: 'workStopped', workId: 3, succeeded: false },
    ]);
    assert.deepEqual(shown({ at, type: 'jobSucceeded' }), [{ callback: 'jobSucceeded' }, close]);
    assert.deepEqual(shown({ at, type: 'jobFailed', reason: 'its work failed', failedSteps: ['3#0'] }), [{ callback: 'jobFailed' }, close]);
    assert.deepEqual(shown({ at, type: 'jobFailed', reason: 'crash', failedSteps: [] }), [
      { jobError: 'crash' },
      { callback: 'jobFailed' },
      close,
    ]);
    assert.deepEqual(shown({ at, type: 'jobStopped' }), [close]);
    assert.deepEqual(shown({ at, type: 'jobInterrupted' }), [close]);
  });

  it('tells of a task', () => {
    assert.deepEqual(shown({ at, taskId, type: 'taskStarted', taskName: 'a', model: 'm' }), [open]);
    assert.deepEqual(shown({ at, taskId, type: 'taskPrompt', sessionId: 's', prompt: 'go' }, 'session'), [
      { callback: 'onGeneratedUserPrompt', prompt: 'go' },
    ]);
    assert.deepEqual(shown({ at, taskId, type: 'taskDecision', reason: '[MISC] x' }), [{ callback: 'taskDecision', reason: '[MISC] x' }]);
    assert.deepEqual(shown({ at, taskId, type: 'taskSessionStarted', sessionId: 's', model: 'm', isDriving: true }), [
      { callback: 'taskSessionStarted', taskId, isDrivingSession: true, sessionId: 's', isDriving: true },
    ]);
    assert.deepEqual(shown({ at, taskId, type: 'taskSessionStopped', sessionId: 's', succeeded: true }), [
      { callback: 'taskSessionStopped', taskId, succeeded: true, sessionId: 's' },
    ]);
    assert.deepEqual(shown({ at, taskId, type: 'taskSucceeded' }), [{ callback: 'taskSucceeded' }, close]);
    assert.deepEqual(shown({ at, taskId, type: 'taskFailed' }), [{ callback: 'taskFailed' }, close]);
    assert.deepEqual(shown({ at, taskId, type: 'taskFailed', crashError: 'x' }), [{ taskError: 'x' }, { callback: 'taskFailed' }, close]);
    assert.deepEqual(shown({ at, taskId, type: 'taskStopped' }), [close]);
    assert.deepEqual(shown({ at, taskId, type: 'taskInterrupted' }), [close]);
  });
});

import assert from 'node:assert/strict';
import { deepFreeze } from '../../../test/support/deepFreeze.ts';
import { answers, continuation, cutOff, type JobState, reduceJob, runningWorkIds, succeededTasks } from './jobState.ts';
import type { RunEvent } from './runEvents.ts';

const definition = {
  jobName: 'job',
  requireUserInput: false,
  work: { kind: 'Ref', taskId: 'a', workIdInJob: 0 },
  tasks: {},
  models: {},
} as const;
const start: RunEvent = { at: 1, type: 'jobStarted', jobId: 'j', definition, userInput: 'in', workingDirectory: '/w' };
const began = (at: number, workId: number, taskId: string, taskName = taskId): RunEvent[] => [
  { at, type: 'workStarted', workId, step: `${workId}#0`, taskId, taskName },
  { at, type: 'taskStarted', taskId, taskName, model: 'm' },
  { at, type: 'taskSessionStarted', taskId, sessionId: `s-${taskId}`, model: 'm', isDriving: true },
];
const stopped = (at: number, workId: number, taskId: string, succeeded: boolean, crashError?: string): RunEvent => ({
  ...{ at, type: 'workStopped', workId, step: `${workId}#0`, taskId, succeeded },
  ...(crashError !== undefined && { crashError }),
});
const stateOf = (...events: RunEvent[]) =>
  events.reduce<JobState | undefined>((state, event) => deepFreeze(reduceJob(state, deepFreeze(event))), undefined) as JobState;

describe('the state of a job', () => {
  it('is made of its events, with what each task decided', () => {
    const decision: RunEvent = { at: 3, type: 'taskDecision', taskId: 'a', reason: '[MISC] x' };
    const state = stateOf(start, ...began(2, 0, 'a'), decision, { at: 4, type: 'taskSucceeded', taskId: 'a' }, stopped(4, 0, 'a', true), {
      at: 5,
      type: 'jobSucceeded',
    });
    assert.deepEqual(state, {
      ...{ jobId: 'j', definition, userInput: 'in', workingDirectory: '/w', status: 'Succeeded', attempt: 1, startedAt: 1, endedAt: 5 },
      failedSteps: [],
      steps: [
        {
          ...{ step: '0#0', workId: 0, taskId: 'a', taskName: 'a', status: 'Succeeded', startedAt: 2, endedAt: 4 },
          task: {
            ...{ taskId: 'a', taskName: 'a', model: 'm', status: 'Succeeded', startedAt: 2, endedAt: 4 },
            decisions: [{ at: 3, reason: '[MISC] x' }],
            sessions: [{ sessionId: 's-a', model: 'm', isDriving: true, status: 'Stopped' }],
          },
        },
      ],
    });
    assert.deepEqual(JSON.parse(JSON.stringify(state)), state);
  });

  it('has the work trees as they are now, each time that one was made', () => {
    const made = (at: number, path: string): RunEvent => ({
      at,
      type: 'worktreeMade',
      id: 'run',
      path,
      folder: path,
      branch: 'b',
      base: 'c',
    });
    const tree = { id: 'run', path: '/1', folder: '/1', branch: 'b', base: 'c', madeAt: 2 };
    const conflict: RunEvent = { at: 3, type: 'worktreeConflict', id: 'run', files: ['f'] };
    assert.deepEqual(stateOf(start, made(2, '/1'), conflict).worktrees, [{ ...tree, at: 3, status: 'Conflict', files: ['f'] }]);
    const merged: RunEvent = { at: 4, type: 'worktreeMerged', id: 'run', commit: 'd' };
    const left: RunEvent = { at: 6, type: 'worktreeLeft', id: 'run', commit: 'e' };
    assert.deepEqual(stateOf(start, made(2, '/1'), conflict, merged, made(5, '/2'), left).worktrees, [
      { ...tree, at: 4, status: 'Merged', commit: 'd' },
      { ...tree, path: '/2', folder: '/2', madeAt: 5, at: 6, status: 'Left', commit: 'e' },
    ]);
    assert.equal(stateOf(start, merged).worktrees?.length, 0);
  });

  it('knows which steps run, and ends all of them with the job', () => {
    const running = [start, ...began(2, 0, 'a'), ...began(2, 1, 'b'), stopped(3, 0, 'a', true)];
    assert.deepEqual(runningWorkIds(stateOf(...running)), [1]);
    for (const [type, status] of [
      ['jobStopped', 'Stopped'],
      ['jobInterrupted', 'Interrupted'],
    ] as const) {
      const state = stateOf(...running, { at: 9, type });
      assert.equal(state.status, status);
      assert.deepEqual(runningWorkIds(state), []);
      assert.deepEqual([state.steps[1]?.status, state.steps[1]?.endedAt, state.steps[1]?.task?.status], [status, 9, status]);
      assert.equal(state.steps[1]?.task?.sessions[0]?.status, 'Stopped');
      assert.equal(state.steps[0]?.status, 'Succeeded');
    }
  });

  it('has no answer of a step that crashed, was stopped or is done again', () => {
    const events = [start, ...began(2, 0, 'a'), stopped(3, 0, 'a', true), ...began(3, 1, 'b'), stopped(4, 1, 'b', false)];
    const crashed = [...began(5, 2, 'c'), stopped(6, 2, 'c', false, 'out of memory'), ...began(6, 3, 'd')];
    const state = stateOf(...events, ...crashed, { at: 7, type: 'jobFailed', reason: 'x', failedSteps: [] });
    assert.deepEqual(
      [...answers(state)],
      [
        ['0#0', true],
        ['1#0', false],
      ],
    );
    const continued = reduceJob(state, { at: 8, type: 'jobContinued', redo: ['1#0'] }) as JobState;
    assert.deepEqual([...answers(continued)], [['0#0', true]]);
    assert.deepEqual(
      continued.steps.map(({ redone }) => redone),
      [undefined, true, true, true],
    );
    assert.deepEqual([continued.status, continued.attempt, continued.endedAt, continued.reason], ['Executing', 2, undefined, undefined]);
    const again = stateOf(
      ...events,
      { at: 7, type: 'jobStopped' },
      { at: 8, type: 'jobContinued', redo: ['1#0'] },
      ...began(9, 1, 'b2', 'b'),
      stopped(9, 1, 'b2', true),
    );
    assert.deepEqual(
      [...answers(again)],
      [
        ['0#0', true],
        ['1#0', true],
      ],
    );
  });

  it('goes on from a step with all that began after it had ended, and not from one that is not there', () => {
    const first = [start, ...began(2, 0, 'a'), stopped(3, 0, 'a', true), ...began(3, 1, 'b'), ...began(3, 2, 'c')];
    const state = stateOf(
      ...[...first, stopped(4, 2, 'c', true), ...began(5, 3, 'd'), stopped(6, 3, 'd', true), stopped(7, 1, 'b', false)],
      { at: 8, type: 'jobFailed', reason: 'x', failedSteps: ['1#0'] },
    );
    assert.deepEqual(continuation(undefined, '0#0'), { error: 'JobNotFound' });
    assert.deepEqual(continuation(state), { redo: ['1#0'] });
    assert.deepEqual(continuation(state, '0#0'), { redo: ['1#0', '0#0', '2#0', '3#0'] });
    assert.deepEqual(continuation(state, '2#0'), { redo: ['1#0', '2#0', '3#0'] }, 'what ran beside it does not depend on it');
    assert.deepEqual(continuation(state, '0#1'), { error: 'StepNotFound' });
    assert.deepEqual(continuation(stateOf(...first), '0#0'), { error: 'JobCannotContinue' });
    const well = stateOf(start, ...began(2, 0, 'a'), stopped(3, 0, 'a', true), { at: 4, type: 'jobSucceeded' });
    assert.deepEqual(continuation(well), { error: 'JobCannotContinue' });
    assert.deepEqual(continuation(well, '0#0'), { redo: ['0#0'] });
    const again = stateOf(
      ...[start, ...began(2, 0, 'a'), stopped(3, 0, 'a', true)],
      { at: 4, type: 'jobStopped' },
      { at: 5, type: 'jobContinued', redo: ['0#0'] },
      { at: 6, type: 'jobStopped' },
    );
    assert.deepEqual(continuation(again, '0#0'), { error: 'StepNotFound' }, 'a step that did not run again does not count');
  });

  it('ends what a process which is gone has left: a task that had ended gives its step the answer', () => {
    const left = stateOf(
      ...[
        start,
        ...began(1, 0, 'a'),
        stopped(2, 0, 'a', true),
        ...began(3, 1, 'b'),
        ...began(3, 2, 'c'),
        ...began(3, 3, 'd'),
        ...began(3, 4, 'e'),
      ],
      ...([
        { at: 4, type: 'taskSucceeded', taskId: 'b' },
        { at: 4, type: 'taskFailed', taskId: 'c' },
        { at: 4, type: 'taskFailed', taskId: 'd', crashError: 'x' },
      ] satisfies RunEvent[]),
    );
    const events = cutOff(left, 5);
    assert.deepEqual(events, [
      { at: 5, type: 'workStopped', workId: 1, step: '1#0', taskId: 'b', succeeded: true },
      { at: 5, type: 'workStopped', workId: 2, step: '2#0', taskId: 'c', succeeded: false },
      { at: 5, type: 'taskInterrupted', taskId: 'e' },
    ]);
    const state = [...events, { at: 6, type: 'jobTakenOver' } as const].reduce<JobState | undefined>(reduceJob, left);
    assert.deepEqual([state?.status, state?.attempt], ['Executing', 2]);
    assert.deepEqual(
      state?.steps.map(({ status, redone, task }) => [status, redone, task?.status]),
      [
        ['Succeeded', undefined, 'Interrupted'],
        ['Succeeded', undefined, 'Succeeded'],
        ['Failed', undefined, 'Failed'],
        ['Interrupted', true, 'Failed'],
        ['Interrupted', true, 'Interrupted'],
      ],
    );
    assert.deepEqual(cutOff(state ?? assert.fail(), 7), []);
  });

  it('knows which tasks succeeded when they last ran', () => {
    const events = [start, ...began(1, 0, '1', 'a'), stopped(1, 0, '1', true), ...began(2, 1, '2', 'b'), stopped(2, 1, '2', true)];
    assert.deepEqual([...succeededTasks(stateOf(...events))], ['a', 'b']);
    assert.deepEqual([...succeededTasks(stateOf(...events, ...began(3, 2, '3', 'a'), stopped(3, 2, '3', false)))], ['b']);
  });

  it('takes nothing before its start and after its end', () => {
    assert.equal(reduceJob(undefined, { at: 1, type: 'jobSucceeded' }), undefined);
    const ended = stateOf(start, { at: 2, type: 'jobStopped' });
    for (const event of [{ at: 3, type: 'jobSucceeded' }, stopped(3, 0, 'a', true), began(3, 0, 'a')[0]] as RunEvent[])
      assert.equal(reduceJob(ended, event), ended);
    const running = stateOf(start);
    assert.equal(reduceJob(running, { at: 3, type: 'jobContinued', redo: [] }), running);
  });
});

import assert from 'node:assert/strict';
import { deepFreeze } from '../../../test/support/deepFreeze.ts';
import { continuation, editOf, howToGoOn, skipping, stepInput } from './goingOn.ts';
import { answers, cutOff, type JobState, reduceJob, runningWorkIds, succeededTasks } from './jobState.ts';
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

  it('is paused until it goes on, and says who wanted it', () => {
    const pausing = stateOf(start, ...began(2, 0, 'a'), { at: 3, type: 'jobPausing', by: 'me' });
    assert.deepEqual([pausing.status, pausing.pausing], ['Executing', { at: 3, by: 'me' }]);
    assert.equal(reduceJob(pausing, { at: 4, type: 'jobPausing', by: 'you' }), pausing);
    assert.equal(reduceJob(pausing, { at: 4, type: 'jobPauseWithdrawn', by: 'you' })?.pausing, undefined);
    assert.deepEqual(reduceJob(pausing, { at: 4, type: 'jobTakenOver' })?.pausing, { at: 3, by: 'me' }, 'it is still to come');
    const paused = [stopped(4, 0, 'a', true), { at: 5, type: 'jobPaused' } as const].reduce<JobState | undefined>(reduceJob, pausing);
    assert.deepEqual([paused?.status, paused?.endedAt, continuation(paused)], ['Paused', 5, { redo: [] }]);
    const on = reduceJob(paused, { at: 6, type: 'jobContinued', redo: [], by: 'you' });
    assert.deepEqual([on?.status, on?.pausing, [...answers(on as JobState)]], ['Executing', undefined, [['0#0', true]]]);
    assert.deepEqual(
      on?.history?.map(({ what, by }) => [what, by]),
      [
        ['Pausing', 'me'],
        ['Paused', undefined],
        ['Continued', 'you'],
      ],
    );
  });

  it('counts a skipped step as done, whether it ran, had failed or had crashed, and no answer of a condition', () => {
    const running = stateOf(start, ...began(2, 0, 'a'), { at: 3, type: 'workSkipped', workId: 0, step: '0#0', taskId: 'a', by: 'me' });
    const [step] = running.steps;
    assert.deepEqual([step?.status, step?.endedAt, step?.skipped], ['Succeeded', 3, { at: 3, by: 'me', was: 'Executing' }]);
    assert.equal(step?.task?.status, 'Stopped');
    assert.deepEqual([...answers(running), ...succeededTasks(running)], [['0#0', true], 'a']);

    const crashed = stateOf(start, ...began(2, 0, 'a'), stopped(3, 0, 'a', false, 'x'), {
      at: 4,
      type: 'jobFailed',
      reason: 'x',
      failedSteps: [],
    });
    assert.deepEqual(skipping(crashed, '0#0'), { redo: [], skipped: ['0#0'] });
    const on = reduceJob(crashed, { at: 5, type: 'jobContinued', redo: [], skipped: ['0#0'], by: 'me' }) as JobState;
    assert.deepEqual([on.steps[0]?.crashError, on.steps[0]?.redone, [...answers(on)]], ['x', undefined, [['0#0', true]]]);
    assert.deepEqual(on.steps[0]?.skipped, { at: 5, by: 'me', was: 'Failed' });
    assert.deepEqual(skipping(reduceJob(on, { at: 6, type: 'jobStopped' }), '0#0'), { error: 'StepCannotSkip' });

    const alt: JobState['definition'] = {
      ...definition,
      work: {
        kind: 'Alt',
        condition: { kind: 'Ref', taskId: 'a', workIdInJob: 0 },
        falseWork: { kind: 'Ref', taskId: 'b', workIdInJob: 1 },
      },
    };
    const first: RunEvent = { ...start, definition: alt } as RunEvent;
    const failed = stateOf(...[first, ...began(2, 0, 'a'), stopped(3, 0, 'a', false), ...began(3, 1, 'b'), stopped(4, 1, 'b', false)], {
      at: 5,
      type: 'jobFailed',
      reason: 'x',
      failedSteps: ['1#0'],
    });
    assert.deepEqual(skipping(failed, '0#0'), { error: 'StepCannotSkip' });
    assert.deepEqual(skipping(failed, '1#0'), { redo: [], skipped: ['1#0'] });
    assert.deepEqual(skipping(failed, '1#1'), { error: 'StepNotFound' });
    assert.deepEqual(skipping(undefined, '1#0'), { error: 'JobNotFound' });
    assert.deepEqual(skipping(stateOf(start, ...began(2, 0, 'a')), '0#0'), { error: 'StepCannotSkip' });
  });

  it('has what was edited, of each place the last', () => {
    const task = { prompt: ['do it'], requireUserInput: false };
    const first = { ...start, definition: { ...definition, tasks: { a: task } } } as RunEvent;
    const failed = stateOf(first, ...began(2, 0, 'a'), stopped(3, 0, 'a', false), {
      at: 4,
      type: 'jobFailed',
      reason: 'x',
      failedSteps: ['0#0'],
    });
    assert.deepEqual(stepInput(failed, 0), { workId: 0, taskName: 'a', userInput: 'in', prompt: 'do it' });
    assert.equal(stepInput(failed, 1), undefined);
    const edited = (state: JobState, edit: { userInput?: string; prompt?: string }) => {
      const how = howToGoOn(state, { from: '0#0', edit: { step: '0#0', ...edit }, by: 'me' });
      assert.ok(!('error' in how));
      const on = reduceJob(state, { at: 5, type: 'jobContinued', ...how }) as JobState;
      return reduceJob(on, { at: 6, type: 'jobStopped' }) as JobState;
    };
    const ran = began(5, 0, 'a2', 'a');
    const once = edited(failed, { prompt: 'do more' });
    assert.deepEqual(stepInput(once, 0), { workId: 0, taskName: 'a', userInput: 'in', prompt: 'do more' });
    assert.deepEqual(howToGoOn(failed, { edit: { step: '3#0', prompt: 'x' } }), { error: 'StepNotFound' });
    const again: RunEvent[] = [{ at: 5, type: 'jobContinued', redo: ['0#0'] }, ...ran, { at: 6, type: 'jobStopped' }];
    const twice = edited(again.reduce<JobState | undefined>(reduceJob, once) as JobState, { userInput: 'out' });
    assert.deepEqual([editOf(twice, 0), editOf(twice, 1)], [{ userInput: 'out', prompt: 'do more' }, {}]);
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

import assert from 'node:assert/strict';
import { type JobState, reduceJob } from './jobState.ts';
import type { RunEvent } from './runEvents.ts';
import { matches, runSummary } from './runSummary.ts';
import { timeline } from './runTimeline.ts';

const definition = {
  jobName: 'j',
  requireUserInput: false,
  work: { kind: 'Ref', taskId: 'a', workIdInJob: 0 },
  tasks: {},
  models: {},
} as const;
/** As an older version kept it: without answers, and without a reason. */
const old: RunEvent[] = [
  { at: 1, type: 'jobStarted', jobId: 'id', definition, userInput: '', workingDirectory: '/w' },
  { at: 2, type: 'workStarted', workId: 0, step: '0#0', taskId: 't', taskName: 'a' },
  { at: 2, type: 'taskStarted', taskId: 't', taskName: 'a', model: 'm' },
  { at: 3, type: 'taskDecision', taskId: 't', reason: '[CRITERIA] criteria.toolExecuted ["x"]: x was not called in the last round.' },
  { at: 3, type: 'taskDecision', taskId: 't', reason: '[TASK FAILED]' },
  { at: 4, type: 'taskFailed', taskId: 't' },
  { at: 4, type: 'workStopped', workId: 0, step: '0#0', taskId: 't', succeeded: false },
  { at: 5, type: 'jobFailed', reason: 'its work failed', failedSteps: ['0#0'] },
];
const stateOf = (events: readonly RunEvent[]) => events.reduce<JobState | undefined>(reduceJob, undefined) ?? assert.fail();

describe('the summary of a run', () => {
  it('says why a run failed that an older version has kept', () => {
    const { failedStep, denied, waiting, input } = runSummary(stateOf(old), () => assert.fail('nothing runs'));
    const reason = 'criteria.toolExecuted ["x"]: x was not called in the last round.';
    assert.deepEqual(failedStep, { step: '0#0', workId: 0, taskName: 'a', reason });
    assert.deepEqual([denied, waiting, input], [undefined, 0, undefined]);
  });

  it('counts what waits in the sessions that run, and what was refused in steps that count', () => {
    const answer = { about: 'call', answer: 'denied', by: 'b', tool: 'x' } as const;
    const running = [
      ...old.slice(0, 3),
      { at: 3, type: 'taskSessionStarted', taskId: 't', sessionId: 's', model: 'm', isDriving: true },
      { at: 3, type: 'taskDecision', taskId: 't', reason: '[OPERATION] …', answer },
      { at: 3, type: 'taskDecision', taskId: 't', reason: '[OPERATION] …', answer: { ...answer, answer: 'approved' } },
    ] as const;
    const summary = runSummary(stateOf(running), (id, host) => (id === 's' && host === undefined ? 2 : 0));
    assert.deepEqual([summary.waiting, summary.denied], [2, 1]);
    assert.deepEqual([matches(summary, { waits: true, denied: true }), matches(summary, { status: ['Failed'] })], [true, false]);
    const again = stateOf([...running, { at: 6, type: 'jobInterrupted' }, { at: 7, type: 'jobContinued', redo: [] }]);
    assert.deepEqual(
      [runSummary(again, () => 0).denied, again.history?.map(({ what }) => what)],
      [undefined, ['Interrupted', 'Continued']],
    );
  });

  it('has what all steps have used, and the step in which nothing has happened for longest', () => {
    const used = { modelCalls: 2, toolCalls: 1, inputTokens: 30, outputTokens: 4, ms: 5 };
    const first = [...old.slice(0, 3), { at: 3, type: 'taskUsage', taskId: 't', used }, ...old.slice(5)] as const;
    const running = stateOf([
      ...first,
      { at: 6, type: 'jobContinued', redo: ['0#0'] },
      { at: 7, type: 'workStarted', workId: 0, step: '0#0', taskId: 'u', taskName: 'a' },
      { at: 7, type: 'taskStarted', taskId: 'u', taskName: 'a', model: 'm' },
      { at: 8, type: 'taskUsage', taskId: 'u', used },
      { at: 9, type: 'taskStalled', taskId: 'u', since: 8 },
    ]);
    const summary = runSummary(running, () => 0);
    assert.deepEqual(summary.used, { modelCalls: 4, toolCalls: 2, inputTokens: 60, outputTokens: 8, ms: 10 });
    assert.deepEqual([summary.stalled, running.usedBefore], [{ step: '0#0', workId: 0, taskName: 'a', since: 8 }, used]);
    const ended = reduceJob(running, { at: 10, type: 'jobInterrupted' }) ?? assert.fail();
    assert.equal(runSummary(ended, () => 0).stalled, undefined);
    assert.equal(runSummary(stateOf(old), () => 0).used, undefined);
  });

  it('is told in order of time, with how the run went on', () => {
    const told = timeline(stateOf([...old, { at: 8, type: 'jobContinued', redo: ['0#0'] }]));
    assert.deepEqual(
      told.map(({ at, kind }) => [at, kind]),
      [
        [1, 'run'],
        [2, 'step'],
        [3, 'decision'],
        [3, 'decision'],
        [4, 'step'],
        [5, 'run'],
        [8, 'run'],
      ],
    );
    assert.equal(told.at(-2)?.text, 'The job failed: its work failed.');
  });
});

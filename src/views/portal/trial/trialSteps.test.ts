import assert from 'node:assert/strict';
import type { ChartGraph } from '../jobData.ts';
import type { TrialStep } from './trial.ts';
import { statusOf } from '../jobSteps.ts';
import { trialViews } from './trialSteps.ts';

const chart: ChartGraph = {
  nodes: [
    { id: 0, hint: ['TaskNode', 0], label: 'a' },
    { id: 1, hint: ['CondNode', 1], label: 'b' },
    { id: 2, hint: ['TaskNode', 2], label: 'c' },
  ],
};
const step = (number: number, workId: number, status: TrialStep['status'] = 'Succeeded'): TrialStep => ({
  ...{ number, step: `${workId}#${number}`, workId, round: 1, taskName: 'a', status, beside: [], model: 'm', folder: '/w' },
  ...{ limits: '', waits: [], prompts: [], decisions: [] },
});

describe('the steps of a trial in a chart', () => {
  it('have their places, and those that were not reached say so', () => {
    const views = trialViews(chart, { steps: [step(1, 0), step(2, 1), step(3, 0), step(4, 1, 'Failed'), step(5, 0), step(6, 0)] });
    assert.deepEqual(
      views.map(({ statusText, elapsed }) => [statusText, elapsed]),
      [
        ['Succeeded', 'step 1, 3, 5 … 6'],
        ['Answered: false', 'step 2, 4'],
        ['Not reached', undefined],
      ],
    );
  });

  it('answer where they are conditions', () => {
    assert.equal(statusOf(step(1, 1, 'Failed'), true), 'AnsweredFalse');
    assert.equal(statusOf(step(1, 1), true), 'AnsweredTrue');
    assert.equal(statusOf(step(1, 1, 'Stopped'), true), 'Stopped');
    assert.equal(statusOf(step(1, 1, 'Failed'), false), 'Failed');
  });
});

import assert from 'node:assert/strict';
import { runReasonText } from './runReasonText.ts';
import { budgetReason } from '../../../portal/limits/taskLimits.ts';
import { LoopCapError } from '../../../portal/work/runWork.ts';

describe('why a run did not succeed', () => {
  it('is read from what the portal writes', () => {
    const used = { modelCalls: 0, toolCalls: 0, inputTokens: 900_000, outputTokens: 200_000, ms: 0 };
    const reasons = [
      budgetReason({ tokens: 1_000_000 }, used) ?? '',
      budgetReason({ minutes: 1 }, { ...used, ms: 60_000 }) ?? '',
      budgetReason({ modelCalls: 1 }, { ...used, modelCalls: 2 }) ?? '',
      new LoopCapError(1_000).message,
      new LoopCapError(1).message,
      'its work failed',
      'the task "look" crashed: the task was stopped',
    ];
    assert.deepEqual(reasons.map(runReasonText), [
      'its budget of 1,000,000 tokens is used up, after 1,100,000; when it is continued, it has as much again',
      'its budget of 1 minute is used up, after 1; when it is continued, it has as much again',
      'its budget of 1 model call is used up, after 2; when it is continued, it has as much again',
      'a loop has run 1,000 times and would run again',
      'a loop has run 1 time and would run again',
      'its work failed',
      'the task "look" crashed: the task was stopped',
    ]);
  });

  it('is shown as it is where it is of no known form', () => {
    assert.equal(runReasonText('its budget of many tokens is used up'), 'its budget of many tokens is used up');
  });
});

import assert from 'node:assert/strict';
import { difference, isSame, noUsage, sum, usage } from './usage.ts';

const one = { modelCalls: 1, toolCalls: 2, inputTokens: 3, outputTokens: 4, ms: 5 };

describe('usage', () => {
  it('is added up and compared by each of its numbers', () => {
    const two = sum([one, undefined, one]);
    assert.deepEqual(two, { modelCalls: 2, toolCalls: 4, inputTokens: 6, outputTokens: 8, ms: 10 });
    assert.deepEqual([isSame(difference(two, one), one), isSame(two, one), isSame(sum([]), noUsage)], [true, false, true]);
  });

  it('is never less than nothing, nor more than what can be kept', () => {
    assert.deepEqual(difference(noUsage, one), noUsage);
    const most = { ...one, inputTokens: Number.MAX_SAFE_INTEGER };
    assert.ok(usage.safeParse(sum([most, most])).success);
  });
});

import assert from 'node:assert/strict';
import { backoffDelay } from './backoff.ts';

describe('backoffDelay', () => {
  const backoff = { firstMs: 500, longestMs: 3_000 };

  it('doubles from the first delay to the longest', () => {
    const delays = [1, 2, 3, 4, 50, 2_000].map((attempt) => backoffDelay(attempt, backoff, () => 0));
    assert.deepEqual(delays, [500, 1_000, 2_000, 3_000, 3_000, 3_000]);
  });

  it('takes off up to half at random', () => {
    assert.deepEqual(
      [0.5, 1].map((random) => backoffDelay(2, backoff, () => random)),
      [750, 500],
    );
    const delays = Array.from({ length: 100 }, () => backoffDelay(2, backoff));
    assert.ok(delays.every((delay) => delay >= 500 && delay <= 1_000));
    assert.ok(new Set(delays).size > 1);
  });
});

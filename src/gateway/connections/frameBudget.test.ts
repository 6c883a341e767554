import assert from 'node:assert/strict';
import { Limit } from '../../tap/wire/limits.ts';
import { FrameBudget } from './frameBudget.ts';

const burst = Limit.framesPerSecond * 2;

describe('the budget of frames', () => {
  const spend = (budget: FrameBudget, count: number, now = 0, bytes = 10) =>
    Array.from({ length: count }, () => budget.take(now, bytes)).reduce<Record<string, number>>(
      (counts, verdict) => ({ ...counts, [verdict]: (counts[verdict] ?? 0) + 1 }),
      {},
    );

  it('allows a burst, reports the limit once, and ends when it is ignored', () => {
    const budget = new FrameBudget();
    assert.deepEqual(spend(budget, burst), { fine: burst });
    assert.deepEqual(spend(budget, burst), { over: 1, more: burst - 1 });
    assert.deepEqual(spend(budget, 1), { end: 1 });
  });

  it('fills again, and not beyond the burst', () => {
    const budget = new FrameBudget();
    spend(budget, burst);
    assert.deepEqual(spend(budget, Limit.framesPerSecond + 1, 1000), { fine: Limit.framesPerSecond, over: 1 });
    assert.deepEqual(spend(budget, burst + 1, 60_000), { fine: burst, over: 1 });
  });

  it('is never used up at the rate at which it refills', () => {
    const budget = new FrameBudget();
    for (let second = 0; second < 100; second++)
      assert.deepEqual(spend(budget, Limit.framesPerSecond, second * 1000), { fine: Limit.framesPerSecond });
  });

  it('counts a large frame as several, and an answer that was asked for not at all', () => {
    const budget = new FrameBudget();
    for (let at = 0; at < 10 * burst; at++) {
      assert.equal(budget.take(0, Limit.toolResultBytes), 'fine');
      budget.giveBack();
      budget.giveBack();
    }
    const { fine = 0 } = spend(budget, burst, 0, Limit.messageBytes);
    assert.ok(fine > 5 && fine < 50, `${fine}`);
  });
});

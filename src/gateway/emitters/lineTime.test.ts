import assert from 'node:assert/strict';
import { LineTime } from './lineTime.ts';

describe('the time for lines', () => {
  let now = 0;
  beforeEach(() => (now = 0));
  const work = (ms: number) => () => void (now += ms);

  it('is a part of each window; what does not fit waits for the next', () => {
    const time = new LineTime(() => now);
    assert.deepEqual(
      Array.from({ length: 5 }, () => time.spend(work(3))),
      [true, true, true, false, false],
    );
    assert.equal(now, 9, 'nothing was done');
    now = time.windowMs;
    assert.equal(time.spend(work(1)), true);
  });

  it('is counted also where the work fails', () => {
    const time = new LineTime(() => now);
    const fail = () => {
      now += 10;
      throw new Error('no');
    };
    assert.throws(() => time.spend(fail), /no/);
    assert.equal(time.spend(work(1)), false);
  });
});

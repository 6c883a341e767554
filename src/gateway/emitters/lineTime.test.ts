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
    now = 22.5;
    assert.equal(time.spend(work(1)), true);
  });

  it('is two fifths also where one line takes long, and with what could not wait', () => {
    const time = new LineTime(() => now);
    assert.equal(time.spend(work(100)), true);
    now = 249;
    assert.equal(time.spend(work(1)), false);
    now = 250;
    assert.equal(
      time.charge(() => (now += 20)),
      270,
    );
    now = 299;
    assert.equal(time.spend(work(1)), false);
    now = 300;
    assert.equal(time.spend(work(1)), true);
  });

  it('counts what is part of something else once', () => {
    const time = new LineTime(() => now);
    time.spend(() => time.charge(work(6)));
    assert.equal(time.spend(work(1)), true, '6 of 8');
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

import assert from 'node:assert/strict';
import type { Clock } from '../../base/clock.ts';
import { GatheredChanges } from './gatheredChanges.ts';

describe('gathered changes', () => {
  let timers: { callback: () => void; delayMs: number }[];
  let told: string[];
  let changes: GatheredChanges;

  beforeEach(() => {
    timers = [];
    told = [];
    const clock: Clock = {
      now: () => 0,
      setTimer(callback, delayMs) {
        const timer = { callback, delayMs };
        timers.push(timer);
        return { dispose: () => void timers.splice(timers.indexOf(timer), 1) };
      },
    };
    changes = new GatheredChanges((name) => told.push(name), clock);
  });
  const elapse = () => {
    for (const { callback } of timers.splice(0)) callback();
  };

  it('are told once for at most 100 ms, each name in the order of its first change', () => {
    for (const name of ['b', 'a', 'b']) changes.note(name);
    assert.deepEqual(
      timers.map(({ delayMs }) => delayMs),
      [100],
    );
    assert.deepEqual(told, []);
    elapse();
    assert.deepEqual([told, timers], [['b', 'a'], []]);
    changes.note('a');
    assert.equal(timers.length, 1);
    elapse();
    assert.deepEqual(told, ['b', 'a', 'a']);
  });

  it('leave out what is gone, and have it again when it comes back', () => {
    for (const name of ['a', 'b']) changes.note(name);
    changes.forget('a');
    changes.forget('nothing');
    elapse();
    assert.deepEqual(told, ['b']);
    changes.note('a');
    elapse();
    assert.deepEqual(told, ['b', 'a']);
  });

  it('that come while they are told are told later', () => {
    let isFirst = true;
    const again = new GatheredChanges(
      (name) => {
        told.push(name);
        if (isFirst) again.note('later');
        isFirst = false;
      },
      { now: () => 0, setTimer: (callback, delayMs) => (timers.push({ callback, delayMs }), { dispose: () => undefined }) },
    );
    again.note('now');
    elapse();
    assert.deepEqual([told, timers.length], [['now'], 1]);
    elapse();
    assert.deepEqual(told, ['now', 'later']);
  });

  it('are not told after the end', () => {
    changes.note('a');
    changes.dispose();
    assert.deepEqual(timers, []);
  });
});

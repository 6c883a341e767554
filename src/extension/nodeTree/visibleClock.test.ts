import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { VisibleClock } from './visibleClock.ts';

describe('a clock of rows that can be seen', () => {
  it('ticks when they come into sight and from then on, and has no timer while nobody looks', () => {
    const time = new FakeClock();
    let ticks = 0;
    const clock = new VisibleClock(() => ticks++, 1_000, time);
    time.advance(5_000);
    assert.equal(ticks, 0);
    clock.setVisible(true);
    clock.setVisible(true);
    assert.equal(ticks, 1);
    time.advance(2_000);
    assert.equal(ticks, 3);
    clock.setVisible(false);
    time.advance(10_000);
    assert.equal(ticks, 3);
    clock.setVisible(true);
    clock.dispose();
    time.advance(10_000);
    assert.equal(ticks, 4);
  });
});

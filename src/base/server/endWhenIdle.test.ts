import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Emitter } from '../event.ts';
import { endWhenIdle } from './endWhenIdle.ts';

describe('endWhenIdle', () => {
  it('ends when the last user has gone for that long, and counts from zero with each', () => {
    const clock = new FakeClock();
    const changed = new Emitter<void>();
    let users = 0;
    let ends = 0;
    const become = (count: number) => {
      users = count;
      changed.fire();
    };
    endWhenIdle({ isInUse: () => users > 0, onDidChange: changed.event }, clock, 30_000, () => ends++);
    clock.advance(29_999);
    become(1);
    clock.advance(100_000);
    become(2);
    become(1);
    clock.advance(100_000);
    become(0);
    clock.advance(29_999);
    become(1);
    become(0);
    clock.advance(29_999);
    assert.equal(ends, 0);
    clock.advance(1);
    assert.equal(ends, 1);
  });

  it('ends what nobody ever used', () => {
    const clock = new FakeClock();
    let ends = 0;
    endWhenIdle({ isInUse: () => false, onDidChange: new Emitter<void>().event }, clock, 30_000, () => ends++);
    clock.advance(30_000);
    assert.equal(ends, 1);
  });
});

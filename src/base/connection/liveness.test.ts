import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Liveness } from './liveness.ts';

function setUp() {
  const clock = new FakeClock();
  const pings: number[] = [];
  let deadAt: number | undefined;
  const start = clock.now();
  const liveness = new Liveness(
    clock,
    () => pings.push(clock.now() - start),
    () => (deadAt = clock.now() - start),
  );
  return { clock, pings, liveness, deadAt: () => deadAt };
}

describe('Liveness', () => {
  it('does not ping a connection that speaks', () => {
    const { clock, pings, liveness, deadAt } = setUp();
    for (let second = 0; second < 60; second += 4) {
      clock.advance(4_000);
      liveness.heard();
    }
    assert.deepEqual(pings, []);
    assert.equal(deadAt(), undefined);
  });

  it('pings after 5 s of silence, and takes the connection for dead after 20 s', () => {
    const { clock, pings, deadAt } = setUp();
    clock.advance(19_999);
    assert.deepEqual(pings, [5_000, 10_000, 15_000]);
    assert.equal(deadAt(), undefined);
    clock.advance(1);
    assert.equal(deadAt(), 20_000);
    assert.equal(clock.pending, 0);
  });

  it('counts again from what was last heard', () => {
    const { clock, liveness, deadAt } = setUp();
    clock.advance(12_000);
    liveness.heard();
    clock.advance(19_999);
    assert.equal(deadAt(), undefined);
    clock.advance(5_001);
    assert.ok(deadAt() !== undefined);
  });

  it('gives a connection the time to answer after the computer slept', () => {
    const { clock, pings, liveness, deadAt } = setUp();
    clock.sleep(3_600_000);
    assert.equal(pings.length, 1);
    assert.equal(deadAt(), undefined);
    liveness.heard();
    clock.advance(4_999);
    assert.equal(deadAt(), undefined);
  });

  it('stops with its disposal', () => {
    const { clock, pings, liveness, deadAt } = setUp();
    liveness.dispose();
    clock.advance(60_000);
    assert.deepEqual(pings, []);
    assert.equal(deadAt(), undefined);
  });
});

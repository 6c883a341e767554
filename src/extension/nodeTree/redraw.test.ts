import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Redraw } from './redraw.ts';

describe('Redraw', () => {
  function setUp(delayMs = 100) {
    const clock = new FakeClock();
    const drawn: number[] = [];
    const start = clock.now();
    const redraw = new Redraw(() => drawn.push(clock.now() - start), delayMs, clock);
    return { clock, drawn, redraw };
  }

  it('draws a burst of changes once, and not later because of the last of them', () => {
    const { clock, drawn, redraw } = setUp();
    redraw.soon();
    clock.advance(60);
    redraw.soon();
    clock.advance(500);
    assert.deepEqual(drawn, [100]);
    redraw.soon();
    clock.advance(100);
    assert.equal(drawn.length, 2);
  });

  it('draws earlier where something is due earlier, and not again for the rest', () => {
    const { clock, drawn, redraw } = setUp();
    redraw.soon(5_000);
    redraw.soon(10);
    clock.advance(10_000);
    assert.deepEqual(drawn, [10]);
    redraw.soon();
    redraw.now();
    clock.advance(10_000);
    assert.equal(drawn.length, 2);
  });

  it('says that it has drawn, and can be told meanwhile to draw again', () => {
    const clock = new FakeClock();
    let times = 0;
    const redraw = new Redraw(() => ++times === 1 && redraw.soon(), 10, clock);
    const told: number[] = [];
    redraw.onDidDraw(() => told.push(times));
    redraw.now();
    clock.advance(10);
    assert.deepEqual(told, [1, 2]);
  });

  it('draws nothing when it has ended', () => {
    const { clock, drawn, redraw } = setUp();
    redraw.soon();
    redraw.dispose();
    clock.advance(1_000);
    assert.deepEqual(drawn, []);
  });
});

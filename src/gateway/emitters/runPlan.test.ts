import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import type { EmitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';
import { RunPlan, scheduleOf } from './runPlan.ts';

describe('the plan of runs', () => {
  const planOf = (spec: Partial<Pick<EmitterSpec, 'command' | 'runInterval' | 'maxRuns'>>, isEndedAtOnce = false) => {
    const clock = new FakeClock();
    const began = clock.now();
    const at: number[] = [];
    const plan: RunPlan = new RunPlan({
      schedule: scheduleOf(spec),
      maxRuns: spec.maxRuns,
      clock,
      run: () => {
        at.push(clock.now() - began);
        if (isEndedAtOnce) plan.ended();
      },
    });
    return { clock, at, plan };
  };

  it('has a schedule by command and interval', () => {
    const kindOf = (spec: Parameters<typeof scheduleOf>[0]) => scheduleOf(spec).kind;
    assert.equal(kindOf({ command: 'tail' }), 'continuous');
    assert.equal(kindOf({ command: 'tail', maxRuns: 1 }), 'oneTime');
    assert.equal(kindOf({}), 'oneTime');
    assert.equal(kindOf({ runInterval: 'idle' }), 'idle');
    assert.deepEqual(scheduleOf({ command: 'x', runInterval: '5s' }), { kind: 'timed', delaysMs: [5000] });
    assert.deepEqual(scheduleOf({ runInterval: ['1s', '1m'] }), { kind: 'timed', delaysMs: [1000, 60_000] });
  });

  it('begins at once, and again when the interval has passed after the end', () => {
    const { clock, at, plan } = planOf({ command: 'x', runInterval: '10s' });
    plan.runNow();
    clock.advance(60_000);
    assert.deepEqual([at, plan.nextRunInMs], [[0], undefined], 'not while it runs');
    plan.ended();
    assert.equal(plan.nextRunInMs, 10_000);
    clock.advance(9_999);
    assert.deepEqual([at, plan.nextRunInMs], [[0], 1]);
    clock.advance(1);
    assert.deepEqual([at, plan.runs], [[0, 70_000], 2]);
  });

  it('does not make up for what was missed while the computer slept', () => {
    const { clock, at, plan } = planOf({ command: 'x', runInterval: '10s' }, true);
    plan.runNow();
    clock.sleep(100_000);
    assert.deepEqual(at, [0, 100_000]);
    clock.advance(10_000);
    assert.deepEqual(at, [0, 100_000, 110_000]);
  });

  it('backs off by its list and stays at the last', () => {
    const { clock, at, plan } = planOf({ command: 'x', runInterval: ['1s', '5s', '20s'] }, true);
    plan.runNow();
    clock.advance(70_000);
    assert.deepEqual(at, [0, 1_000, 6_000, 26_000, 46_000, 66_000]);
  });

  it('is over after its last run', () => {
    const { clock, at, plan } = planOf({ command: 'x', runInterval: '1s', maxRuns: 3 }, true);
    plan.runNow();
    clock.advance(60_000);
    assert.deepEqual([at.length, plan.isOver, clock.pending], [3, true, 0]);
    const once = planOf({ command: 'x' });
    once.plan.runNow();
    assert.equal(once.plan.isOver, false);
    once.plan.ended();
    assert.equal(once.plan.isOver, true);
  });

  it('can be run now, which begins the interval again', () => {
    const { clock, at, plan } = planOf({ command: 'x', runInterval: '10s' });
    assert.equal(plan.runNow(), true);
    assert.equal(plan.runNow(), false, 'it runs');
    plan.ended();
    clock.advance(4_000);
    assert.equal(plan.runNow(), true);
    plan.ended();
    clock.advance(9_999);
    assert.deepEqual(at, [0, 4_000]);
    clock.advance(1);
    assert.deepEqual(at, [0, 4_000, 14_000]);
  });

  it('does not count a run that did not come about, and does nothing once it was stopped', () => {
    const { clock, plan } = planOf({ runInterval: ['1s', '1m'], maxRuns: 1 });
    plan.runNow();
    plan.ended(false);
    assert.deepEqual([plan.runs, plan.isOver, plan.nextRunInMs], [0, false, 1_000]);
    plan.stop();
    clock.advance(60_000);
    assert.deepEqual([plan.runs, clock.pending], [0, 0]);
  });
});

import assert from 'node:assert/strict';
import type { Work } from '../entry/work.ts';
import type { StepKey } from '../runs/runEvents.ts';
import { LoopCapError, runWork } from './runWork.ts';

type W = Work<number>;
const ref = (workIdInJob: number): W => ({ kind: 'Ref', workIdInJob, taskId: `t${workIdInJob}` });
const [a, b, c] = [ref(0), ref(1), ref(2)];

/** Runs a work whose steps answer as told: by step, or by work for all its steps. The rest succeeds. */
async function run(work: W, answers: Record<string, boolean> = {}, loopCap = 5) {
  const steps: StepKey[] = [];
  const result = await runWork(work, {
    loopCap,
    runStep: (one, step) => {
      steps.push(step);
      return Promise.resolve(answers[step] ?? answers[one.workIdInJob] ?? true);
    },
  });
  return { ...result, steps };
}

describe('a work', () => {
  it('that is a Ref fails with its task', async () => {
    assert.deepEqual(await run(a), { succeeded: true, failedSteps: [], steps: ['0#0'] });
    assert.deepEqual(await run(a, { 0: false }), { succeeded: false, failedSteps: ['0#0'], steps: ['0#0'] });
  });

  it('that is a Seq ends at the first failure', async () => {
    const seq: W = { kind: 'Seq', works: [a, b, c] };
    assert.deepEqual(await run(seq), { succeeded: true, failedSteps: [], steps: ['0#0', '1#0', '2#0'] });
    assert.deepEqual(await run(seq, { 0: false }), { succeeded: false, failedSteps: ['0#0'], steps: ['0#0'] });
    assert.deepEqual(await run(seq, { 1: false }), { succeeded: false, failedSteps: ['1#0'], steps: ['0#0', '1#0'] });
    assert.deepEqual(await run(seq, { 2: false }), { succeeded: false, failedSteps: ['2#0'], steps: ['0#0', '1#0', '2#0'] });
  });

  it('knows the branches of each Par around a step, and when all of them have succeeded', async () => {
    const told: string[] = [];
    const inner: W = { kind: 'Seq', works: [a, { kind: 'Par', works: [b, c] }] };
    const work: W = {
      kind: 'Loop',
      body: { kind: 'Par', works: [inner, { kind: 'Alt', condition: ref(3), trueWork: ref(4) }] },
      postCondition: [true, ref(5)],
    };
    const runner = (answers: Record<string, boolean>) => ({
      loopCap: 5,
      runStep: (_one: unknown, step: StepKey, branches: readonly StepKey[]) => {
        told.push(`${step} in ${branches.join('/')}`);
        return Promise.resolve(answers[step] ?? true);
      },
      join: (branches: readonly (readonly StepKey[])[]) =>
        Promise.resolve(void told.push(`joined ${branches.map((one) => one.join('/')).join(' ')}`)),
    });
    await runWork(work, runner({ '5#1': false }));
    assert.deepEqual(
      told.filter((one) => one.startsWith('joined')),
      ['joined 0#0/1#0 0#0/2#0', 'joined 0#0 3#0', 'joined 0#1/1#1 0#1/2#1', 'joined 0#1 3#1'],
    );
    assert.ok(told.includes('4#1 in 3#1') && told.includes('2#1 in 0#1/2#1') && told.includes('5#0 in '));
    told.length = 0;
    assert.equal((await runWork(work, runner({ '2#0': false }))).succeeded, false);
    assert.deepEqual(
      told.filter((one) => one.startsWith('joined')),
      [],
    );
    const failing = { ...runner({}), join: () => Promise.reject(new Error('a conflict')) };
    await assert.rejects(runWork(work, failing), /a conflict/);
  });

  it('that is a Par runs side by side to the end, and fails if one failed', async () => {
    const open = new Map<StepKey, (answer: boolean) => void>();
    let ended = false;
    const result = runWork(
      { kind: 'Par', works: [a, b, c] },
      { loopCap: 1, runStep: (_, step) => new Promise((resolve) => open.set(step, resolve)) },
    ).finally(() => (ended = true));
    assert.deepEqual([...open.keys()], ['0#0', '1#0', '2#0']);
    open.get('0#0')?.(false);
    open.get('2#0')?.(true);
    await new Promise(setImmediate);
    assert.ok(!ended);
    open.get('1#0')?.(false);
    assert.deepEqual(await result, { succeeded: false, failedSteps: ['0#0', '1#0'] });
    assert.equal((await run({ kind: 'Par', works: [a, b] })).succeeded, true);
  });

  describe('that is a Loop', () => {
    it('without conditions runs its body once', async () => {
      assert.deepEqual((await run({ kind: 'Loop', body: a })).steps, ['0#0']);
    });
    it('runs its body while the pre-condition gives its flag', async () => {
      for (const flag of [true, false]) {
        // Without a post-condition there is no second time.
        const loop: W = { kind: 'Loop', preCondition: [flag, a], body: b };
        assert.deepEqual(await run(loop, { 0: flag }), { succeeded: true, failedSteps: [], steps: ['0#0', '1#0'] });
        assert.deepEqual(await run(loop, { 0: !flag }), { succeeded: true, failedSteps: [], steps: ['0#0'] });
      }
    });
    it('runs again when the post-condition gives its flag, from the pre-condition on', async () => {
      for (const flag of [true, false]) {
        const loop: W = { kind: 'Loop', postCondition: [flag, c], body: b };
        assert.deepEqual((await run(loop, { '2#0': flag, '2#1': !flag })).steps, ['1#0', '2#0', '1#1', '2#1']);
        const both: W = { ...loop, preCondition: [true, a] };
        assert.deepEqual((await run(both, { '2#0': flag, '2#1': !flag })).steps, ['0#0', '1#0', '2#0', '0#1', '1#1', '2#1']);
        assert.deepEqual((await run(both, { 2: flag, '0#1': false })).steps, ['0#0', '1#0', '2#0', '0#1']);
      }
    });
    it('fails with its body', async () => {
      const loop: W = { kind: 'Loop', postCondition: [true, c], body: b };
      assert.deepEqual(await run(loop, { '1#1': false }), { succeeded: false, failedSteps: ['1#1'], steps: ['1#0', '2#0', '1#1'] });
    });
    it('has a cap', async () => {
      const loop: W = { kind: 'Loop', postCondition: [true, c], body: b };
      await assert.rejects(run(loop), LoopCapError);
      await assert.rejects(run(loop, {}, 2), /a loop has run 2 times and would run again/);
      assert.equal((await run(loop, { '2#4': false })).succeeded, true, 'as often as it may');
      await assert.rejects(run(loop, { '2#5': false }), LoopCapError);
    });
  });

  it('that is an Alt takes the branch of its condition', async () => {
    const alt: W = { kind: 'Alt', condition: a, trueWork: b, falseWork: c };
    assert.deepEqual(await run(alt), { succeeded: true, failedSteps: [], steps: ['0#0', '1#0'] });
    assert.deepEqual(await run(alt, { 0: false }), { succeeded: true, failedSteps: [], steps: ['0#0', '2#0'] });
    assert.deepEqual(await run(alt, { 0: false, 2: false }), { succeeded: false, failedSteps: ['2#0'], steps: ['0#0', '2#0'] });
    assert.deepEqual(await run(alt, { 1: false }), { succeeded: false, failedSteps: ['1#0'], steps: ['0#0', '1#0'] });
    const { trueWork: _t, ...withoutTrue } = alt;
    const { falseWork: _f, ...withoutFalse } = alt;
    assert.deepEqual(await run(withoutTrue), { succeeded: true, failedSteps: [], steps: ['0#0'] });
    assert.deepEqual(await run(withoutFalse, { 0: false }), { succeeded: true, failedSteps: [], steps: ['0#0'] });
  });

  it('ends at once with the reason of a crash', async () => {
    const crash = new Error('crash');
    const runStep = (one: { workIdInJob: number }) =>
      one.workIdInJob === 1 ? Promise.reject(crash) : new Promise<boolean>(() => undefined);
    await assert.rejects(runWork({ kind: 'Par', works: [a, b, c] }, { loopCap: 1, runStep }), crash);
    await assert.rejects(runWork({ kind: 'Alt', condition: b }, { loopCap: 1, runStep }), crash);
  });
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeSessions, type Reply } from '../../../test/fakes/portalSessions.ts';
import { anyWork } from '../../../test/support/anyWork.ts';
import { normalWork } from '../entry/normalWork.ts';
import type { Task } from '../entry/task.ts';
import type { Work } from '../entry/work.ts';
import type { JobDefinition } from '../runs/jobDefinition.ts';
import { answers, type JobState, reduceJob } from '../runs/jobState.ts';
import type { RunEvent, StepKey } from '../runs/runEvents.ts';
import { skipping } from '../runs/goingOn.ts';
import { JobRun } from './jobRun.ts';

const LOOP_CAP = 3;

interface Script {
  /** Whether a step succeeds. */
  answer: (step: StepKey) => boolean;
  /** Microtasks that it takes. */
  turns: (step: StepKey) => number;
  /** Microtasks of each wait of the run for something other than a step: for agents that leave, and for Git. */
  waits: number;
  /** It works in work trees. */
  hasTrees: boolean;
}
const anyScript: fc.Arbitrary<Script> = fc
  .record({
    bits: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
    delays: fc.array(fc.nat(20), { minLength: 1, maxLength: 7 }),
    waits: fc.nat(15),
    hasTrees: fc.boolean(),
  })
  .map(({ bits, delays, waits, hasTrees }) => {
    const place = (step: StepKey, length: number) => {
      const [workId, times] = step.split('#').map(Number) as [number, number];
      return (workId * 5 + times * 3) % length;
    };
    return {
      answer: (step) => bits[place(step, bits.length)] as boolean,
      turns: (step) => delays[place(step, delays.length)] as number,
      ...{ waits, hasTrees },
    };
  });

/** What the design says a work does, without time. */
class Interpreter {
  readonly answers = new Map<StepKey, boolean>();
  readonly #times = new Map<number, number>();
  constructor(readonly script: Script) {}

  /** The steps that made it fail. Throws when a loop passes its cap. */
  failures(work: Work<number>): StepKey[] {
    if (work.kind === 'Ref') {
      const times = this.#times.get(work.workIdInJob) ?? 0;
      this.#times.set(work.workIdInJob, times + 1);
      const step: StepKey = `${work.workIdInJob}#${times}`;
      this.answers.set(step, this.script.answer(step));
      return this.script.answer(step) ? [] : [step];
    }
    if (work.kind === 'Par') return work.works.map((part) => this.failures(part)).flat();
    if (work.kind === 'Seq') {
      const [first, ...rest] = work.works;
      if (!first) return [];
      const failed = this.failures(first);
      return failed.length > 0 ? failed : this.failures({ ...work, works: rest });
    }
    if (work.kind === 'Alt') {
      const branch = this.failures(work.condition).length === 0 ? work.trueWork : work.falseWork;
      return branch ? this.failures(branch) : [];
    }
    for (let bodies = 0; ; bodies++) {
      if (work.preCondition && (this.failures(work.preCondition[1]).length === 0) !== work.preCondition[0]) return [];
      if (bodies >= LOOP_CAP) throw new Error('cap');
      const failed = this.failures(work.body);
      if (failed.length > 0 || !work.postCondition) return failed;
      if ((this.failures(work.postCondition[1]).length === 0) !== work.postCondition[0]) return [];
    }
  }
}

interface Expected {
  status: 'Succeeded' | 'Failed';
  /** Undefined when a loop passed its cap: then it depends on time how far the other parts came. */
  answers?: Map<StepKey, boolean>;
  failedSteps: StepKey[];
}
function interpreted(work: Work<number>, script: Script): Expected {
  const interpreter = new Interpreter(script);
  try {
    const failedSteps = interpreter.failures(work);
    return { status: failedSteps.length === 0 ? 'Succeeded' : 'Failed', answers: interpreter.answers, failedSteps };
  } catch {
    return { status: 'Failed', failedSteps: [] };
  }
}

type Fault = { kind: 'none' } | { kind: 'crash' | 'refusal' | 'skip'; at: number } | { kind: 'stop' | 'kill' | 'pause'; at: number };

/** Each Ref has a task of its own, which succeeds when its model calls a tool. */
function definitionOf(work: Work<number>, hasTrees: boolean): JobDefinition {
  const tasks: Record<string, Task> = {};
  const named = (part: Work<number>): Work<number> => {
    switch (part.kind) {
      case 'Ref': {
        const taskId = `t${part.workIdInJob}`;
        const criteria = { toolExecuted: ['job_boolean_true' as const], failureAction: { retryTimes: 0 } };
        tasks[taskId] = { prompt: [`${part.workIdInJob}`], requireUserInput: false, criteria };
        return { ...part, taskId };
      }
      case 'Seq':
      case 'Par':
        return { ...part, works: part.works.map(named) };
      case 'Loop':
        return {
          ...part,
          ...(part.preCondition && { preCondition: [part.preCondition[0], named(part.preCondition[1])] }),
          ...(part.postCondition && { postCondition: [part.postCondition[0], named(part.postCondition[1])] }),
          body: named(part.body),
        };
      case 'Alt':
        return {
          ...part,
          condition: named(part.condition),
          ...(part.trueWork && { trueWork: named(part.trueWork) }),
          ...(part.falseWork && { falseWork: named(part.falseWork) }),
        };
    }
  };
  const inner = named(work);
  const trees = hasTrees ? { worktree: 'step' as const } : {};
  return { jobName: 'job', requireUserInput: false, work: inner, tasks, models: { driving: 'm' }, ...trees };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

const stateOf = (events: readonly RunEvent[]) => events.reduce<JobState | undefined>(reduceJob, undefined);

/** Runs the job, or goes on with `before`, whose events it adds to. With `kill`, the events after that one never happened. */
async function attempt(
  work: Work<number>,
  script: Script,
  fault: Fault,
  before: readonly RunEvent[] = [],
  /** Called once the pause was asked for, after a while; without one, at once. */
  later?: (job: JobRun) => Promise<void>,
  how: Partial<Parameters<typeof JobRun.continue>[2]> = {},
) {
  const events: RunEvent[] = [...before];
  const steps: StepKey[] = [];
  let stops = 0;
  let atFault: StepKey | undefined;
  const sessions = new FakeSessions((prompt): Reply => {
    const workId = Number(prompt.split('\n').at(-1));
    const step = steps.findLast((one) => one.startsWith(`${workId}#`)) as StepKey;
    const crash = fault.kind === 'crash' && step === atFault ? { crash: new Error('crash') } : {};
    if (fault.kind === 'skip' && step === atFault) assert.equal(job.skip(step, 'me'), true);
    return { ...(script.answer(step) && { tools: [['job_boolean_true', '']] }), turns: script.turns(step), ...crash };
  });
  // Which step a session is for is not known at its start, so all that start after it are refused.
  sessions.beforeStart = () => {
    if (fault.kind === 'refusal' && atFault !== undefined) throw new Error('refused');
  };
  const record = (event: RunEvent): void => {
    if (stops > 0 && fault.kind === 'kill') return;
    if (event.type === 'workStarted') {
      if ('at' in fault && steps.length === fault.at) atFault = event.step;
      steps.push(event.step);
    }
    events.push(JSON.parse(JSON.stringify(event)) as RunEvent);
    if (fault.kind === 'pause' && events.length - before.length > fault.at && stops++ === 0 && job.status === 'Executing') job.pause('me');
    if ((fault.kind === 'stop' || fault.kind === 'kill') && events.length - before.length > fault.at && stops++ === 0) job.stop();
  };
  const wait = () => turns(script.waits);
  const trees = { folderOf: () => wait().then(() => '/tree'), join: wait, finish: wait };
  const context = { ...sessions.context(), newId: randomUUID, othersStopped: wait, worktrees: { ofRun: () => trees } };
  const state = stateOf(before);
  const job: JobRun = state
    ? JobRun.continue(context, state, { ...how, loopCap: LOOP_CAP }, record)
    : JobRun.start(
        context,
        { jobId: 'j', definition: definitionOf(work, script.hasTrees), userInput: '', workingDirectory: '/', loopCap: LOOP_CAP },
        record,
      );
  if (later) {
    for (let turn = 0; turn < 60 && fault.kind === 'pause' && stops === 0; turn++) await Promise.resolve();
    await later(job);
  }
  const status = await job.ended;
  const { length } = events;
  await atRest();
  assert.equal(events.length, length, 'no event comes after the end');
  assert.deepEqual(sessions.alive, [], 'no session is left');
  for (const { id } of sessions.started) assert.equal(context.leases.holderOf(id), undefined);
  return { status, events, steps, atFault, hit: stops > 0 || atFault !== undefined, state: stateOf(events) as JobState };
}

function checkWhole(run: { status: string; steps: StepKey[]; state: JobState }, expected: Expected): void {
  assert.equal(run.status, expected.status);
  assert.equal(run.state.status, expected.status);
  assert.ok(run.state.steps.every(({ status }) => status !== 'Executing'));
  if (!expected.answers) return assert.match(run.state.reason ?? '', /would run again/);
  assert.deepEqual(run.state.failedSteps, expected.failedSteps);
  assert.deepEqual(sorted(answers(run.state)), sorted(expected.answers));
}

const sorted = (map: ReadonlyMap<StepKey, boolean>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

describe('any job', function () {
  this.timeout(120_000);

  it('does what its work says', async () => {
    let capped = 0;
    await fc.assert(
      fc.asyncProperty(anyWork, anyScript, async (given, script) => {
        const work = normalWork(given);
        const expected = interpreted(work, script);
        if (!expected.answers) capped++;
        const run = await attempt(work, script, { kind: 'none' });
        checkWhole(run, expected);
        assert.equal(new Set(run.steps).size, run.steps.length, 'no step runs twice');
      }),
      { numRuns: 300 },
    );
    assert.ok(capped < 200);
  });

  for (const kind of ['crash', 'refusal', 'stop', 'kill'] as const)
    it(`with a ${kind} at every step settles at once, and continued does the rest`, async () => {
      let faults = 0;
      await fc.assert(
        fc.asyncProperty(anyWork, anyScript, async (given, script) => {
          const work = normalWork(given);
          const expected = interpreted(work, script);
          for (let at = 0; at < 60; at++) {
            const run = await attempt(work, script, { kind, at });
            if (!run.hit) break;
            faults++;
            const { events } = run;
            if (kind === 'kill') {
              if (run.status !== 'Stopped') break;
              events.push({ type: 'jobInterrupted', at: 0 });
            }
            const state = stateOf(events) as JobState;
            // The last event of a run cannot be stopped any more.
            if (kind === 'stop' && run.status !== 'Stopped') {
              checkWhole(run, expected);
              break;
            }
            assert.equal(state.status, { crash: 'Failed', refusal: 'Failed', stop: 'Stopped', kill: 'Interrupted' }[kind]);
            assert.ok(state.steps.every(({ status, task }) => status !== 'Executing' && task?.status !== 'Executing'));
            const done = answers(state);
            if (expected.answers)
              for (const [step, answer] of done) assert.equal(answer, expected.answers.get(step), `${step} is a step of the whole run`);
            const rest = await attempt(work, script, { kind: 'none' }, events);
            checkWhole(rest, expected);
            assert.ok(
              rest.steps.every((step) => !done.has(step)),
              'what has an answer does not run again',
            );
          }
        }),
        { numRuns: 30 },
      );
      assert.ok(faults > 30, `${faults} faults`);
    });

  it('that is to pause at any moment ends what runs, starts nothing new, and continued does the rest', async () => {
    let pauses = 0;
    await fc.assert(
      fc.asyncProperty(anyWork, anyScript, async (given, script) => {
        const work = normalWork(given);
        const expected = interpreted(work, script);
        for (let at = 0; at < 60; at++) {
          const run = await attempt(work, script, { kind: 'pause', at });
          if (!run.hit) break;
          if (run.status !== 'Paused') {
            checkWhole(run, expected);
            continue;
          }
          pauses++;
          const asked = run.events.findIndex(({ type }) => type === 'jobPausing');
          assert.ok(
            run.events.slice(asked).every(({ type }) => type !== 'workStarted'),
            'nothing new is started',
          );
          assert.ok(
            run.state.steps.every(({ status }) => status === 'Succeeded' || status === 'Failed'),
            'what ran has its answer',
          );
          const done = answers(run.state);
          assert.equal(done.size, run.steps.length);
          const rest = await attempt(work, script, { kind: 'none' }, run.events);
          checkWhole(rest, expected);
          assert.equal(rest.state.pausing, undefined);
          assert.ok(rest.steps.every((step) => !done.has(step)));
        }
      }),
      { numRuns: 40 },
    );
    assert.ok(pauses > 30, `${pauses} pauses`);
  });

  it('whose pause is withdrawn does the rest without an end between', async () => {
    let withdrawn = 0;
    await fc.assert(
      fc.asyncProperty(anyWork, anyScript, fc.nat(30), fc.nat(40), async (given, script, at, count) => {
        const work = normalWork(given);
        const run = await attempt(work, script, { kind: 'pause', at }, [], async (job) => {
          await turns(count);
          if (job.withdrawPause('me')) withdrawn++;
        });
        if (run.status !== 'Paused') checkWhole(run, interpreted(work, script));
      }),
      { numRuns: 200 },
    );
    assert.ok(withdrawn > 30, `${withdrawn} withdrawn`);
  });

  it('of which a step is skipped while it runs does what it would after its success', async () => {
    let skips = 0;
    await fc.assert(
      fc.asyncProperty(anyWork, anyScript, fc.nat(6), async (given, script, at) => {
        const work = normalWork(given);
        const run = await attempt(work, script, { kind: 'skip', at });
        const skipped = run.atFault;
        if (skipped === undefined) return;
        skips++;
        checkWhole(run, interpreted(work, { ...script, answer: (step) => step === skipped || script.answer(step) }));
        const step = run.state.steps.find((one) => one.step === skipped);
        assert.deepEqual([step?.status, step?.skipped?.by, step?.skipped?.was], ['Succeeded', 'me', 'Executing']);
        assert.equal(run.events.filter(({ type }) => type === 'workSkipped').length, 1);
      }),
      { numRuns: 300 },
    );
    assert.ok(skips > 30, `${skips} skips`);
  });

  it('that failed and goes on without what failed it ends as if that had succeeded', async () => {
    let skips = 0;
    await fc.assert(
      fc.asyncProperty(anyWork, anyScript, async (given, script) => {
        const work = normalWork(given);
        const first = await attempt(work, script, { kind: 'none' });
        const [failed, ...others] = first.state.failedSteps;
        if (failed === undefined) return;
        skips++;
        const how = skipping(first.state, failed);
        assert.deepEqual(how, { redo: others, skipped: [failed] });
        const better: Script = { ...script, answer: (step) => step === failed || script.answer(step) };
        const second = await attempt(work, better, { kind: 'none' }, first.events, undefined, {
          redo: others,
          skipped: [failed],
          by: 'me',
        });
        checkWhole(second, interpreted(work, better));
        assert.ok(!second.steps.includes(failed), 'it does not run again');
        assert.deepEqual(
          second.state.steps.flatMap(({ step, skipped }) => (skipped ? [[step, skipped.was]] : [])),
          [[failed, 'Failed']],
        );
      }),
      { numRuns: 300 },
    );
    assert.ok(skips > 30, `${skips} skips`);
  });

  it('that is stopped at any moment, also while it waits for others, stays stopped', async () => {
    let stops = 0;
    let idle = 0;
    await fc.assert(
      fc.asyncProperty(anyWork, anyScript, fc.nat(100), fc.nat(20), async (given, script, first, second) => {
        const work = normalWork(given);
        const expected = interpreted(work, script);
        const stopAfter = (count: number) => async (job: JobRun) => {
          await turns(count);
          if (job.status === 'Executing') stops++;
          job.stop('me');
        };
        const run = await attempt(work, script, { kind: 'none' }, [], stopAfter(first));
        // Its end was recorded once, and is what was told: `attempt` looks for events after it.
        assert.equal(run.state.status, run.status);
        if (run.status !== 'Stopped') return checkWhole(run, expected);
        // What was cut off counts as done, so that nothing may be left to run.
        const cut = run.state.steps.find(({ status }) => status !== 'Succeeded' && status !== 'Failed')?.step;
        const how = cut === undefined ? {} : skipping(run.state, cut);
        assert.ok(!('error' in how));
        const again = await attempt(work, script, { kind: 'none' }, run.events, stopAfter(second), how);
        assert.equal(again.state.status, again.status);
        if (again.status === 'Stopped' && again.steps.length === 0) idle++;
      }),
      { numRuns: 500 },
    );
    assert.ok(stops > 30 && idle > 30, `${stops} stops, ${idle} with nothing that ran`);
  });

  it('that failed and is continued repeats the steps that failed it, and no other', async () => {
    let continued = 0;
    await fc.assert(
      fc.asyncProperty(anyWork, anyScript, async (given, script) => {
        const work = normalWork(given);
        const expected = interpreted(work, script);
        if (expected.status === 'Succeeded' || !expected.answers) return;
        continued++;
        const first = await attempt(work, script, { kind: 'none' });
        // This time they succeed. The steps before them keep their answers.
        const better: Script = { ...script, answer: (step) => expected.failedSteps.includes(step) || script.answer(step) };
        const second = await attempt(work, better, { kind: 'none' }, first.events);
        checkWhole(second, interpreted(work, better));
        const kept = new Set([...expected.answers.keys()].filter((step) => !expected.failedSteps.includes(step)));
        assert.ok(second.steps.every((step) => !kept.has(step)));
      }),
      { numRuns: 300 },
    );
    assert.ok(continued > 30, `${continued} jobs`);
  });
});

import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeSessions, type Reply } from '../../../test/fakes/portalSessions.ts';
import { type JobDefinition, jobDefinition } from '../runs/jobDefinition.ts';
import { type JobState, reduceJob, runningWorkIds } from '../runs/jobState.ts';
import type { RunEvent } from '../runs/runEvents.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import type { GivenWork } from '../entry/work.ts';
import { STOP_MS } from '../tasks/taskSessions.ts';
import { JobRun } from './jobRun.ts';

const ref = (taskId: string, modelOverride?: { id: string }): GivenWork => ({
  kind: 'Ref',
  taskId,
  ...(modelOverride && { modelOverride }),
});
const failed: Reply = {};
const good: Reply = { tools: [['job_boolean_true', 'done']] };
const crash: Reply = { crash: new Error('out of memory') };
const criteria = { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } };

function definition(work: GivenWork): JobDefinition {
  const model = { category: 'work' };
  const given = validateEntry({
    models: { driving: 'driver', work: 'worker' },
    promptVariables: {},
    tasks: {
      a: { model, prompt: ['a $user-input'], requireUserInput: true, criteria },
      b: { model, prompt: ['b'], requireUserInput: false, criteria },
      afterA: { model, prompt: ['after a'], requireUserInput: false, availability: { previousTasks: ['a'] } },
      unused: { model, prompt: ['unused'], requireUserInput: false },
    },
    jobs: { job: { work } },
    grid: [],
  });
  const found = jobDefinition(given, 'job');
  assert.ok(found);
  return found;
}

/** `replies`: by prompt, in order; then success. */
function harness(replies: Record<string, Reply[]> = {}) {
  const sessions = new FakeSessions((prompt) => replies[prompt.split('\n').at(-1) ?? '']?.shift() ?? good);
  const context = sessions.context();
  const events: RunEvent[] = [];
  const record = (event: RunEvent) => void events.push(JSON.parse(JSON.stringify(event)) as RunEvent);
  return {
    ...{ sessions, context, events, record },
    kinds: () => events.map(({ type }) => type).filter((type) => !type.startsWith('task')),
    state: () => events.reduce<JobState | undefined>(reduceJob, undefined) as JobState,
    start: (work: GivenWork, loopCap?: number) =>
      JobRun.start(context, { jobId: 'j', definition: definition(work), userInput: 'in', workingDirectory: '/w', loopCap }, record),
  };
}

describe('a job', () => {
  it('tells what a step had used when it is stopped or skipped, also since it was told last', async () => {
    const { start, sessions, events } = harness({ 'a in': [{ hangs: true }], b: [{ hangs: true }] });
    const run = start({ kind: 'Seq', works: [ref('a'), ref('b')] });
    await atRest();
    const used = () => events.flatMap((event) => (event.type === 'taskUsage' ? event.used.inputTokens : []));
    sessions.started[0]?.act({ modelCalls: 1, inputTokens: 10 });
    sessions.started[0]?.act({ modelCalls: 1, inputTokens: 5 });
    assert.deepEqual(used(), [10], 'not more often than every few seconds');
    run.skip('0#0', 'Ada');
    await atRest();
    assert.deepEqual(used(), [10, 15]);
    sessions.started[1]?.act({ modelCalls: 1, inputTokens: 3 });
    sessions.started[1]?.act({ modelCalls: 1, inputTokens: 4 });
    run.stop();
    await run.ended;
    assert.deepEqual(used(), [10, 15, 3, 7]);
    assert.deepEqual(
      events.slice(-3).map(({ type }) => type),
      ['taskUsage', 'taskStopped', 'jobStopped'],
    );
  });

  it('knows when no agent of it works any more, after a stop', async () => {
    const { start, sessions } = harness({ 'a in': [{ hangs: true }] });
    const run = start({ kind: 'Par', works: [ref('a'), ref('b')] });
    await atRest();
    let release: () => void = assert.fail;
    (sessions.started[0] ?? assert.fail()).stopped = new Promise((resolve) => (release = resolve));
    run.stop();
    assert.equal(await run.ended, 'Stopped', 'the stop itself waits for nothing');
    let hasStopped = false;
    void run.stopped().then(() => (hasStopped = true));
    await atRest();
    assert.equal(hasStopped, false);
    release();
    await atRest();
    assert.equal(hasStopped, true);
  });

  it('knows it also of a session that arrives after the stop', async () => {
    const { start, sessions } = harness();
    let arrive: () => void = assert.fail;
    sessions.beforeStart = () => new Promise((resolve) => (arrive = resolve));
    const run = start(ref('b'));
    await atRest();
    run.stop();
    let hasStopped = false;
    void run.stopped().then(() => (hasStopped = true));
    await atRest();
    assert.equal(hasStopped, false);
    arrive();
    await atRest();
    assert.deepEqual([hasStopped, sessions.alive.length], [true, 0]);
  });

  for (const waits of ['othersStopped', 'finish'] as const)
    it(`that is stopped while it waits for ${waits}, with nothing left to run, does not succeed after that`, async () => {
      const { start, context, events, record, state, sessions } = harness({ b: [{ hangs: true }] });
      const first = start({ kind: 'Seq', works: [ref('a'), ref('b')] });
      await atRest();
      first.stop();
      await first.ended;
      let goOn: () => void = assert.fail;
      const waiting = () => new Promise<void>((resolve) => (goOn = resolve));
      const trees = { folderOf: () => Promise.resolve('/tree'), join: () => Promise.resolve(), finish: waiting };
      const waitingContext = { ...context, ...(waits === 'finish' ? { worktrees: { ofRun: () => trees } } : { othersStopped: waiting }) };
      const before = state();
      const given = waits === 'finish' ? { ...before, definition: { ...before.definition, worktree: 'run' as const } } : before;
      const how = { redo: [], skipped: ['1#0' as const], by: 'me' };
      const second = JobRun.continue(waitingContext, given, how, record);
      await atRest();
      second.stop();
      assert.equal(await second.ended, 'Stopped');
      goOn();
      await atRest();
      assert.equal(second.status, 'Stopped');
      assert.equal(state().status, 'Stopped');
      assert.equal(events.at(-1)?.type, 'jobStopped');
      assert.equal(sessions.started.length, 2, 'nothing new was started');
    });

  it('runs its tasks with its input, folder and models', async () => {
    const { start, sessions, kinds, state } = harness();
    assert.equal(await start({ kind: 'Seq', works: [ref('a'), ref('b', { id: 'other' })] }).ended, 'Succeeded');
    assert.deepEqual(sessions.prompts, ['worker: a in', 'other: b']);
    assert.deepEqual(sessions.requests, [
      { model: 'worker', workingDirectory: '/w', approve: [] },
      { model: 'other', workingDirectory: '/w', approve: [] },
    ]);
    assert.deepEqual(kinds(), ['jobStarted', 'workStarted', 'workStopped', 'workStarted', 'workStopped', 'jobSucceeded']);
    assert.deepEqual(
      state().steps.map(({ step, taskName, status, taskId, task }) => [step, taskName, status, taskId, task?.status]),
      [
        ['0#0', 'a', 'Succeeded', 'task-0', 'Succeeded'],
        ['1#0', 'b', 'Succeeded', 'task-1', 'Succeeded'],
      ],
    );
    assert.deepEqual(Object.keys(state().definition.tasks), ['a', 'b']);
  });

  it('begins nothing beside an agent that is being stopped', async () => {
    for (const how of ['stopped', 'late', 'job']) {
      const { start, sessions, context, kinds } = harness({ 'a in': [{ hangs: true }] });
      const run = start({ kind: 'Seq', works: [ref('a'), ref('b')] });
      await atRest();
      let stopped = () => assert.fail('it is not being stopped') as void;
      const [session = assert.fail()] = sessions.started;
      session.stopped = new Promise((resolve) => (stopped = resolve));
      assert.ok(run.skip('0#0', 'Ada'));
      await atRest();
      assert.deepEqual([session.stops, sessions.prompts], [1, ['worker: a in']]);
      assert.ok(!run.skip('0#0', 'Ada'));
      if (how === 'stopped') stopped();
      else if (how === 'late') context.clock.advance(STOP_MS);
      else run.stop();
      assert.equal(await run.ended, how === 'job' ? 'Stopped' : 'Succeeded');
      stopped();
      await atRest();
      assert.equal(sessions.prompts.length, how === 'job' ? 1 : 2);
      assert.equal(kinds().at(-1), how === 'job' ? 'jobStopped' : 'jobSucceeded');
      assert.equal(context.clock.pending, 0);
    }
  });

  it('fails before its first step where it wants work trees and the portal has no place for them', async () => {
    const { context, events, record, state } = harness();
    const request = {
      jobId: 'j',
      definition: { ...definition(ref('b')), worktree: 'run' as const },
      userInput: '',
      workingDirectory: '/w',
    };
    assert.equal(await JobRun.start(context, request, record).ended, 'Failed');
    assert.match(state().reason ?? '', /works in work trees of Git, and this portal has no place for them/);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['jobStarted', 'jobFailed'],
    );
  });

  it('is paused before it needs its folder', async () => {
    const { context, record, state } = harness();
    const folders = {
      ...{ join: () => Promise.resolve(), finish: () => Promise.resolve() },
      folderOf: () => Promise.reject(new Error('no such folder')),
    };
    const request = {
      jobId: 'j',
      definition: { ...definition(ref('b')), worktree: 'run' as const },
      userInput: '',
      workingDirectory: '/w',
    };
    const run = JobRun.start({ ...context, worktrees: { ofRun: () => folders } }, request, record);
    run.pause('Ada');
    assert.equal(await run.ended, 'Paused', state().reason);
  });

  it('knows what runs', async () => {
    const { start } = harness({ b: [{ hangs: true }] });
    const job = start({ kind: 'Seq', works: [ref('a'), ref('b')] });
    await atRest();
    assert.deepEqual(job.runningWorkIds, [1]);
    assert.deepEqual(
      job.runningTasks.map(({ taskId, status }) => [taskId, status]),
      [['task-1', 'Executing']],
    );
    job.stop();
  });

  it('says which steps failed it', async () => {
    const { start, state } = harness({ b: [failed] });
    assert.equal(await start({ kind: 'Par', works: [ref('a'), ref('b'), ref('a')] }).ended, 'Failed');
    assert.deepEqual(state().failedSteps, ['1#0']);
    assert.equal(state().reason, 'its work failed');
  });

  it('lets a task run only after the tasks that it needs, by their last result', async () => {
    const after = (replies: Record<string, Reply[]>, work: GivenWork) => harness(replies).start(work).ended;
    assert.equal(await after({}, { kind: 'Seq', works: [ref('a'), ref('afterA')] }), 'Succeeded');
    assert.equal(await after({}, { kind: 'Seq', works: [ref('b'), ref('afterA')] }), 'Failed');
    const ignoringA: GivenWork = {
      kind: 'Seq',
      works: [{ kind: 'Alt', condition: ref('a') }, { kind: 'Alt', condition: ref('a') }, ref('afterA')],
    };
    assert.equal(await after({ 'a in': [failed] }, ignoringA), 'Succeeded');
    assert.equal(await after({ 'a in': [good, failed] }, ignoringA), 'Failed');
  });

  it('fails at once when a task crashes, and stops the others', async () => {
    const { start, sessions, state, events } = harness({ 'a in': [{ hangs: true }], b: [crash, crash, crash, crash, crash] });
    const job = start({ kind: 'Par', works: [ref('a'), ref('b')] });
    assert.equal(await job.ended, 'Failed');
    assert.deepEqual(sessions.alive, []);
    assert.equal(state().reason, 'the task "b" crashed: out of memory');
    assert.deepEqual(
      state().steps.map(({ status, crashError }) => [status, crashError]),
      [
        ['Stopped', undefined],
        ['Failed', 'out of memory'],
      ],
    );
    const { length } = events;
    await atRest();
    assert.equal(events.length, length);
    assert.equal(events.at(-1)?.type, 'jobFailed');
  });

  it('fails where a loop passes its cap, and says so', async () => {
    const { start, state, sessions } = harness();
    const loop: GivenWork = { kind: 'Loop', postCondition: [true, ref('a')], body: ref('b') };
    assert.equal(await start(loop, 3).ended, 'Failed');
    assert.equal(state().reason, 'a loop has run 3 times and would run again');
    assert.equal(sessions.prompts.filter((prompt) => prompt.endsWith('b')).length, 3);
    const other = harness();
    assert.equal(await other.start(loop).ended, 'Failed');
    assert.match(other.state().reason ?? '', /has run 100 times/);
  });

  it('stops with every task and session in it, at once', async () => {
    const { start, sessions, state, events } = harness({ 'a in': [{ hangs: true }], b: [{ hangs: true }] });
    const job = start({ kind: 'Par', works: [ref('a'), ref('b')] });
    await atRest();
    assert.deepEqual(job.runningWorkIds, [0, 1]);
    assert.deepEqual(runningWorkIds(state()), [0, 1]);
    job.stop();
    assert.equal(job.status, 'Stopped');
    assert.deepEqual(job.runningWorkIds, []);
    assert.deepEqual(
      sessions.started.map(({ stops, cancelled }) => [stops, cancelled]),
      [
        [1, 1],
        [1, 1],
      ],
    );
    assert.equal(await job.ended, 'Stopped');
    assert.equal(events.at(-1)?.type, 'jobStopped');
    assert.deepEqual(
      state().steps.map(({ status, task }) => [status, task?.status]),
      [
        ['Stopped', 'Stopped'],
        ['Stopped', 'Stopped'],
      ],
    );
    const { length } = events;
    await atRest();
    assert.equal(events.length, length);
  });

  it('fails when a user stops one of its tasks', async () => {
    const { start, state } = harness({ 'a in': [{ hangs: true }] });
    const job = start(ref('a'));
    await atRest();
    job.runningTasks[0]?.stop();
    assert.equal(await job.ended, 'Failed');
    assert.equal(state().reason, 'the task "a" crashed: the task was stopped');
  });

  it('fails when an event cannot be recorded, and stops its sessions', async () => {
    const work: GivenWork = { kind: 'Par', works: [ref('a'), ref('b')] };
    const whole = harness();
    await whole.start(work).ended;
    for (let at = 0; at < whole.events.length - 1; at++) {
      const { context, sessions } = harness();
      let count = 0;
      const request = { jobId: 'j', definition: definition(work), userInput: '', workingDirectory: '/w' };
      const job = JobRun.start(context, request, () => {
        if (count++ >= at) throw new Error('disk full');
      });
      assert.equal(await job.ended, 'Failed', `event ${at}`);
      await atRest();
      assert.deepEqual(sessions.alive, []);
    }
  });

  describe('that is continued', () => {
    it('runs only what failed it and what follows', async () => {
      const { start, context, record, sessions, state } = harness({ b: [failed] });
      const seq: GivenWork = { kind: 'Seq', works: [ref('a'), { kind: 'Par', works: [ref('a'), ref('b')] }, ref('afterA')] };
      assert.equal(await start(seq).ended, 'Failed');
      assert.equal(await JobRun.continue(context, state(), {}, record).ended, 'Succeeded');
      assert.deepEqual(sessions.prompts, ['worker: a in', 'worker: a in', 'worker: b', 'worker: b', 'worker: after a']);
      assert.equal(state().attempt, 2);
      assert.equal(state().reason, undefined);
      assert.deepEqual(
        state().steps.map(({ step, status, redone }) => [step, status, redone]),
        [
          ['0#0', 'Succeeded', undefined],
          ['1#0', 'Succeeded', undefined],
          ['2#0', 'Failed', true],
          ['2#0', 'Succeeded', undefined],
          ['3#0', 'Succeeded', undefined],
        ],
      );
    });

    it('keeps a condition that failed, because it is an answer', async () => {
      const { start, context, record, sessions, state } = harness({ 'a in': [failed], b: [failed] });
      assert.equal(await start({ kind: 'Alt', condition: ref('a'), falseWork: ref('b') }).ended, 'Failed');
      assert.equal(await JobRun.continue(context, state(), {}, record).ended, 'Succeeded');
      assert.deepEqual(sessions.prompts, ['worker: a in', 'worker: b', 'worker: b']);
    });

    it('may have a higher cap', async () => {
      const { start, context, record, state, sessions } = harness({ 'a in': [good, good, failed] });
      assert.equal(await start({ kind: 'Loop', postCondition: [true, ref('a')], body: ref('b') }, 2).ended, 'Failed');
      assert.equal(await JobRun.continue(context, state(), { loopCap: 4 }, record).ended, 'Succeeded');
      assert.equal(sessions.prompts.filter((prompt) => prompt.endsWith('b')).length, 3);
    });

    it('must have ended, and not well', async () => {
      const { start, context, record, state } = harness();
      const job = start(ref('a'));
      await Promise.resolve();
      assert.throws(() => JobRun.continue(context, state(), {}, record), /Executing cannot be continued/);
      await job.ended;
      assert.throws(() => JobRun.continue(context, state(), {}, record), /Succeeded cannot be continued/);
    });
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atRest } from '../../../test/fakes/eventually.ts';
import type { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { FakeSessions, type Reply } from '../../../test/fakes/portalSessions.ts';
import { until } from '../../../test/support/until.ts';
import { nullLogger } from '../../base/log.ts';
import type { RunLimits } from '../entry/entry.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import type { Budget } from '../limits/taskLimits.ts';
import { PortalRuns } from '../portalRuns.ts';
import type { RunEvent } from '../runs/runEvents.ts';
import { timeline } from '../runs/runTimeline.ts';
import { Worktrees } from '../worktrees/worktrees.ts';
import { RunQueue } from './runQueue.ts';

const entryWith = (limits?: RunLimits, job: { worktree?: 'run'; budget?: Budget } = {}) =>
  validateEntry({
    models: { driving: 'm' },
    promptVariables: {},
    tasks: { work: { model: { category: 'driving' }, prompt: ['work'], requireUserInput: false } },
    jobs: {
      job: { ...job, work: { kind: 'Ref', taskId: 'work' } },
      long: { work: { kind: 'Seq', works: [1, 2].map(() => ({ kind: 'Ref', taskId: 'work' })) } },
    },
    grid: [],
    ...(limits && { limits }),
  });

describe('runs that are queued', () => {
  const opened: { dispose(): void }[] = [];
  afterEach(() => {
    for (const one of opened.splice(0)) one.dispose();
  });

  function open({
    kept = [],
    limits,
    notBefore,
    at,
    job,
    worktrees,
    folderProblem,
  }: {
    kept?: [string, RunEvent][];
    limits?: RunLimits;
    notBefore?: number;
    at?: number;
    job?: Parameters<typeof entryWith>[1];
    worktrees?: Worktrees;
    folderProblem?: (folder: string) => Promise<string | undefined>;
  } = {}) {
    const replies: Reply = { hangs: true };
    const sessions = new FakeSessions(() => replies);
    const context = sessions.context();
    const clock = context.clock as FakeClock;
    if (at !== undefined) clock.advance(at - clock.now());
    const events: [string, RunEvent][] = [...kept];
    let problem: string | undefined;
    const keep = (runId: string, event: RunEvent) => {
      if (problem !== undefined) throw new Error(problem);
      events.push([runId, structuredClone(event)]);
    };
    const removed: string[] = [];
    const remove = (jobId: string) => void removed.push(jobId);
    const more = { ...(worktrees && { worktrees }), ...(folderProblem && { folderProblem }) };
    const runs = new PortalRuns({ context, keep, remove, tell: () => undefined, notBefore, ...more });
    const warnings: string[] = [];
    const logger = { ...nullLogger, warn: (text: string) => void warnings.push(text) };
    const queue = new RunQueue({ runs, begin: (jobId, how) => runs.beginJob(jobId, how), clock, logger });
    opened.push(queue, runs);
    const ids = [...new Set(kept.map(([runId]) => runId))];
    const interrupted = ids.filter((id) =>
      runs.restore(
        id,
        kept.filter(([runId]) => runId === id).map(([, event]) => event),
      ),
    );
    const install = (given = limits) => {
      const entry = entryWith(given, job);
      runs.installEntry(entry);
      queue.install(entry.limits);
    };
    const start = (options: { notBefore?: number } = {}, folder = '/w', name = 'job') => {
      const started = runs.startJob(name, '', folder, undefined, options);
      assert.ok('jobId' in started);
      return started.jobId;
    };
    const state = (jobId: string) => {
      const found = runs.jobState(jobId);
      assert.ok(found);
      return found;
    };
    const reason = (jobId: string) => queue.reasons()(state(jobId));
    const typesOf = (jobId: string) => events.flatMap(([runId, { type }]) => (runId === jobId && type.startsWith('job') ? [type] : []));
    const fail = (why: string | undefined) => (problem = why);
    const texts = (jobId: string) => timeline(state(jobId)).map(({ text }) => text);
    return { sessions, clock, runs, queue, events, removed, warnings, interrupted, install, start, state, reason, typesOf, texts, fail };
  }

  it('begin one after the other, in order', async () => {
    const test = open({ limits: { perFolder: 1 } });
    test.install();
    const [one, two, three] = [test.start(), test.start(), test.start()];
    await atRest();
    assert.equal(test.sessions.started.length, 1);
    assert.equal(test.reason(one), undefined);
    assert.match(test.reason(two) ?? '', new RegExp(`^waits for run ${one.slice(0, 8)} \\(job\\) in this folder$`));
    test.runs.stopJob(one);
    await atRest();
    assert.equal(test.sessions.started.length, 2);
    assert.equal(test.reason(two), undefined);
    assert.match(test.reason(three) ?? '', new RegExp(two.slice(0, 8)));
    assert.deepEqual(test.typesOf(two), ['jobStarted', 'jobBegan']);
  });

  it('fail where their folder is not there any more when they begin, and go on once it is', async () => {
    let problem: string | undefined;
    const test = open({ limits: { perFolder: 1 }, folderProblem: async (folder) => problem && `its folder ${folder} is ${problem}` });
    test.install();
    const [one, two] = [test.start(), test.start()];
    await atRest();
    problem = 'not there';
    test.runs.stopJob(one);
    await atRest();
    assert.deepEqual([test.state(two).status, test.state(two).reason], ['Failed', 'its folder /w is not there']);
    assert.deepEqual(test.typesOf(two), ['jobStarted', 'jobBegan', 'jobFailed']);
    assert.equal(test.sessions.started.length, 1);
    problem = undefined;
    assert.deepEqual(test.runs.continueJob(two), { jobId: two });
    await atRest();
    assert.equal(test.sessions.started.length, 2);
  });

  it('begin after a task that runs alone in their folder, once its agent works no more', async () => {
    const test = open({ limits: { perFolder: 1 } });
    test.install();
    const session = test.sessions.create('m');
    session.folder = '/w';
    const started = test.runs.startTask('work', '', session);
    assert.ok('taskId' in started);
    await atRest();
    const jobId = test.start();
    await atRest();
    assert.equal(test.reason(jobId), `waits for task ${started.taskId.slice(0, 8)} (work) in this folder`);
    let rest: () => void = () => undefined;
    session.rested = new Promise((resolve) => (rest = resolve));
    await test.runs.stopTasks();
    await atRest();
    assert.deepEqual([test.state(jobId).queue?.until === undefined, test.sessions.started.length], [false, 1], 'its turn still ends');
    rest();
    await atRest();
    assert.deepEqual([test.reason(jobId), test.sessions.started.length], [undefined, 2]);
  });

  it('can be stopped, and are counted no more', async () => {
    const test = open({ limits: { perModel: { m: 1 } } });
    test.install();
    const [one, two, three] = [test.start(), test.start(), test.start()];
    await atRest();
    assert.deepEqual(test.runs.stopJob(two), { result: 'Closed' });
    assert.equal(test.state(two).status, 'Stopped');
    assert.deepEqual(
      timeline(test.state(two)).map(({ text }) => text),
      ['The job "job" was queued.', 'The job was stopped.'],
    );
    assert.deepEqual(test.runs.stopJob(two), { error: 'JobNotFound' });
    test.runs.stopJob(one);
    await atRest();
    assert.equal(test.reason(three), undefined);
    // What was stopped before it began can go on, and begins then.
    assert.deepEqual(test.runs.continueJob(two), { jobId: two });
    await atRest();
    assert.equal(test.reason(two), undefined);
    assert.equal(test.sessions.started.length, 3);
  });

  it('begin when the limit is a higher one, or gone', async () => {
    const test = open({ limits: { perFolder: 1 } });
    test.install();
    const ids = [test.start(), test.start(), test.start(), test.start()];
    test.install({ perFolder: 2 });
    await atRest();
    assert.equal(test.sessions.started.length, 2);
    test.install({});
    await atRest();
    assert.equal(test.sessions.started.length, 4);
    assert.deepEqual(
      ids.map(test.reason),
      ids.map(() => undefined),
    );
  });

  it('begin at their time, and not before', async () => {
    const test = open();
    test.install();
    const at = test.clock.now() + 5 * 3_600_000;
    const jobId = test.start({ notBefore: at });
    await atRest();
    assert.match(test.reason(jobId) ?? '', /^waits until /);
    test.clock.advance(at - test.clock.now() - 1);
    await atRest();
    assert.equal(test.sessions.started.length, 0);
    test.clock.advance(1);
    await atRest();
    assert.equal(test.sessions.started.length, 1);
    const { startedAt, queue } = test.state(jobId);
    assert.deepEqual([startedAt, queue?.until, queue?.isLate], [at, at, undefined]);
    assert.deepEqual(test.warnings, []);
  });

  it('begin at once when their time is past', async () => {
    const test = open();
    test.install();
    const jobId = test.start({ notBefore: test.clock.now() - 1 });
    await atRest();
    assert.deepEqual(test.typesOf(jobId), ['jobStarted']);
    assert.equal(test.sessions.started.length, 1);
  });

  it('wait for the time from which on a portal begins with runs', async () => {
    const test = open({ notBefore: 2_000_000 });
    test.install();
    const [one, two] = [test.start(), test.start({ notBefore: 3_000_000 })];
    await atRest();
    assert.deepEqual([test.state(one).queue?.notBefore, test.state(two).queue?.notBefore], [2_000_000, 3_000_000]);
    test.clock.advance(2_000_000 - test.clock.now());
    await atRest();
    assert.equal(test.sessions.started.length, 1);
  });

  it('are still queued after a restart, and what had begun is interrupted', async () => {
    const before = open({ limits: { perFolder: 1 } });
    before.install();
    const [one, two] = [before.start(), before.start()];
    await atRest();
    const test = open({ kept: before.events, limits: { perFolder: 1 } });
    assert.deepEqual(test.interrupted, [one]);
    await atRest();
    assert.equal(test.reason(two), 'waits until the portal has its jobs');
    test.install();
    await atRest();
    assert.equal(test.reason(two), undefined);
    assert.equal(test.sessions.started.length, 1);
  });

  it('begin at once after their time has passed without a portal, which is said', async () => {
    const before = open();
    before.install();
    const at = before.clock.now() + 3_600_000;
    const jobId = before.start({ notBefore: at });
    const test = open({ kept: before.events, at: at + 7_200_000 });
    test.install();
    await atRest();
    assert.equal(test.state(jobId).queue?.isLate, true);
    assert.equal(test.warnings.length, 1);
    assert.match(timeline(test.state(jobId)).map(({ text }) => text)[1] ?? '', /began in \/w, late, because no portal ran/);
  });

  it('are tried again when their beginning cannot be kept', async () => {
    const test = open({ limits: { perFolder: 1 } });
    test.install();
    const one = test.start();
    test.fail('no space left');
    await atRest();
    assert.equal(test.sessions.started.length, 0);
    assert.match(test.warnings[0] ?? '', /no space left/);
    test.fail(undefined);
    test.clock.advance(10_000);
    await atRest();
    assert.equal(test.reason(one), undefined);
    assert.equal(test.sessions.started.length, 1);
  });

  describe('and what people do to runs', () => {
    it('are paused at once, and begin when they are continued', async () => {
      const test = open({ limits: { perFolder: 1 } });
      test.install();
      const [one, two, three] = [test.start(), test.start(), test.start()];
      await atRest();
      test.clock.advance(1_000);
      assert.deepEqual(test.runs.pauseJob(two, 'me'), { result: 'Pausing' });
      assert.deepEqual(test.runs.pauseJob(two, 'me'), { error: 'JobNotRunning' });
      const pausedAt = test.clock.now();
      assert.deepEqual([test.state(two).status, test.state(two).queue?.until, test.reason(two)], ['Paused', pausedAt, undefined]);
      assert.deepEqual(test.texts(two), [
        'The job "job" was queued.',
        'The job is to pause after the steps that run, by me.',
        'The job was paused: the steps that ran have ended, and nothing new was started.',
      ]);
      // It is in nobody's way.
      test.runs.stopJob(one);
      await atRest();
      assert.deepEqual([test.reason(three), test.state(two).status, test.sessions.started.length], [undefined, 'Paused', 2]);
      test.clock.advance(1_000);
      assert.deepEqual(test.runs.continueJob(two, { by: 'me' }), { jobId: two });
      await atRest();
      const { status, startedAt, queue, pausing } = test.state(two);
      const now = test.clock.now();
      assert.deepEqual([status, startedAt, queue?.until, pausing], ['Executing', now, now, undefined]);
      assert.equal(test.sessions.started.length, 3);
      assert.ok(test.texts(two).includes('The job "job" began in /w.'));
    });

    it('have no steps that could be skipped, steered or done again', async () => {
      const test = open({ limits: { perFolder: 1 } });
      test.install();
      const two = (test.start(), test.start());
      await atRest();
      const change = { step: '0#0', by: 'me' } as const;
      assert.deepEqual(test.runs.skipStep(two, change), { error: 'StepNotFound' });
      assert.deepEqual(await test.runs.steerStep(two, { ...change, text: 'x' }), { error: 'StepNotFound' });
      assert.deepEqual(test.runs.continueJob(two), { error: 'JobCannotContinue' });
      assert.deepEqual(test.runs.continueJob(two, { from: '0#0' }), { error: 'JobCannotContinue' });
      assert.deepEqual(test.typesOf(two), ['jobStarted']);
    });

    it('are stopped by somebody, and can be deleted then', async () => {
      const test = open({ limits: { perFolder: 1 } });
      test.install();
      const [one, two, three] = [test.start(), test.start(), test.start()];
      await atRest();
      assert.deepEqual(await test.runs.deleteJob(two), { error: 'JobNotEnded' });
      assert.deepEqual(test.runs.stopJob(two, 'me'), { result: 'Closed' });
      assert.deepEqual(test.texts(two), ['The job "job" was queued.', 'The job was stopped, by me.']);
      assert.deepEqual(await test.runs.deleteJob(two), { result: 'Deleted' });
      assert.deepEqual([test.removed, test.runs.jobState(two)], [[two], undefined]);
      assert.match(test.reason(three) ?? '', new RegExp(`^waits for run ${one.slice(0, 8)} `));
      test.runs.stopJob(one);
      await atRest();
      assert.equal(test.reason(three), undefined);
    });

    it('begin when one that ran is paused, which goes on later without waiting', async () => {
      const test = open({ limits: { perFolder: 1 } });
      test.install();
      const [one, two] = [test.start({}, '/w', 'long'), test.start()];
      await atRest();
      test.runs.pauseJob(one, 'me');
      await atRest();
      assert.match(test.reason(two) ?? '', new RegExp(`^waits for run ${one.slice(0, 8)} `), 'its first step still runs');
      test.runs.skipStep(one, { step: '0#0', by: 'me' });
      await atRest();
      assert.deepEqual([test.state(one).status, test.reason(two), test.sessions.started.length], ['Paused', undefined, 2]);
      test.runs.continueJob(one);
      await atRest();
      assert.deepEqual([test.state(one).status, test.sessions.started.length], ['Executing', 3]);
    });

    it('are still paused after a kill between the two events of a pause', async () => {
      const before = open({ limits: { perFolder: 1 } });
      before.install();
      const two = (before.start(), before.start());
      await atRest();
      before.runs.pauseJob(two, 'me');
      const kept = before.events.filter(([id, { type }]) => id === two && type !== 'jobPaused');
      const test = open({ kept, limits: { perFolder: 1 } });
      test.install();
      await atRest();
      assert.deepEqual([test.state(two).status, test.sessions.started.length], ['Paused', 0]);
    });
  });

  describe('and their work trees', () => {
    let folder: string;
    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-queued-'))));
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it('have failed with the reason when none can be made at their time, and the next one begins', async () => {
      const worktrees = new Worktrees(join(folder, 'trees'), nullLogger);
      const test = open({ limits: { perModel: { m: 1 } }, job: { worktree: 'run' }, worktrees });
      test.install();
      const at = test.clock.now() + 3_600_000;
      const ids = [test.start({ notBefore: at }, folder), test.start({ notBefore: at }, folder)];
      test.clock.advance(3_600_000);
      await until('the end of both', test.runs.onDidPublish, () => ids.every((id) => test.state(id).status === 'Failed'));
      for (const id of ids) assert.match(test.state(id).reason ?? '', /repository/);
      assert.deepEqual([test.sessions.started.length, test.warnings], [0, []]);
    });

    it('keep no place in the folder, and one with their model', async () => {
      const test = open({ limits: { perFolder: 1 }, job: { worktree: 'run' } });
      test.install();
      const ids = [test.start({}, folder), test.start({}, folder)];
      await atRest();
      assert.deepEqual(
        ids.map((id) => test.state(id).queue),
        [undefined, undefined],
      );
      test.install({ perFolder: 1, perModel: { m: 1 } });
      assert.deepEqual(test.state(test.start({}, folder)).queue, { since: test.clock.now() });
    });
  });

  it('have used nothing of their budget before they begin', async () => {
    const test = open({ job: { budget: { minutes: 1 } } });
    test.install();
    const at = test.clock.now() + 3_600_000;
    const jobId = test.start({ notBefore: at });
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 5_000) {
        test.clock.advance(5_000);
        await atRest();
      }
    };
    await pass(3_600_000 + 55_000);
    assert.deepEqual([test.state(jobId).status, test.state(jobId).startedAt], ['Executing', at]);
    // It is looked at once a minute.
    await pass(65_000);
    const { status, reason, endedAt = 0 } = test.state(jobId);
    assert.deepEqual([status, endedAt >= at + 60_000], ['Stopped', true]);
    assert.match(reason ?? '', /^its budget of 1 minute is used up/);
  });
});

import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import type { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { FakeSessions, type Reply } from '../../../test/fakes/portalSessions.ts';
import { nullLogger } from '../../base/log.ts';
import type { RunLimits } from '../entry/entry.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import { PortalRuns } from '../portalRuns.ts';
import type { RunEvent } from '../runs/runEvents.ts';
import { timeline } from '../runs/timeline.ts';
import { RunQueue } from './runQueue.ts';

const entryWith = (limits?: RunLimits) =>
  validateEntry({
    models: { driving: 'm' },
    promptVariables: {},
    tasks: { work: { model: { category: 'driving' }, prompt: ['work'], requireUserInput: false } },
    jobs: { job: { work: { kind: 'Ref', taskId: 'work' } } },
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
  }: { kept?: [string, RunEvent][]; limits?: RunLimits; notBefore?: number; at?: number } = {}) {
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
    const runs = new PortalRuns({ context, keep, tell: () => undefined, notBefore });
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
      const entry = entryWith(given);
      runs.installEntry(entry);
      queue.install(entry.limits);
    };
    const start = (options: { notBefore?: number } = {}) => {
      const started = runs.startJob('job', '', '/w', undefined, options);
      assert.ok('jobId' in started);
      return started.jobId;
    };
    const state = (jobId: string) => {
      const found = runs.jobState(jobId);
      assert.ok(found);
      return found;
    };
    const reason = (jobId: string) => queue.reasonOf(state(jobId));
    const typesOf = (jobId: string) => events.flatMap(([runId, { type }]) => (runId === jobId && type.startsWith('job') ? [type] : []));
    const fail = (why: string | undefined) => (problem = why);
    return { sessions, clock, runs, queue, events, warnings, interrupted, install, start, state, reason, typesOf, fail };
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
});

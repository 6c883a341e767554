import assert from 'node:assert/strict';
import { atRest } from '../../test/fakes/eventually.ts';
import { FakeSessions, type Reply } from '../../test/fakes/portalSessions.ts';
import { validateEntry } from './entry/validateEntry.ts';
import { liveErrorNames } from './live/liveEvents.ts';
import { LiveQueues } from './live/liveQueues.ts';
import { LiveTokens } from './live/liveTokens.ts';
import { STOP_MS } from './tasks/taskSessions.ts';
import { PortalRuns } from './portalRuns.ts';
import { jobDefinition } from './runs/jobDefinition.ts';
import type { RunEvent } from './runs/runEvents.ts';

const model = { category: 'driving' };
const entry = validateEntry({
  models: { driving: 'm' },
  promptVariables: {},
  tasks: {
    ask: {
      model,
      prompt: ['$user-input'],
      requireUserInput: true,
      criteria: { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } },
    },
    tidy: { model, prompt: ['tidy'], requireUserInput: false, availability: { previousTasks: ['ask'] } },
  },
  jobs: {
    both: {
      work: {
        kind: 'Seq',
        works: [
          { kind: 'Ref', taskId: 'ask' },
          { kind: 'Ref', taskId: 'tidy' },
        ],
      },
    },
    one: { work: { kind: 'Ref', taskId: 'ask' } },
  },
  grid: [{ keyword: 'k', jobs: [{ name: 'n', jobName: 'both' }, null] }],
});
const good: Reply = { tools: [['job_boolean_true', '']] };

function harness(reply: (prompt: string) => Reply = () => good, maxEndedRuns?: number) {
  const sessions = new FakeSessions(reply);
  const context = sessions.context();
  const kept: [runId: string, event: RunEvent][] = [];
  const tokens = new LiveTokens(context.clock);
  const queues = {
    session: new LiveQueues<unknown>({ clock: context.clock, tokens, names: liveErrorNames.session }),
    task: new LiveQueues<unknown>({ clock: context.clock, tokens, names: liveErrorNames.task }),
    job: new LiveQueues<unknown>({ clock: context.clock, tokens, names: liveErrorNames.job }),
  };
  const told: unknown[] = [];
  const runs = new PortalRuns({
    ...{ context, maxEndedRuns },
    keep: (runId, event) => void kept.push(JSON.parse(JSON.stringify([runId, event])) as [string, RunEvent]),
    tell: (update) => {
      told.push(update);
      const queue = queues[update.of];
      if (update.does === 'push') queue.push(update.id, update.response);
      else queue[update.does](update.id);
    },
  });
  runs.installEntry(entry);
  const startJob = (name: string, folder = '/w') => {
    const started = runs.startJob(name, 'in', folder);
    assert.ok('jobId' in started);
    return started.jobId;
  };
  return { sessions, context, kept, queues, tokens, told, runs, startJob };
}

describe('the runs of a portal', () => {
  it('begin no step beside agents that a stopped run has left in the folder, for a time', async () => {
    const hanging = harness(() => ({ hangs: true }));
    const { runs, sessions, startJob, context } = hanging;
    const first = startJob('one');
    await atRest();
    (sessions.started[0] ?? assert.fail()).stopped = new Promise(() => undefined);
    runs.stopJob(first);
    const second = startJob('one', '/w/');
    runs.continueJob(first);
    await atRest();
    assert.deepEqual([runs.jobState(second)?.status, sessions.started.length], ['Executing', 1]);
    context.clock.advance(STOP_MS);
    await atRest();
    assert.equal(sessions.started.length, 3, 'who does not stop is not waited for for ever');
    for (const id of [first, second]) runs.stopJob(id);
  });

  it('lists what can be started, with charts', () => {
    const { runs } = harness();
    assert.deepEqual(runs.listTasks(), [
      { name: 'ask', requireUserInput: true },
      { name: 'tidy', requireUserInput: false },
    ]);
    const { grid, jobs, chart } = runs.listJobs();
    assert.deepEqual(grid, entry.grid);
    assert.deepEqual(
      Object.entries(jobs).map(([name, { revision, ...job }]) => [name, job, revision.length]),
      Object.entries(entry.jobs).map(([name, job]) => [name, job, 32]),
    );
    assert.deepEqual(chart['both']?.nodes.length, 2);
  });

  it('have nothing to start without an entry, or by an unknown or inherited name', () => {
    const { runs, sessions } = harness();
    const empty = new PortalRuns({ context: sessions.context(), keep: () => undefined, tell: () => undefined });
    assert.deepEqual([empty.listTasks(), empty.listJobs()], [[], { grid: [], jobs: {}, chart: {} }]);
    for (const [portal, name] of [
      [empty, 'ask'],
      [runs, 'x'],
      [runs, 'constructor'],
    ] as const) {
      assert.deepEqual(portal.startTask(name, '', sessions.create('m')), { error: 'TaskNotFound' });
      assert.deepEqual(portal.startJob(name, '', '/'), { error: 'JobNotFound' });
      assert.deepEqual(portal.continueJob(name), { error: 'JobNotFound' });
      assert.deepEqual(portal.stopTask(name), { error: 'TaskNotFound' });
      assert.deepEqual(portal.stopJob(name), { error: 'JobNotFound' });
    }
  });

  it('follow a job through the live interface, as its callbacks', async () => {
    const { runs, queues, tokens, startJob } = harness();
    const jobId = startJob('both');
    assert.ok(runs.isRunning);
    await atRest();
    assert.ok(!runs.isRunning);
    const token = tokens.issue();
    const { responses } = await queues.job.unread(jobId, token);
    const tasks = runs.jobState(jobId)?.steps.map(({ taskId }) => taskId) ?? [];
    assert.deepEqual(responses, [
      { callback: 'workStarted', workId: 0, taskId: tasks[0] },
      { callback: 'workStopped', workId: 0, succeeded: true },
      { callback: 'workStarted', workId: 1, taskId: tasks[1] },
      { callback: 'workStopped', workId: 1, succeeded: true },
      { callback: 'jobSucceeded' },
    ]);
    assert.deepEqual(await queues.job.unread(jobId, token), { responses: [{ error: 'JobsClosed' }] });
    const first = (await queues.task.unread(tasks[0] ?? '', token)).responses as { callback: string }[];
    assert.deepEqual(
      first.map(({ callback }) => callback),
      ['taskSessionStarted', 'taskDecision', 'taskDecision', 'taskSessionStopped', 'taskSucceeded'],
    );
    assert.deepEqual(runs.stopJob(jobId), { error: 'JobNotFound' });
    assert.equal(runs.jobState(jobId)?.status, 'Succeeded');
  });

  it('run a task in a session of the user, and tell the session of its prompts', async () => {
    const { runs, sessions, queues, kept } = harness((prompt) => (prompt === 'wait' ? { hangs: true } : good));
    const session = sessions.create('m');
    queues.session.open(session.id);
    const started = runs.startTask('ask', 'wait', session);
    assert.ok('taskId' in started);
    await atRest();
    assert.deepEqual(await queues.session.next(session.id), { callback: 'onGeneratedUserPrompt', prompt: 'wait' });
    assert.deepEqual(runs.startTask('tidy', '', session), { error: 'SessionBusy' });
    assert.deepEqual(runs.stopTask(started.taskId), { error: 'TaskCannotClose' });
    assert.equal(runs.taskState(started.taskId)?.status, 'Executing');
    runs.dispose();
    assert.equal(runs.taskState(started.taskId)?.status, 'Stopped');
    assert.equal(session.stops, 0);
    assert.deepEqual(runs.stopTask(started.taskId), { error: 'TaskNotFound' });
    // Prerequisites are skipped.
    const tidy = runs.startTask('tidy', '', session);
    await atRest();
    assert.ok('taskId' in tidy);
    assert.equal(runs.taskState(tidy.taskId)?.status, 'Succeeded');
    assert.deepEqual([...new Set(kept.map(([runId]) => runId))], [started.taskId, tidy.taskId]);
  });

  it('stop a job, or one of its tasks', async () => {
    const { runs, startJob, sessions } = harness(() => ({ hangs: true }));
    const [one, two] = [startJob('both'), startJob('one')];
    await atRest();
    assert.deepEqual(runs.stopJob(one), { result: 'Closed' });
    assert.equal(runs.jobState(one)?.status, 'Stopped');
    assert.deepEqual(runs.stopJob(one), { error: 'JobNotFound' });
    assert.deepEqual(runs.stopTask(runs.jobState(two)?.steps[0]?.taskId ?? ''), { result: 'Closed' });
    await atRest();
    assert.equal(runs.jobState(two)?.status, 'Failed');
    assert.deepEqual(sessions.alive, []);
  });

  it('goes on by the entry with which it was started', async () => {
    const { runs, startJob, sessions } = harness();
    const jobId = startJob('both');
    runs.installEntry(validateEntry({ models: { driving: 'other' }, promptVariables: {}, tasks: {}, jobs: {}, grid: [] }));
    await atRest();
    assert.equal(runs.jobState(jobId)?.status, 'Succeeded');
    assert.deepEqual(sessions.prompts, ['m: in', 'm: tidy']);
    assert.deepEqual(runs.startJob('both', '', '/'), { error: 'JobNotFound' });
  });

  it('are there again in another process, and go on from the step that was interrupted', async () => {
    const first = harness((prompt) => (prompt === 'tidy' ? { hangs: true } : good));
    const jobId = first.startJob('both');
    await atRest();
    const { runs, kept, sessions, queues, tokens } = harness();
    runs.restore(
      jobId,
      first.kept.map(([, event]) => event),
    );
    assert.deepEqual(
      kept.map(([, { type }]) => type),
      ['jobInterrupted'],
    );
    assert.deepEqual(
      runs.jobState(jobId)?.steps.map(({ status }) => status),
      ['Succeeded', 'Interrupted'],
    );
    assert.deepEqual(runs.continueJob(jobId), { jobId });
    await atRest();
    assert.equal(runs.jobState(jobId)?.status, 'Succeeded');
    assert.deepEqual(sessions.prompts, ['m: tidy']);
    assert.deepEqual((await queues.job.unread(jobId, tokens.issue())).responses.length, 3);
    assert.deepEqual(runs.continueJob(jobId), { error: 'JobCannotContinue' });
    // A third process needs what both have kept.
    const third = harness();
    third.runs.restore(
      jobId,
      [...first.kept, ...kept].map(([, event]) => event),
    );
    assert.deepEqual(third.runs.jobState(jobId), runs.jobState(jobId));
    assert.deepEqual(third.kept, []);
  });

  it('are stopped when their budget was used up before they were killed, and a pause is none of it', async () => {
    const first = harness((prompt) => (prompt === 'tidy' ? { hangs: true } : good));
    const jobId = first.startJob('both');
    await atRest();
    const reason = 'its budget of 1 tokens is used up';
    const at = 1;
    const events: RunEvent[] = [
      ...first.kept.map(([, event]) => event),
      ...[{ at, type: 'jobPausing', by: 'me' } as const, { at, type: 'jobUsedUp', reason } as const],
    ];
    const next = harness();
    next.runs.restore(jobId, events);
    const taking = harness();
    taking.runs.take(jobId, events);
    await taking.runs.resumeJob(jobId, { isTakenOver: true });
    for (const { runs, sessions } of [next, taking]) {
      const state = runs.jobState(jobId);
      assert.deepEqual([state?.status, state?.reason, sessions.started.length], ['Stopped', reason, 0]);
      assert.deepEqual(runs.continueJob(jobId), { jobId });
      await atRest();
      assert.equal(runs.jobState(jobId)?.status, 'Succeeded');
    }
  });

  it('are paused at rest by a portal that could not go on with them', async () => {
    const { runs, kept, sessions } = harness();
    const jobId = 'r1';
    const definition = { ...(jobDefinition(entry, 'both') ?? assert.fail()), worktree: 'run' as const };
    const step = { workId: 0, step: '0#0' as const, taskId: 't', taskName: 'ask' };
    runs.take(jobId, [
      { at: 1, type: 'jobStarted', jobId, definition, userInput: 'x', workingDirectory: '/w' },
      { at: 2, type: 'workStarted', ...step },
    ]);
    await runs.resumeJob(jobId, { isTakenOver: true, pausedBy: 'Ada' });
    const state = runs.jobState(jobId);
    assert.deepEqual([state?.status, state?.reason, state?.steps.map(({ status }) => status)], ['Paused', undefined, ['Interrupted']]);
    assert.deepEqual(
      kept.map(([, { type }]) => type),
      ['jobPausing', 'jobPaused'],
    );
    assert.equal(sessions.started.length, 0);
  });

  it('say which of them are forgotten', async () => {
    const { runs, startJob } = harness(undefined, 2);
    const forgotten: string[] = [];
    runs.onDidForget((id) => {
      assert.equal(runs.jobState(id), undefined);
      forgotten.push(id);
    });
    const ids = ['one', 'one', 'one', 'one'].map((name) => startJob(name));
    await atRest();
    assert.deepEqual(forgotten, ids.slice(0, 2));
  });

  it('go on at once after a stop, and run as any other', async () => {
    const { runs, startJob, sessions } = harness((prompt) => (prompt === 'tidy' ? { hangs: true } : good), 2);
    const jobId = startJob('both');
    await atRest();
    runs.stopJob(jobId);
    runs.continueJob(jobId);
    await atRest();
    assert.ok(runs.isRunning);
    // It has ended before, but runs now, and so it is not forgotten.
    for (let count = 0; count < 5; count++) startJob('one');
    await atRest();
    assert.equal(runs.jobState(jobId)?.status, 'Executing');
    assert.deepEqual(runs.stopJob(jobId), { result: 'Closed' });
    assert.deepEqual(sessions.alive, []);
    // Now it is one of those that have ended.
    runs.continueJob(jobId);
    await atRest();
    runs.stopJob(jobId);
    await atRest();
    runs.continueJob(jobId);
    await atRest();
    for (let count = 0; count < 5; count++) startJob('one');
    await atRest();
    assert.equal(runs.jobState(jobId)?.status, 'Executing');
    runs.dispose();
  });

  it('pause after what runs, in another process too, and go on', async () => {
    const first = harness((prompt) => (prompt === 'in' ? { ...good, turns: 50 } : good));
    const { runs, startJob, queues, tokens } = first;
    assert.deepEqual(runs.pauseJob('x', 'me'), { error: 'JobNotFound' });
    const jobId = startJob('both');
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
    assert.deepEqual(runs.pauseJob(jobId, 'me'), { result: 'Pausing' });
    assert.deepEqual(runs.pauseJob(jobId, 'you'), { result: 'Pausing' }, 'it is to pause already');
    assert.equal(runs.jobState(jobId)?.status, 'Executing');
    // Killed before it came to rest, it is paused in the next process.
    const killed = harness();
    killed.runs.restore(
      jobId,
      first.kept.map(([, event]) => event),
    );
    assert.equal(killed.runs.jobState(jobId)?.status, 'Paused');
    assert.deepEqual(
      killed.runs.jobState(jobId)?.steps.map(({ status }) => status),
      ['Interrupted'],
    );
    await atRest();
    assert.deepEqual([runs.jobState(jobId)?.status, runs.jobState(jobId)?.steps.length], ['Paused', 1]);
    assert.equal((await queues.job.unread(jobId, tokens.issue())).responses.length, 2, 'its readers are told that nothing more comes');
    assert.deepEqual(runs.pauseJob(jobId, 'me'), { error: 'JobNotRunning' });
    const next = harness();
    next.runs.restore(
      jobId,
      first.kept.map(([, event]) => event),
    );
    assert.equal(next.runs.jobState(jobId)?.status, 'Paused');
    for (const one of [killed, next]) {
      assert.deepEqual(one.runs.continueJob(jobId, { by: 'me' }), { jobId });
      await atRest();
      assert.equal(one.runs.jobState(jobId)?.status, 'Succeeded');
    }
    assert.deepEqual([killed.sessions.prompts, next.sessions.prompts], [['m: in', 'm: tidy'], ['m: tidy']]);
  });

  it('go on without a pause that is withdrawn', async () => {
    const { runs, startJob } = harness((prompt) => (prompt === 'in' ? { ...good, turns: 50 } : good));
    const jobId = startJob('both');
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
    runs.pauseJob(jobId, 'me');
    assert.deepEqual(runs.continueJob(jobId, { by: 'you' }), { jobId });
    assert.deepEqual(runs.continueJob(jobId), { error: 'JobCannotContinue' });
    await atRest();
    const { status, attempt, history } = runs.jobState(jobId) ?? assert.fail();
    assert.deepEqual(
      [status, attempt, history?.map(({ what, by }) => [what, by])],
      [
        'Succeeded',
        1,
        [
          ['Pausing', 'me'],
          ['PauseWithdrawn', 'you'],
        ],
      ],
    );
  });

  it('skip a step that runs, or that has failed', async () => {
    const { runs, startJob, sessions } = harness((prompt) => (prompt === 'in' ? { hangs: true } : good));
    const running = startJob('both');
    await atRest();
    assert.deepEqual(runs.skipStep(running, { step: '1#0', by: 'me' }), { error: 'StepNotFound' });
    assert.deepEqual(runs.skipStep(running, { step: '0#0', by: 'me' }), { jobId: running });
    await atRest();
    assert.equal(runs.jobState(running)?.status, 'Succeeded', 'a task that needs it takes it for done');
    assert.deepEqual(sessions.alive, []);
    assert.deepEqual(runs.skipStep(running, { step: '0#0', by: 'me' }), { error: 'StepCannotSkip' });
    assert.deepEqual(runs.skipStep('x', { step: '0#0', by: 'me' }), { error: 'JobNotFound' });

    const other = harness((prompt) => (prompt === 'in' ? {} : good));
    const failed = other.startJob('both');
    await atRest();
    assert.equal(other.runs.jobState(failed)?.status, 'Failed');
    assert.deepEqual(other.runs.skipStep(failed, { step: '0#0', by: 'me' }), { jobId: failed });
    await atRest();
    assert.equal(other.runs.jobState(failed)?.status, 'Succeeded');
    assert.deepEqual(other.sessions.prompts, ['m: in', 'm: tidy']);
  });

  it('go on with other input or another prompt of a step', async () => {
    const { runs, startJob, sessions } = harness((prompt) => (prompt === 'in' ? {} : good));
    const jobId = startJob('both');
    await atRest();
    assert.deepEqual(runs.continueJob(jobId, { from: '0#0', edit: { step: '0#0', userInput: 'out' } }), { jobId });
    await atRest();
    assert.equal(runs.jobState(jobId)?.status, 'Succeeded');
    assert.deepEqual(runs.continueJob(jobId, { from: '0#0', edit: { step: '1#0', prompt: 'tidy $user-input' } }), { jobId });
    await atRest();
    assert.deepEqual(sessions.prompts, ['m: in', 'm: out', 'm: tidy', 'm: out', 'm: tidy in']);
    assert.equal(runs.jobState(jobId)?.userInput, 'in');
  });

  it('steer the agent of a step that runs, which is in its record', async () => {
    const { runs, startJob, sessions } = harness((prompt) => (prompt === 'in' ? { hangs: true } : good));
    const jobId = startJob('both');
    await atRest();
    assert.deepEqual(await runs.steerStep(jobId, { step: '0#0', text: 'shorter', by: 'me' }), { result: 'Steered' });
    assert.deepEqual(sessions.started[0]?.steered, ['shorter']);
    const decision = runs.jobState(jobId)?.steps[0]?.task?.decisions.at(-1);
    assert.deepEqual(
      [decision?.reason, decision?.answer],
      ['[OPERATION] me steered the running turn, with "shorter".', { about: 'turn', answer: 'steered', by: 'me', input: 'shorter' }],
    );
    assert.deepEqual(await runs.steerStep(jobId, { step: '1#0', text: 'x', by: 'me' }), { error: 'StepNotFound' });
    assert.deepEqual(await runs.steerStep('x', { step: '1#0', text: 'x', by: 'me' }), { error: 'JobNotFound' });
    runs.stopJob(jobId, 'me');
    assert.deepEqual(await runs.steerStep(jobId, { step: '0#0', text: 'x', by: 'me' }), { error: 'StepNotRunning' });
    assert.equal(runs.jobState(jobId)?.stoppedBy, 'me');
  });

  it('keep an event before they tell of it; what cannot be kept fails the run, which is told', async () => {
    const sessions = new FakeSessions(() => good);
    let room = 3;
    const told: string[] = [];
    const runs = new PortalRuns({
      context: sessions.context(),
      keep: () => {
        if (room-- <= 0) throw new Error('disk full');
      },
      tell: ({ of, does }) => void told.push(`${of} ${does}`),
    });
    runs.installEntry(entry);
    const started = runs.startJob('one', 'in', '/');
    assert.ok('jobId' in started);
    await atRest();
    assert.equal(runs.jobState(started.jobId)?.status, 'Failed');
    assert.equal(runs.jobState(started.jobId)?.steps[0]?.task?.status, 'Failed');
    // One push is of jobError, the other of jobFailed.
    assert.deepEqual(told, [
      'job open',
      'job push',
      'task open',
      'task push',
      'task push',
      'task close',
      'job push',
      'job push',
      'job close',
    ]);
    assert.ok(!runs.isRunning);
    assert.deepEqual(sessions.alive, []);
  });

  it('are told once they are kept, and an agent has nothing to do before', async () => {
    const sessions = new FakeSessions(() => good);
    const kept: { type: string; done: () => void; fail: () => void }[] = [];
    const told: string[] = [];
    const runs = new PortalRuns({
      context: sessions.context(),
      keep: (_id, { type }) =>
        new Promise((resolve, reject) => kept.push({ type, done: resolve, fail: () => reject(new Error('not mine')) })),
      keepsLater: true,
      tell: ({ of, does }) => void told.push(`${of} ${does}`),
    });
    runs.installEntry(entry);
    const started = runs.startJob('one', 'in', '/');
    assert.ok('jobId' in started);
    const { jobId } = started;
    await atRest();
    assert.deepEqual(
      [told, runs.jobState(jobId), sessions.alive, kept.map(({ type }) => type)],
      [[], undefined, [], ['jobStarted', 'workStarted', 'taskStarted']],
    );
    for (const { done } of kept.splice(0)) done();
    await atRest();
    assert.deepEqual(told, ['job open', 'job push', 'task open']);
    assert.deepEqual([sessions.alive.length, sessions.prompts], [1, []], 'the prompt is not kept yet');
    const before = runs.jobState(jobId);
    for (const { fail } of kept.splice(0)) fail();
    await atRest();
    // It is another portal's now.
    assert.deepEqual([sessions.alive, sessions.prompts, kept], [[], [], []]);
    assert.equal(runs.jobState(jobId), before);
    assert.equal(told.length, 3);
    assert.ok(!runs.isRunning);
    runs.take(jobId, [
      { at: 1, type: 'jobTakenOver' },
      { at: 2, type: 'jobSucceeded' },
    ]);
    assert.deepEqual([runs.jobState(jobId)?.status, runs.jobState(jobId)?.attempt], ['Succeeded', 2]);
  });

  it('go on when a reader throws', async () => {
    const sessions = new FakeSessions(() => good);
    const tell = () => {
      throw new Error('reader');
    };
    const runs = new PortalRuns({ context: sessions.context(), keep: () => undefined, tell });
    runs.installEntry(entry);
    const started = runs.startJob('one', 'in', '/');
    await atRest();
    assert.ok('jobId' in started);
    assert.equal(runs.jobState(started.jobId)?.status, 'Succeeded');
  });

  it('that have ended are forgotten above a number, those that run never', async () => {
    const { runs, startJob } = harness((prompt) => (prompt === 'tidy' ? { hangs: true } : good), 5);
    const running = startJob('both');
    const first = startJob('one');
    await atRest();
    for (let count = 0; count < 5; count++) startJob('one');
    await atRest();
    assert.equal(runs.jobState(first), undefined);
    assert.equal(runs.jobState(running)?.status, 'Executing');
    assert.equal(runs.jobStates().length, 5 + 1);
    runs.dispose();
  });
});

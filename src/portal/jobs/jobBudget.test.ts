import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeSessions } from '../../../test/fakes/portalSessions.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import type { Budget } from '../limits/taskLimits.ts';
import { type JobState, reduceJob, usedBy } from '../runs/jobState.ts';
import { jobDefinition } from '../runs/jobDefinition.ts';
import type { RunEvent } from '../runs/runEvents.ts';
import { runSummary } from '../runs/runSummary.ts';
import { JobRun } from './jobRun.ts';

function setUp(budget?: Budget) {
  const task = (prompt: string) => ({ model: { id: 'm' }, prompt: [prompt], requireUserInput: false });
  const works = ['first', 'left', 'right'].map((taskId) => ({ kind: 'Ref', taskId }));
  const entry = validateEntry({
    ...{ models: { driving: 'd' }, promptVariables: {}, grid: [] },
    tasks: { first: task('first'), left: task('left'), right: task('right') },
    jobs: { job: { ...(budget && { budget }), work: { kind: 'Seq', works: [works[0], { kind: 'Par', works: works.slice(1) }] } } },
  });
  assert.deepEqual(validateEntry(entry), entry);
  const definition = jobDefinition(entry, 'job') ?? assert.fail();
  const sessions = new FakeSessions((prompt, session) => {
    if (prompt === 'first') session.act({ modelCalls: 2, inputTokens: 50, outputTokens: 10 });
    return prompt === 'first' ? {} : { hangs: true };
  });
  const context = sessions.context();
  const events: RunEvent[] = [];
  const record = (event: RunEvent) => void events.push(JSON.parse(JSON.stringify(event)) as RunEvent);
  const state = () => events.reduce<JobState | undefined>(reduceJob, undefined) ?? assert.fail();
  return {
    ...{ sessions, events, record, state, context, clock: context.clock },
    start: () => JobRun.start(context, { jobId: 'j', definition, userInput: '', workingDirectory: '/w' }, record),
    session: (prompt: string) => sessions.started.findLast(({ prompts }) => prompts.includes(prompt)) ?? assert.fail(prompt),
  };
}

describe('the budget of a job', () => {
  it('stops the run with a reason once all its steps have used more, and gives it again when it goes on', async () => {
    const job = setUp({ tokens: 100, modelCalls: 1000 });
    const run = job.start();
    await atRest();
    job.session('left').act({ modelCalls: 1, inputTokens: 30 });
    job.session('right').act({ modelCalls: 1, inputTokens: 10 });
    await atRest();
    assert.equal(run.status, 'Executing', '100 of 100');
    job.clock.advance(5_000);
    job.session('right').act({ outputTokens: 1 });
    assert.equal(await run.ended, 'Stopped');
    const { status, reason, steps, usedBefore } = job.state();
    assert.deepEqual(
      [status, reason, steps.map((step) => step.status)],
      [
        'Stopped',
        'its budget of 100 tokens is used up, after 101 tokens; when it is continued, it has as much again',
        ['Succeeded', 'Stopped', 'Stopped'],
      ],
    );
    assert.equal(usedBefore, undefined);
    await atRest();
    assert.deepEqual([job.sessions.alive, job.clock.pending], [[], 0]);

    const again = JobRun.continue(job.context, job.state(), {}, job.record);
    await atRest();
    const { usedBefore: before, reason: no, history } = job.state();
    assert.deepEqual([before && before.inputTokens + before.outputTokens, no, history?.[0]?.reason], [101, undefined, reason]);
    job.session('left').act({ inputTokens: 100 });
    assert.equal(again.status, 'Executing');
    job.session('right').act({ inputTokens: 1 });
    assert.equal(await again.ended, 'Stopped');
    assert.equal(usedBy(job.state()).inputTokens, 191);
  });

  it('goes on counting after a pause', async () => {
    const job = setUp({ tokens: 100 });
    const run = job.start();
    while (job.sessions.started.length === 0) await Promise.resolve();
    run.pause('me');
    assert.equal(await run.ended, 'Paused');
    assert.equal(usedBy(job.state()).inputTokens, 50);
    const again = JobRun.continue(job.context, job.state(), {}, job.record);
    await atRest();
    assert.equal(job.state().usedBefore, undefined);
    job.session('left').act({ inputTokens: 40 });
    assert.equal(again.status, 'Executing', '100 of 100');
    job.session('right').act({ inputTokens: 1 });
    assert.equal(await again.ended, 'Stopped');
    assert.match(job.state().reason ?? '', /^its budget of 100 tokens is used up, after 101 tokens;/);
  });

  it('stops a run that is about to pause, and is no step’s fault', async () => {
    const job = setUp({ tokens: 100 });
    const run = job.start();
    await atRest();
    run.pause('me');
    job.session('left').act({ inputTokens: 41 });
    assert.equal(await run.ended, 'Stopped');
    const { failedStep, reason, pausing } = runSummary(job.state(), () => 0);
    assert.deepEqual([failedStep, reason === undefined, pausing?.by], [undefined, false, 'me']);
    // It goes on without the pause that never came.
    const again = JobRun.continue(job.context, job.state(), {}, job.record);
    await atRest();
    assert.deepEqual([again.status, job.state().pausing, job.state().usedBefore?.inputTokens], ['Executing', undefined, 91]);
    again.stop();
  });

  it('goes on counting at the portal that takes over', async () => {
    const job = setUp({ modelCalls: 3 });
    const run = job.start();
    await atRest();
    job.session('left').act({ modelCalls: 1 });
    const kept = job.state();
    run.stop();
    job.events.splice(kept.steps.length > 0 ? job.events.findIndex(({ type }) => type === 'jobStopped') : 0);
    const next = JobRun.resume(job.context, job.state(), { isTakenOver: true }, job.record);
    await atRest();
    job.session('left').act({ modelCalls: 1 });
    assert.equal(await next.ended, 'Stopped');
    assert.match(job.state().reason ?? '', /^its budget of 3 model calls is used up, after 4 model calls;/);
  });

  it('has the minutes of all steps, and there is none without one', async () => {
    const job = setUp({ minutes: 4 });
    const run = job.start();
    await atRest();
    job.clock.advance(120_000);
    assert.equal(run.status, 'Executing');
    job.clock.advance(60_000);
    assert.equal(await run.ended, 'Stopped');
    assert.match(job.state().reason ?? '', /^its budget of 4 minutes is used up, after 4\.8 minutes;/);
    const free = setUp();
    const going = free.start();
    await atRest();
    free.session('left').act({ modelCalls: 400, inputTokens: 1_000_000 });
    await atRest();
    assert.equal(going.status, 'Executing');
    going.stop();
  });
});

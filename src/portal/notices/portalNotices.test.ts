import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Emitter } from '../../base/event.ts';
import type { AttentionItem, AttentionKind } from '../../views/attention/attentionItems.ts';
import type { SessionUse } from '../portalRuns.ts';
import { type JobState, reduceJob } from '../runs/jobState.ts';
import type { RunEvent } from '../runs/runEvents.ts';
import { reduceTask, type TaskState } from '../runs/taskState.ts';
import type { Notice } from './notice.ts';
import { PortalNotices } from './portalNotices.ts';

const definition = {
  jobName: 'night',
  requireUserInput: false,
  work: { kind: 'Ref', taskId: 'build', workIdInJob: 0 },
  tasks: {},
  models: {},
} as const;
const begin: RunEvent = { at: 0, type: 'jobStarted', jobId: 'j', definition, userInput: 'my secret', workingDirectory: '/w' };
const step: RunEvent[] = [
  { at: 0, type: 'workStarted', workId: 0, step: '0#0', taskId: 't', taskName: 'build' },
  { at: 0, type: 'taskStarted', taskId: 't', taskName: 'build', model: 'm' },
];
const decided = (reason: string): RunEvent => ({ at: 1, type: 'taskDecision', taskId: 't', reason });
const failed: RunEvent[] = [
  decided('[SESSION CRASHED] Try 1 of 5: my secret'),
  decided('[OPERATION] Retry 1 of 1.'),
  decided('[SESSION CRASHED] Try 5 of 5: my secret'),
  { at: 60_000, type: 'workStopped', workId: 0, step: '0#0', taskId: 't', succeeded: false, crashError: 'my secret' },
  { at: 61_000, type: 'jobFailed', reason: 'my secret', failedSteps: ['0#0'] },
];
const waits = (id: string, kind: AttentionKind = 'call', uri = 'demo:/s'): AttentionItem => ({
  ...{ id, hostId: 'host', hostLabel: 'The host', kind, uri, title: 'my secret', what: 'my secret', since: 1_000_000 },
});

function setUp(events: readonly RunEvent[] = []) {
  const clock = new FakeClock();
  const didPublish = new Emitter<string>();
  const didChange = new Emitter<void>();
  const told: Notice[] = [];
  const uses = new Map<string, SessionUse>();
  let job: JobState | undefined;
  let task: TaskState | undefined;
  let items: readonly AttentionItem[] = [];
  const record = (all: readonly RunEvent[]) => {
    for (const event of all) {
      job = reduceJob(job, event);
      didPublish.fire('j');
    }
  };
  record(events);
  const notices = new PortalNotices(
    {
      runs: {
        onDidPublish: didPublish.event,
        jobState: (id) => (id === job?.jobId ? job : undefined),
        taskState: (id) => (id === task?.taskId ? task : undefined),
        jobStates: () => (job ? [job] : []),
        taskStates: () => (task ? [task] : []),
        sessionUses: () => uses,
      },
      attention: {
        onDidChange: didChange.event,
        get items() {
          return items;
        },
      },
      uriOf: (id) => `demo:/${id}`,
    },
    clock,
    (notice) => told.push(notice),
  );
  return {
    ...{ clock, told, uses, record, notices },
    runTask(...all: Parameters<typeof reduceTask>[1][]) {
      for (const event of all) {
        task = reduceTask(task, event);
        didPublish.fire('t');
      }
    },
    wait(...all: AttentionItem[]) {
      items = all;
      didChange.fire();
    },
  };
}

describe('the notices of a portal', () => {
  it('tell once of a job that has failed, with where and how often it was tried, and nothing that an agent or a user has written', () => {
    const { told, record } = setUp();
    record([begin, ...step, ...failed]);
    record([{ at: 62_000, type: 'jobSucceeded' }]);
    assert.deepEqual(told, [
      {
        on: 'failed',
        text: 'The job “night” has failed in “build” after 1 min 1 s, with 2 retries.',
        at: '1970-01-01T00:01:01.000Z',
        ...{ job: 'night', jobId: 'j', failedTasks: ['build'], seconds: 61, retries: 2 },
      },
    ]);
    assert.doesNotMatch(JSON.stringify(told), /secret/);
  });

  it('tell again of a job that was continued, nothing of one that somebody has stopped, and nothing of what ended before', () => {
    const { told, record } = setUp([begin, ...step, ...failed]);
    record([{ at: 62_000, type: 'jobContinued', redo: ['0#0'] } as RunEvent]);
    assert.deepEqual(told, []);
    record([{ at: 70_000, type: 'jobSucceeded' }]);
    assert.deepEqual(
      told.map(({ on, text }) => [on, text]),
      [['done', 'The job “night” has succeeded after 1 min 10 s, with 2 retries.']],
    );
    const other = setUp([begin]);
    other.record([{ at: 5, type: 'jobStopped' }]);
    assert.deepEqual(other.told, []);
  });

  it('tell that nothing happens in a step, once until it goes on, and that a budget is used up', () => {
    const { told, record, runTask, clock } = setUp();
    const since = clock.now() - 900_000;
    const stalled: RunEvent = { at: 5, type: 'taskStalled', taskId: 't', since };
    record([begin, ...step, stalled, decided('my secret')]);
    record([{ at: 6, type: 'taskResumed', taskId: 't' }, stalled]);
    const told0 = {
      on: 'needs-you',
      text: 'The job “night”, task “build”: nothing has happened for 15 min.',
      at: new Date(clock.now()).toISOString(),
      ...{ job: 'night', jobId: 'j', task: 'build', seconds: 900 },
    };
    assert.deepEqual(told, [told0, told0]);
    record([
      { at: 60_000, type: 'jobUsedUp', reason: 'my secret' },
      { at: 60_000, type: 'jobStopped' },
    ]);
    assert.deepEqual(
      [told.at(-1)?.on, told.at(-1)?.text],
      ['failed', 'The job “night” was stopped after 1 min, because its budget is used up.'],
    );
    runTask({ at: 0, type: 'taskStarted', taskId: 't', taskName: 'alone', model: 'm' }, { at: 5, type: 'taskStalled', taskId: 't', since });
    assert.equal(told.at(-1)?.text, 'The task “alone”: nothing has happened for 15 min.');
    assert.doesNotMatch(JSON.stringify(told), /secret/);
  });

  it('tell of a task that ran alone', () => {
    const { told, runTask } = setUp();
    runTask({ at: 0, type: 'taskStarted', taskId: 't', taskName: 'ask', model: 'm' }, { at: 2_000, type: 'taskInterrupted', taskId: 't' });
    assert.deepEqual(
      told.map(({ on, text, taskId }) => [on, text, taskId]),
      [['failed', 'The task “ask” was interrupted after 2 s.', 't']],
    );
  });

  it('tell what has waited for five seconds, once, as one notice a session, with its job and task', () => {
    const { clock, told, uses, wait } = setUp();
    uses.set('s', { taskName: 'build', jobName: 'night', jobId: 'j' });
    wait(waits('quick'));
    clock.advance(4_000);
    wait(waits('a'), waits('b', 'question'), waits('c', 'failed', 'demo:/other'));
    clock.advance(4_999);
    assert.equal(told.length, 0);
    clock.advance(1);
    wait(waits('a'), waits('b', 'question'));
    clock.advance(60_000);
    assert.deepEqual(
      told.map(({ text }) => text),
      ['The job “night”, task “build”: a tool call waits for approval, and 1 more.', 'A session: a turn has failed.'],
    );
    assert.deepEqual(told[0], {
      ...{
        on: 'needs-you',
        text: 'The job “night”, task “build”: a tool call waits for approval, and 1 more.',
        at: new Date(1_009_000).toISOString(),
        job: 'night',
        jobId: 'j',
        task: 'build',
      },
      ...{ seconds: 9, waiting: ['call', 'question'] },
    });
    assert.doesNotMatch(JSON.stringify(told), /secret/);
  });

  it('leave no timer behind', () => {
    const { clock, told, wait, notices } = setUp();
    wait(waits('a'));
    notices.dispose();
    assert.equal(clock.pending, 0);
    clock.advance(10_000);
    assert.deepEqual(told, []);
  });
});

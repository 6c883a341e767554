import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeSessions, type FakeSession, type Reply } from '../../../test/fakes/portalSessions.ts';
import type { Task } from '../entry/task.ts';
import type { TaskEvent } from '../runs/runEvents.ts';
import { reduceTask, type TaskState } from '../runs/taskState.ts';
import { TaskRun } from './taskRun.ts';

const MINUTE = 60_000;
const plain: Task = { model: { id: 'm' }, prompt: ['go'], requireUserInput: false };
const hangs: Reply = { hangs: true };
const yes: Reply = { tools: [['job_boolean_true', 'yes']] };
const criteria = { toolExecuted: ['job_boolean_true' as const], failureAction: { retryTimes: 1 } };

/** Starts a task whose model gives these replies, in order; then empty ones. */
async function started(task: Task, replies: Reply[], borrowed = false) {
  const sessions = new FakeSessions(() => replies.shift() ?? {});
  const context = sessions.context();
  const events: TaskEvent[] = [];
  const given = borrowed ? { borrowed: sessions.create('m') } : {};
  const request = { taskId: 't', taskName: 'T', task, models: { driving: 'd' }, userInput: '', ...given };
  const run = new TaskRun(context, request, (event) => events.push(event));
  await atRest();
  return {
    ...{ sessions, context, run, clock: context.clock },
    get session(): FakeSession {
      return sessions.started.at(-1) ?? assert.fail('no session was started');
    },
    decisions: () => events.flatMap((event) => (event.type === 'taskDecision' ? [event.reason] : [])),
    count: (type: TaskEvent['type']) => events.filter((event) => event.type === type).length,
    state: () => events.reduce<TaskState | undefined>(reduceTask, undefined) ?? assert.fail('the task has not begun'),
  };
}

describe('the limits of a task', () => {
  it('end a model that repeats one call: the turn is stopped, and the task has failed with the words', async () => {
    const task = await started(plain, [hangs]);
    for (let call = 0; call < 500; call++) task.session.act({ toolCalls: 1 });
    await atRest();
    assert.equal(task.run.status, 'Executing');
    task.session.act({ toolCalls: 1 });
    assert.deepEqual(await task.run.ended, { status: 'Failed' });
    const words =
      'limits.toolCalls 500 is reached, which is the default: the turn was stopped after 501 tool calls, and this round has failed.';
    assert.deepEqual(task.decisions(), [`[DECISION] ${words}`, `[TASK FAILED] ${words}`]);
    assert.deepEqual([task.state().reason, task.state().crashError, task.state().used?.toolCalls], [words, undefined, 501]);
    assert.deepEqual([task.session.cancelled, task.session.stops, task.clock.pending], [1, 1, 0]);
  });

  it('start no session beside the one that is being stopped', async () => {
    const apart = { ...criteria, runConditionInSameSession: false };
    const task = await started({ ...plain, limits: { toolCalls: 1 }, criteria: apart }, [hangs, yes]);
    const { session } = task;
    let stopped = () => assert.fail('it is not being stopped') as void;
    session.stopped = new Promise((resolve) => (stopped = resolve));
    session.act({ toolCalls: 2 });
    await atRest();
    assert.deepEqual([session.stops, task.sessions.started.length], [1, 1]);
    stopped();
    assert.deepEqual(await task.run.ended, { status: 'Succeeded' });
    assert.equal(task.sessions.started.length, 2);
  });

  it('are those of the entry, of each kind, and of one round', async () => {
    for (const [limits, used, words] of [
      [{ toolCalls: 2 }, { toolCalls: 3 }, 'limits.toolCalls 2 is reached: the turn was stopped after 3 tool calls'],
      [{ modelCalls: 1 }, { modelCalls: 2 }, 'limits.modelCalls 1 is reached: the turn was stopped after 2 model calls'],
      [{ tokens: 100 }, { inputTokens: 90, outputTokens: 20 }, 'limits.tokens 100 is reached: the turn was stopped after 110 tokens'],
    ] as const) {
      const task = await started({ ...plain, limits, criteria }, [hangs, yes]);
      task.session.act(used);
      assert.deepEqual(await task.run.ended, { status: 'Succeeded' }, 'the retry counts from nothing');
      assert.deepEqual(task.decisions().slice(0, 2), [`[DECISION] ${words}, and this round has failed.`, '[OPERATION] Retry 1 of 1.']);
      assert.deepEqual(task.session.prompts, ['go', 'go\n## Required Tool Not Called: job_boolean_true'], 'in the same session');
      assert.equal(task.session.cancelled, 1);
    }
  });

  it('use up the retries, and fail what the round has reported', async () => {
    const task = await started({ ...plain, limits: { toolCalls: 1 }, criteria }, [
      { ...yes, hangs: true },
      { ...yes, hangs: true },
    ]);
    task.session.act({ toolCalls: 2 });
    await atRest();
    task.session.act({ toolCalls: 2 });
    assert.deepEqual(await task.run.ended, { status: 'Failed' });
    assert.match(task.state().reason ?? '', /^limits\.toolCalls 1 is reached: the turn was stopped after 2 tool calls/);
    assert.equal(task.state().used?.toolCalls, 4);
  });

  it('hold for a check too, whose answer does not count then', async () => {
    const task = await started(
      {
        ...{ ...plain, limits: { toolCalls: 1 } },
        criteria: { condition: ['ask'], runConditionInSameSession: false, failureAction: { retryTimes: 0 } },
      },
      [{}, { ...yes, hangs: true }],
    );
    assert.equal(task.sessions.started.length, 2);
    task.session.act({ toolCalls: 2 });
    assert.deepEqual(await task.run.ended, { status: 'Failed' });
    assert.match(task.state().reason ?? '', /^limits\.toolCalls 1 is reached/);
    assert.deepEqual(task.sessions.alive, []);
  });

  it('leave a borrowed session alive', async () => {
    const task = await started({ ...plain, limits: { toolCalls: 1 } }, [hangs], true);
    task.session.act({ toolCalls: 2 });
    assert.deepEqual(await task.run.ended, { status: 'Failed' });
    assert.deepEqual([task.session.cancelled, task.session.stops], [1, 0]);
  });

  it('count minutes of work, and none in which a person is waited for or the computer sleeps', async () => {
    const task = await started({ ...plain, limits: { quietMinutes: 1000 } }, [hangs]);
    task.clock.advance(30 * MINUTE);
    task.session.isWaiting = true;
    task.session.act();
    task.clock.advance(600 * MINUTE);
    task.session.isWaiting = false;
    task.session.act();
    task.clock.sleep(600 * MINUTE);
    task.clock.advance(29 * MINUTE);
    assert.equal(task.run.status, 'Executing');
    task.clock.advance(MINUTE);
    assert.deepEqual(await task.run.ended, { status: 'Failed' });
    assert.match(task.state().reason ?? '', /^limits\.minutes 60 is reached, which is the default: the turn was stopped after 60 minutes/);
    assert.equal(task.state().used?.ms, 60 * MINUTE);
  });
});

describe('a task that stalls', () => {
  it('says so once until it goes on, and is not stopped', async () => {
    const task = await started(plain, [hangs]);
    const began = task.clock.now();
    task.clock.advance(10 * MINUTE);
    task.session.act();
    task.clock.advance(14 * MINUTE);
    assert.deepEqual(task.decisions(), []);
    task.clock.advance(10 * MINUTE);
    assert.deepEqual(task.decisions(), ['[OPERATION] Nothing has happened in the session for 15 minutes. It goes on waiting.']);
    assert.equal(task.state().stalledSince, began + 10 * MINUTE);
    task.session.act();
    assert.equal(task.state().stalledSince, undefined);
    task.clock.advance(15 * MINUTE);
    assert.deepEqual([task.count('taskStalled'), task.count('taskResumed'), task.run.status], [2, 1, 'Executing']);
    task.run.stop();
    await atRest();
    assert.deepEqual([task.state().status, task.state().stalledSince, task.clock.pending], ['Stopped', undefined, 0]);
  });

  it('does not while it waits for a person, and does so after the minutes of the entry', async () => {
    const task = await started({ ...plain, limits: { quietMinutes: 0.5 } }, [hangs]);
    task.session.isWaiting = true;
    task.session.act();
    task.clock.advance(50 * MINUTE);
    assert.equal(task.count('taskStalled'), 0);
    task.session.isWaiting = false;
    task.session.act();
    task.clock.advance(MINUTE / 2);
    assert.deepEqual(task.decisions(), ['[OPERATION] Nothing has happened in the session for 0.5 minutes. It goes on waiting.']);
  });
});

describe('what a task uses', () => {
  it('is told while it works, at most every five seconds, and at the end of each round', async () => {
    const task = await started({ ...plain, criteria }, [hangs, yes]);
    task.session.act({ modelCalls: 1, inputTokens: 10, outputTokens: 1 });
    assert.deepEqual(task.state().used, { modelCalls: 1, toolCalls: 0, inputTokens: 10, outputTokens: 1, ms: 0 });
    for (let call = 0; call < 20; call++) task.session.act({ modelCalls: 1, toolCalls: 1 });
    assert.equal(task.count('taskUsage'), 1);
    task.clock.advance(5_000);
    assert.equal(task.count('taskUsage'), 2);
    assert.deepEqual(task.state().used, { modelCalls: 21, toolCalls: 20, inputTokens: 10, outputTokens: 1, ms: 5_000 });
    task.clock.advance(30_000);
    assert.equal(task.count('taskUsage'), 2, 'time alone is told more seldom');
    task.session.act({ toolCalls: 500 });
    await task.run.ended;
    assert.deepEqual(task.state().used, { modelCalls: 21, toolCalls: 520, inputTokens: 10, outputTokens: 1, ms: 35_000 });
  });
});

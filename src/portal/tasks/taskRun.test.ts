import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeSessions, type Reply } from '../../../test/fakes/portalSessions.ts';
import type { Task } from '../entry/task.ts';
import type { TaskEvent } from '../runs/runEvents.ts';
import { reduceTask, type TaskState } from '../runs/taskState.ts';
import { SessionStoppedError } from './portalSession.ts';
import { SessionBusyError } from './sessionLeases.ts';
import type { TaskRequest } from './taskContext.ts';
import { TaskRun } from './taskRun.ts';
import { SESSION_CRASH_PREFIX } from './taskSessions.ts';

const yes = (reason = 'yes'): Reply => ({ tools: [['job_boolean_true', reason]] });
const no = (reason = 'no'): Reply => ({ tools: [['job_boolean_false', reason]] });
const crash: Reply = { crash: new Error('out of memory') };
const ask = 'ask job_boolean_true';
const models = { driving: 'driver', work: 'worker' };
const plain: Task = { model: { category: 'work' }, prompt: ['go'], requireUserInput: false };
const withCriteria = (criteria: Partial<NonNullable<Task['criteria']>>, retryTimes = 0): Task => ({
  ...plain,
  criteria: { failureAction: { retryTimes }, ...criteria },
});

/** Starts a task whose model gives these replies, in order; then empty ones. */
function started(task: Task, replies: Reply[] = [], given: Partial<TaskRequest> = {}) {
  const sessions = new FakeSessions(() => replies.shift() ?? {});
  const context = sessions.context();
  const events: TaskEvent[] = [];
  const request: TaskRequest = { taskId: 't', taskName: 'T', task, models, userInput: 'input', ...given };
  const run = new TaskRun(context, request, (event) => events.push(event));
  return {
    ...{ sessions, context, events, run },
    decisions: () => events.flatMap((event) => (event.type === 'taskDecision' ? [event.reason] : [])),
    kinds: () => events.map(({ type }) => type),
    state: () => events.reduce<TaskState | undefined>(reduceTask, undefined),
  };
}
async function ran(...parameters: Parameters<typeof started>) {
  const task = started(...parameters);
  const outcome = await task.run.ended;
  return { ...task, outcome };
}

describe('a task', () => {
  it('without criteria is one prompt in one session', async () => {
    const { outcome, sessions, kinds, state, context } = await ran(plain, [], { workingDirectory: '/w' });
    assert.deepEqual(outcome, { status: 'Succeeded' });
    assert.deepEqual(sessions.prompts, ['worker: go']);
    assert.deepEqual(sessions.requests, [{ model: 'worker', workingDirectory: '/w', approve: [] }]);
    assert.deepEqual(kinds(), ['taskStarted', 'taskSessionStarted', 'taskPrompt', 'taskDecision', 'taskSessionStopped', 'taskSucceeded']);
    assert.deepEqual(sessions.alive, []);
    assert.equal(sessions.started[0]?.listeners, 0);
    assert.equal(context.leases.holderOf('session-0'), undefined);
    assert.deepEqual(state()?.sessions, [{ sessionId: 'session-0', model: 'worker', isDriving: true, status: 'Succeeded' }]);
    assert.equal(state()?.status, 'Succeeded');
  });

  it('takes the model of the work, else its own, else the driving one', async () => {
    const modelOf = async (task: Task, given: Partial<TaskRequest>) => (await ran(task, [], given)).sessions.requests[0]?.model;
    const { model: _, ...without } = plain;
    assert.equal(await modelOf(plain, { modelOverride: { id: 'other' } }), 'other');
    assert.equal(await modelOf({ ...plain, model: { id: 'own' } }, {}), 'own');
    assert.equal(await modelOf(plain, {}), 'worker');
    assert.equal(await modelOf(without, { modelOverride: { category: 'work' } }), 'worker');
    assert.equal(await modelOf(without, {}), 'driver');
  });

  it('has its runtime variables, as they are at each send', async () => {
    const task = {
      ...withCriteria(
        {
          condition: ['$reported-document/$reported-true-reason/$reported-false-reason job_boolean_true'],
          runConditionInSameSession: true,
        },
        1,
      ),
      prompt: ['$user-input by $task-model; $reported-false-reason'],
    };
    const document: Reply = { tools: [['job_prepare_document', '  a.md \nb.md']] };
    const { sessions } = await ran(task, [document, no('too short'), {}, yes()], { userInput: 'write $task-model' });
    assert.deepEqual(sessions.started[0]?.prompts, [
      'write $task-model by worker; <MISSING>',
      'a.md/<MISSING>/<MISSING> job_boolean_true',
      'write $task-model by worker; too short',
      'a.md/<MISSING>/too short job_boolean_true',
    ]);
    const both: Reply = { tools: [...(no('old').tools ?? []), ...(yes('new').tools ?? [])] };
    const again = await ran({ ...task, prompt: ['go'] }, [both, yes()]);
    assert.equal(again.sessions.started[0]?.prompts[1], '<MISSING>/new/<MISSING> job_boolean_true');
    const reversed: Reply = { tools: [...(yes('old').tools ?? []), ...(no('new').tools ?? [])] };
    const last = await ran({ ...task, prompt: ['go'] }, [reversed, yes()]);
    assert.equal(last.sessions.started[0]?.prompts[1], '<MISSING>/<MISSING>/new job_boolean_true');
  });

  it('records what is changed in its session between two prompts, and nothing after its end', async () => {
    const sessions = new FakeSessions(() => yes());
    const events: TaskEvent[] = [];
    const changed = (option: string) => ({ about: 'setting' as const, answer: 'changed' as const, by: 'somebody', option });
    let asked = 0;
    // Asked before a session starts and before each of its prompts.
    const settled = async () => {
      if (++asked > 2) sessions.started[0]?.answered(changed('all may run'));
    };
    const task = withCriteria({ condition: [ask], runConditionInSameSession: true });
    const request: TaskRequest = { taskId: 't', taskName: 'T', task, models, userInput: '' };
    const run = new TaskRun({ ...sessions.context(), settled }, request, (event) => events.push(event));
    await run.ended;
    sessions.started[0]?.answered(changed('too late'));
    const options = events.flatMap((event) => (event.type === 'taskDecision' && event.answer ? [event.answer.option] : []));
    assert.deepEqual(options, ['all may run', 'all may run']);
  });

  it('records the documents that it reports', async () => {
    const { events } = await ran(plain, [
      {
        tools: [
          ['job_prepare_document', ' a.md \nb.md'],
          ['job_prepare_document', '\n'],
          ['job_prepare_document', 1],
          ['read', 'c.md'],
        ],
      },
    ]);
    const documents = events.flatMap((event) => (event.type === 'taskDocument' ? event.path : []));
    assert.deepEqual(documents, ['a.md']);
  });

  it('ignores job tools without a text', async () => {
    for (const argument of [undefined, 1, {}, null]) {
      const task = withCriteria({ toolExecuted: ['job_boolean_true'], condition: [ask], runConditionInSameSession: true });
      const { outcome, decisions } = await ran(task, [
        { tools: [['job_boolean_true', argument]] },
        { tools: [['job_boolean_true', argument]] },
      ]);
      assert.equal(outcome.status, 'Failed');
      assert.match(decisions().join('\n'), /neither job_boolean_true nor job_boolean_false was called/);
    }
  });

  describe('is available', () => {
    const needs: Task = { ...plain, availability: { previousTasks: ['a', 'b'], condition: [ask] } };
    it('when all previous tasks have succeeded and the condition holds', async () => {
      const { outcome, sessions, decisions } = await ran(needs, [yes('clean')], { hasSucceeded: () => true });
      assert.equal(outcome.status, 'Succeeded');
      assert.deepEqual(sessions.prompts, [`worker: ${ask}`, 'worker: go']);
      assert.deepEqual(decisions().slice(0, 2), [
        '[AVAILABILITY] availability.previousTasks ["a","b"] succeeded: all of them have succeeded in this job.',
        `[AVAILABILITY] availability.condition "${ask}" succeeded: job_boolean_true said "clean".`,
      ]);
    });
    it('not when one has not, and then nothing is sent', async () => {
      for (const hasSucceeded of [(name: string) => name === 'a', undefined]) {
        const { outcome, sessions, decisions } = await ran(needs, [], { hasSucceeded });
        assert.deepEqual(outcome, { status: 'Failed' });
        assert.deepEqual(sessions.prompts, []);
        assert.match(
          decisions()[0] ?? '',
          /^\[AVAILABILITY\] availability\.previousTasks \["a","b"\] failed: (?:"a", )?"b" has not succeeded in this job\.$/,
        );
        assert.match(decisions()[1] ?? '', /^\[TASK FAILED\]/);
      }
    });
    it('not when the condition does not hold, or nothing was answered', async () => {
      for (const [reply, why] of [
        [no('dirty'), 'job_boolean_false said "dirty"'],
        [{}, 'neither job_boolean_true nor job_boolean_false was called'],
        [{ tools: [['job_prerequisite_failed', 'x']] }, 'neither'],
      ] as [Reply, string][]) {
        const { outcome, sessions, decisions } = await ran(needs, [reply], { hasSucceeded: () => true });
        assert.deepEqual(outcome, { status: 'Failed' });
        assert.deepEqual(sessions.prompts, [`worker: ${ask}`]);
        assert.ok(decisions()[1]?.startsWith(`[AVAILABILITY] availability.condition "${ask}" failed: ${why}`), decisions()[1]);
      }
    });
    it('by the last boolean tool of the round', async () => {
      const both = (first: Reply, second: Reply): Reply => ({ tools: [...(first.tools ?? []), ...(second.tools ?? [])] });
      const task: Task = { ...plain, availability: { condition: [ask] } };
      assert.equal((await ran(task, [both(no(), yes())])).outcome.status, 'Succeeded');
      assert.equal((await ran(task, [both(yes(), no())])).outcome.status, 'Failed');
    });
  });

  describe('meets its criteria', () => {
    it('when the tools were called in the last task round', async () => {
      const task = withCriteria({ toolExecuted: ['job_prepare_document', 'job_boolean_true'] }, 1);
      const document: Reply = { tools: [['job_prepare_document', 'a']] };
      const WHY =
        'criteria.toolExecuted ["job_prepare_document","job_boolean_true"] failed: job_prepare_document was not called in the last round.';
      const { outcome, sessions, state, decisions } = await ran(task, [document, yes()]);
      assert.equal(outcome.status, 'Failed');
      assert.deepEqual(sessions.started[0]?.prompts, ['go', 'go\n## Required Tool Not Called: job_boolean_true']);
      assert.deepEqual(decisions(), [
        '[CRITERIA] criteria.toolExecuted ["job_prepare_document","job_boolean_true"] failed: job_boolean_true was not called in the last round.',
        '[OPERATION] Retry 1 of 1.',
        `[CRITERIA] ${WHY}`,
        '[DECISION] criteria.failureAction.retryTimes 1: no retry is left.',
        `[TASK FAILED] ${WHY}`,
      ]);
      assert.equal(state()?.reason, WHY);
      const good = await ran(task, [{ tools: [...(document.tools ?? []), ...(yes().tools ?? [])] }]);
      assert.equal(good.outcome.status, 'Succeeded');
      assert.deepEqual(good.sessions.prompts, ['worker: go']);
    });

    it('when the condition holds, which is looked at even if a tool was not called', async () => {
      const task = withCriteria({ toolExecuted: ['job_prepare_document'], condition: [ask], runConditionInSameSession: true });
      const { outcome, sessions, decisions } = await ran(task, [{}, yes('fine')]);
      assert.equal(outcome.status, 'Failed');
      assert.deepEqual(sessions.prompts, ['worker: go', `worker: ${ask}`]);
      assert.equal(decisions()[1], `[CRITERIA] criteria.condition "${ask}" succeeded: job_boolean_true said "fine".`);
      // What the condition's round called does not count for the task.
      assert.equal((await ran(task, [{}, { tools: [...(yes().tools ?? []), ['job_prepare_document', 'x']] }])).outcome.status, 'Failed');
      assert.equal((await ran(task, [{ tools: [['job_prepare_document', 'x']] }, yes()])).outcome.status, 'Succeeded');
    });

    it('with as many retries as there are, and no more', async () => {
      for (const retryTimes of [0, 1, 3]) {
        const task = withCriteria({
          condition: [ask],
          runConditionInSameSession: true,
          failureAction: { retryTimes, additionalPrompt: ['more', 'care'] },
        });
        const failing = await ran(
          task,
          Array.from({ length: 20 }, () => no()),
        );
        assert.equal(failing.outcome.status, 'Failed');
        assert.deepEqual(
          failing.sessions.started[0]?.prompts.filter((prompt) => prompt !== ask),
          ['go', ...Array.from({ length: retryTimes }, () => 'go\nmore\ncare')],
        );
        const last = await ran(task, [...Array.from({ length: 2 * retryTimes + 1 }, () => no()), yes()]);
        assert.equal(last.outcome.status, 'Succeeded', `in the last of ${retryTimes}`);
      }
    });
  });

  it('gives each prompt a session of its own where the entry says so', async () => {
    const task: Task = {
      ...withCriteria({ condition: [ask], runConditionInSameSession: false }, 1),
      availability: { condition: [ask] },
    };
    const alive: number[] = [];
    const { outcome, sessions, events } = await ran(task, [yes(), {}, no(), {}, yes()]);
    sessions.started.forEach((session) => alive.push(session.stops));
    assert.equal(outcome.status, 'Succeeded');
    assert.deepEqual(sessions.prompts, [`driver: ${ask}`, 'worker: go', `driver: ${ask}`, 'worker: go', `driver: ${ask}`]);
    assert.deepEqual(alive, [1, 1, 1, 1, 1]);
    // Each is closed before the next is started.
    assert.deepEqual(
      events.flatMap((event) =>
        event.type.startsWith('taskSession') ? [event.type.slice(11) + ('isDriving' in event ? event.isDriving : '')] : [],
      ),
      ['Startedtrue', 'Stopped', 'Startedfalse', 'Stopped', 'Startedtrue', 'Stopped', 'Startedfalse', 'Stopped', 'Startedtrue', 'Stopped'],
    );
  });

  describe('when a send crashes', () => {
    it('sends again in a new session, with a prefix', async () => {
      const { outcome, sessions, decisions, state } = await ran(plain, [crash, crash, {}]);
      assert.equal(outcome.status, 'Succeeded');
      assert.deepEqual(sessions.prompts, ['worker: go', `worker: ${SESSION_CRASH_PREFIX}go`, `worker: ${SESSION_CRASH_PREFIX}go`]);
      assert.deepEqual(decisions().slice(0, 2), [
        '[SESSION CRASHED] Try 1 of 5: out of memory',
        '[SESSION CRASHED] Try 2 of 5: out of memory',
      ]);
      assert.deepEqual(sessions.alive, []);
      assert.deepEqual(
        state()?.sessions.map(({ status }) => status),
        ['Failed', 'Failed', 'Succeeded'],
      );
    });

    it('fails by a crash after five tries, and four are not too many', async () => {
      const { outcome, sessions, state } = await ran(plain, [crash, crash, crash, crash, crash]);
      assert.deepEqual(outcome, { status: 'Failed', crashError: 'out of memory' });
      assert.equal(sessions.started.length, 5);
      assert.equal(state()?.crashError, 'out of memory');
      assert.deepEqual(sessions.alive, []);
      assert.equal((await ran(plain, [crash, crash, crash, crash])).outcome.status, 'Succeeded');
    });

    it('counts a session that cannot be started, and whatever is thrown', async () => {
      const task = started(plain);
      task.sessions.beforeStart = () => {
        throw 'no such model';
      };
      assert.deepEqual(await task.run.ended, { status: 'Failed', crashError: 'no such model' });
      assert.equal(task.sessions.requests.length, 5);
      const { outcome } = await ran(plain, [{ crash: 'a text' }, { crash: null }]);
      assert.equal(outcome.status, 'Succeeded');
    });

    it('is not tried again when the user has stopped the session', async () => {
      const { outcome, sessions } = await ran(plain, [{ crash: new SessionStoppedError('stopped by the user') }]);
      assert.deepEqual(outcome, { status: 'Failed', crashError: 'stopped by the user' });
      assert.deepEqual(sessions.prompts, ['worker: go']);
    });

    it('fails by a crash where the availability cannot be checked', async () => {
      const { outcome } = await ran({ ...plain, availability: { condition: [ask] } }, [crash, crash, crash, crash, crash]);
      assert.deepEqual(outcome, { status: 'Failed', crashError: 'out of memory' });
    });

    it('fails only the round in the criteria loop', async () => {
      const five = [crash, crash, crash, crash, crash];
      const task = withCriteria({ condition: [ask], runConditionInSameSession: true }, 2);
      // The condition runs out, then the retry, then the second retry is good.
      const { outcome, decisions } = await ran(task, [{}, ...five, ...five, {}, yes()]);
      assert.equal(outcome.status, 'Succeeded');
      assert.equal(decisions().filter((text) => text.startsWith('[DECISION] The prompt was tried too often')).length, 2);
      assert.deepEqual((await ran(task, [{}, ...five, ...five, ...five])).outcome, { status: 'Failed' });
    });

    it('counts only the tools of the try that went well', async () => {
      const task = withCriteria({ toolExecuted: ['job_boolean_true'] });
      assert.equal((await ran(task, [{ ...yes(), ...crash }, {}])).outcome.status, 'Failed');
    });
  });

  describe('in a borrowed session', () => {
    const borrowing = (task: Task, replies: Reply[]) => {
      const other = new FakeSessions(() => replies.shift() ?? {});
      const borrowed = other.create('borrowed');
      return { ...started(task, [], { borrowed, taskId: 't' }), borrowed };
    };

    it('does all in it, skips prerequisites and leaves it alive', async () => {
      const task: Task = {
        ...withCriteria({ condition: [ask], runConditionInSameSession: false }),
        availability: { previousTasks: ['a'], condition: [ask] },
      };
      const { run, borrowed, sessions, kinds, context } = borrowing(task, [{}, yes()]);
      assert.equal(context.leases.holderOf(borrowed.id), 't');
      assert.deepEqual(await run.ended, { status: 'Succeeded' });
      assert.deepEqual(borrowed.prompts, ['go', ask]);
      assert.equal(sessions.started.length, 0);
      assert.equal(borrowed.stops, 0);
      assert.equal(context.leases.holderOf(borrowed.id), undefined);
      assert.ok(!kinds().some((kind) => kind.startsWith('taskSession')));
    });

    it('has one try', async () => {
      const { run, borrowed, decisions } = borrowing(plain, [crash]);
      assert.deepEqual(await run.ended, { status: 'Failed', crashError: 'out of memory' });
      assert.deepEqual(borrowed.prompts, ['go']);
      assert.equal(decisions()[0], '[SESSION CRASHED] Try 1 of 1: out of memory');
      assert.equal(borrowed.stops, 0);
      // In the criteria loop a crash is a failed round here, too.
      const task = withCriteria({ condition: [ask], runConditionInSameSession: true }, 1);
      assert.deepEqual(await borrowing(task, [{}, crash, {}, yes()]).run.ended, { status: 'Succeeded' });
    });

    it('fails when the session is stopped, whatever retries are left', async () => {
      const task = withCriteria({ condition: [ask], runConditionInSameSession: true }, 5);
      const { run, borrowed } = borrowing(task, [{}, { crash: new SessionStoppedError('stopped by the user') }]);
      assert.deepEqual(await run.ended, { status: 'Failed', crashError: 'stopped by the user' });
      assert.deepEqual(borrowed.prompts, ['go', ask]);
    });

    it('is refused while another task uses it', async () => {
      const { context, borrowed, run, events } = borrowing(plain, [{ hangs: true }]);
      const request: TaskRequest = { taskId: 'u', taskName: 'U', task: plain, models, userInput: '', borrowed };
      const start = () => new TaskRun(context, request, (event) => events.push(event));
      assert.throws(start, SessionBusyError);
      await atRest();
      run.stop();
      assert.equal(borrowed.cancelled, 1);
      assert.equal(borrowed.stops, 0);
      assert.deepEqual(await start().ended, { status: 'Succeeded' });
    });
  });

  describe('when it is stopped', () => {
    it('has ended at once, with its sessions, although nothing answers', async () => {
      const { run, sessions, events, state, context } = started(plain, [{ hangs: true }]);
      await atRest();
      run.stop();
      assert.equal(run.status, 'Stopped');
      assert.deepEqual(
        sessions.started.map(({ stops, cancelled }) => [stops, cancelled]),
        [[1, 1]],
      );
      assert.equal(context.leases.holderOf('session-0'), undefined);
      assert.equal(events.at(-1)?.type, 'taskStopped');
      assert.deepEqual(await run.ended, { status: 'Stopped' });
      const { length } = events;
      sessions.started[0]?.call('job_boolean_true', 'late');
      run.stop();
      await atRest();
      assert.equal(events.length, length);
      assert.deepEqual(
        state()?.sessions.map(({ status }) => status),
        ['Stopped'],
      );
    });

    it('stops a session that arrives later', async () => {
      const { run, sessions, events, context } = started(plain);
      let arrive: () => void = () => undefined;
      sessions.beforeStart = () => new Promise((resolve) => (arrive = resolve));
      await atRest();
      run.stop();
      assert.deepEqual(await run.ended, { status: 'Stopped' });
      arrive();
      await atRest();
      assert.deepEqual(
        sessions.started.map(({ stops }) => stops),
        [1],
      );
      assert.equal(context.leases.holderOf('session-0'), undefined);
      assert.equal(events.at(-1)?.type, 'taskStopped');
    });

    it('has no session left, at whatever microtask it comes', async () => {
      for (let turns = 0; turns < 60; turns++) {
        const { run, sessions, events } = started(withCriteria({ condition: [ask], runConditionInSameSession: false }, 2), [
          {},
          no(),
          crash,
          {},
          yes(),
        ]);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        run.stop();
        const { length } = events;
        await atRest();
        assert.deepEqual(sessions.alive, [], `after ${turns} microtasks`);
        assert.equal(events.length, length);
      }
    });

    it('does nothing more, also when the receiver of an event stops it', async () => {
      const { kinds } = await ran(plain);
      for (const stopping of kinds()) {
        const sessions = new FakeSessions();
        const request: TaskRequest = { taskId: 't', taskName: 'T', task: plain, models, userInput: '' };
        const seen: string[] = [];
        const run: TaskRun = new TaskRun(sessions.context(), request, ({ type }) => {
          seen.push(type);
          if (type === stopping) run.stop();
        });
        const ending = stopping === 'taskSucceeded';
        assert.deepEqual(await run.ended, { status: ending ? 'Succeeded' : 'Stopped' });
        await atRest();
        assert.deepEqual(seen.slice(seen.indexOf(stopping) + 1), ending ? [] : ['taskStopped']);
        if (stopping === 'taskStarted') assert.equal(sessions.requests.length, 0);
        if (stopping === 'taskSessionStarted' || stopping === 'taskPrompt') assert.deepEqual(sessions.prompts, []);
        assert.deepEqual(sessions.alive, []);
      }
    });

    it('survives sessions that cannot be stopped', async () => {
      for (const stop of [
        () => {
          throw new Error('no');
        },
        () => Promise.reject(new Error('no')),
      ]) {
        const { run, sessions } = started(plain, [{ hangs: true }]);
        await atRest();
        Object.assign(sessions.started[0] ?? {}, { stop });
        run.stop();
        assert.deepEqual(await run.ended, { status: 'Stopped' });
        await atRest();
      }
    });
  });

  it('says what ran without a question, and who allowed it', async () => {
    const approve = ['edits' as const];
    const unasked = { ...plain, approve };
    const sessions = new FakeSessions((_prompt, session) => {
      session.ranUnasked({ name: 'edit', input: '{"path":"a"}', isByEntry: true });
      session.ranUnasked({ name: 'bash', input: 'x'.repeat(600), isByEntry: false });
      return {};
    });
    const events: TaskEvent[] = [];
    const request: TaskRequest = { taskId: 't', taskName: 'T', task: unasked, models, userInput: '' };
    await new TaskRun(sessions.context(), request, (event) => events.push(event)).ended;
    assert.deepEqual(sessions.requests[0]?.approve, approve);
    const { approve: kept, decisions } = events.reduce<TaskState | undefined>(reduceTask, undefined) ?? assert.fail();
    assert.deepEqual(kept, approve);
    assert.deepEqual(
      decisions.slice(0, 2).map(({ reason }) => reason),
      [
        '[OPERATION] approve ["edits"] of the entry: edit ran without a question, with "{\\"path\\":\\"a\\"}".',
        `[OPERATION] a setting that was changed in the session: bash ran without a question, with "${'x'.repeat(500)}…".`,
      ],
    );
    const failing = new TaskRun(sessions.context(), request, (event) => {
      if (event.type === 'taskDecision' && /edit ran/.test(event.reason)) throw new Error('disk full');
    });
    assert.deepEqual(await failing.ended, { status: 'Failed', crashError: 'disk full' });
  });

  it('fails when an event cannot be recorded, and stops its sessions', async () => {
    const { kinds } = await ran(plain);
    for (const failing of kinds()) {
      const sessions = new FakeSessions();
      const request: TaskRequest = { taskId: 't', taskName: 'T', task: plain, models, userInput: '' };
      const run = new TaskRun(sessions.context(), request, ({ type }) => {
        if (type === failing) throw new Error('disk full');
      });
      const { status } = await run.ended;
      assert.equal(status, failing === 'taskSucceeded' ? 'Succeeded' : 'Failed', failing);
      assert.deepEqual(sessions.alive, []);
    }
  });
});

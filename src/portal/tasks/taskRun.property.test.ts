import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeSessions, type Reply } from '../../../test/fakes/portalSessions.ts';
import type { Model, Task } from '../entry/task.ts';
import type { TaskEvent } from '../runs/runEvents.ts';
import type { TaskRequest } from './taskContext.ts';
import { TaskRun } from './taskRun.ts';
import { SESSION_CRASH_PREFIX } from './taskSessions.ts';

const available = 'available? job_boolean_true';
const done = 'done? job_boolean_true';
const tools = ['job_boolean_true', 'job_boolean_false', 'job_prepare_document'] as const;
type Tool = (typeof tools)[number];

/** What a model does with a prompt. */
interface Turn {
  tools: Tool[];
  crashes: boolean;
}
interface Case {
  task: Task;
  borrows: boolean;
  hasSucceeded: boolean;
  /** In turn, and again from the first. */
  turns: Turn[];
}

const anyCriteria = fc
  .record(
    {
      toolExecuted: fc.subarray([...tools]),
      isSame: fc.boolean(),
      additionalPrompt: fc.constant<string[]>(['more']),
      retryTimes: fc.nat(3),
    },
    { requiredKeys: ['retryTimes'] },
  )
  .map(({ toolExecuted, isSame, additionalPrompt, retryTimes }) => ({
    ...(toolExecuted && { toolExecuted }),
    ...(isSame !== undefined && { condition: [done], runConditionInSameSession: isSame }),
    failureAction: { retryTimes, ...(additionalPrompt && { additionalPrompt }) },
  }));
const anyTask: fc.Arbitrary<Task> = fc.record(
  {
    prompt: fc.constant<string[]>(['go']),
    requireUserInput: fc.constant<boolean>(false),
    model: fc.constant<Model>({ id: 'm' }),
    availability: fc.record(
      { previousTasks: fc.constant<string[]>(['before']), condition: fc.constant<string[]>([available]) },
      { requiredKeys: [] },
    ),
    criteria: anyCriteria,
  },
  { requiredKeys: ['prompt', 'requireUserInput'] },
);
const anyTurn: fc.Arbitrary<Turn> = fc.record({
  tools: fc.array(fc.constantFrom(...tools), { maxLength: 3 }),
  crashes: fc.integer({ max: 9, min: 0 }).map((one) => one < 3),
});
const anyCase: fc.Arbitrary<Case> = fc.record({
  task: anyTask,
  borrows: fc.boolean(),
  hasSucceeded: fc.boolean(),
  turns: fc.array(anyTurn, { minLength: 1, maxLength: 12 }),
});

/** What the design says: how the task ends, and what is sent. */
function interpreted({ task, borrows, hasSucceeded, turns }: Case): { outcome: string; sent: string[] } {
  const sent: string[] = [];
  let next = 0;
  const send = (prompt: string): Tool[] | undefined => {
    for (let tried = 0; tried < (borrows ? 1 : 5); tried++) {
      const turn = turns[next++ % turns.length] as Turn;
      sent.push(tried === 0 ? prompt : SESSION_CRASH_PREFIX + prompt);
      if (!turn.crashes) return turn.tools;
    }
    return undefined;
  };
  const holds = (called: Tool[]) => called.findLast((tool) => tool !== 'job_prepare_document') === 'job_boolean_true';

  if (task.availability && !borrows) {
    if (task.availability.previousTasks && !hasSucceeded) return { outcome: 'Failed', sent };
    if (task.availability.condition) {
      const called = send(available);
      if (!called) return { outcome: 'crashed', sent };
      if (!holds(called)) return { outcome: 'Failed', sent };
    }
  }
  let called = send('go');
  if (!called) return { outcome: 'crashed', sent };
  const { criteria } = task;
  if (!criteria) return { outcome: 'Succeeded', sent };
  let missing: string[] = [];
  for (let left = criteria.failureAction.retryTimes; ; left--) {
    let good = false;
    if (called) {
      const round = called;
      missing = (criteria.toolExecuted ?? []).filter((tool) => !round.includes(tool as Tool));
      const answer = criteria.condition ? send(done) : undefined;
      good = missing.length === 0 && (!criteria.condition || (answer !== undefined && holds(answer)));
    }
    if (good) return { outcome: 'Succeeded', sent };
    if (left === 0) return { outcome: 'Failed', sent };
    const lines = [
      'go',
      missing.length > 0 && `## Required Tool Not Called: ${missing.join(', ')}`,
      criteria.failureAction.additionalPrompt?.[0],
    ];
    called = send(lines.filter((line) => line).join('\n'));
  }
}

/** Runs the task, and stops it at the event of that number. */
async function run({ task, borrows, hasSucceeded, turns }: Case, stopAt = Infinity) {
  const sent: string[] = [];
  const events: TaskEvent[] = [];
  let next = 0;
  const sessions = new FakeSessions((prompt): Reply => {
    sent.push(prompt);
    const turn = turns[next++ % turns.length] as Turn;
    return { tools: turn.tools.map((tool) => [tool, 'why']), ...(turn.crashes && { crash: new Error('crash') }) };
  });
  const context = sessions.context();
  const borrowed = borrows ? sessions.create('m') : undefined;
  const request: TaskRequest = {
    ...{ taskId: 't', taskName: 'T', task, models: { driving: 'd' }, userInput: '', hasSucceeded: () => hasSucceeded },
    ...(borrowed && { borrowed }),
  };
  const taskRun: TaskRun = new TaskRun(context, request, (event) => {
    events.push(event);
    if (events.length > stopAt) taskRun.stop();
  });
  const { status, crashError } = await taskRun.ended;
  const { length } = events;
  await atRest();
  assert.equal(events.length, length, 'no event comes after the end');
  assert.deepEqual(sessions.alive, borrowed ? [borrowed] : [], 'no session is left');
  for (const session of sessions.started) {
    assert.equal(context.leases.holderOf(session.id), undefined);
    assert.equal(session.listeners, 0);
  }
  return { outcome: crashError === undefined ? status : 'crashed', sent, events, sessions };
}

describe('any task', function () {
  this.timeout(60_000);

  it('does what the rules say', async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const { outcome, sent, events, sessions } = await run(given);
        assert.deepEqual({ outcome, sent }, interpreted(given));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        const count = (type: TaskEvent['type']) => events.filter((event) => event.type === type).length;
        assert.equal(count('taskSessionStarted'), given.borrows ? 0 : sessions.started.length);
        assert.equal(count('taskSessionStopped'), count('taskSessionStarted'));
        for (const event of events)
          if (event.type === 'taskDecision')
            assert.match(event.reason, /^\[(SESSION CRASHED|TASK SUCCEEDED|TASK FAILED|AVAILABILITY|CRITERIA|OPERATION|DECISION|MISC)\]/);
      }),
      { numRuns: 1000 },
    );
    for (const outcome of ['Succeeded', 'Failed', 'crashed']) assert.ok((outcomes.get(outcome) ?? 0) > 20, outcome);
  });

  it('can be stopped at every event', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const whole = await run(given);
        for (let at = 0; at < Math.min(whole.events.length, 40); at++) {
          const { outcome, sent, events } = await run(given, at);
          const isOver = at === whole.events.length - 1;
          assert.equal(outcome, isOver ? whole.outcome : 'Stopped');
          assert.deepEqual(sent, whole.sent.slice(0, sent.length));
          assert.deepEqual(events.slice(0, at + 1), whole.events.slice(0, at + 1));
          if (!isOver)
            assert.deepEqual(
              events.slice(at + 1).map(({ type }) => type),
              ['taskStopped'],
            );
        }
      }),
      { numRuns: 60 },
    );
  });
});

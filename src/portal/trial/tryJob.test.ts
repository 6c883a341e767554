import { english } from '../../base/text/phrase.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyWork } from '../../../test/support/anyWork.ts';
import type { Trial, TrialStep } from '../../views/portal/trial/trial.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import type { GivenWork } from '../entry/work.ts';
import { NO_INPUT, tryJob, type TrialOptions } from './tryJob.ts';
import { runs } from '../../../test/support/runs.ts';

const task = (prompt: string, more: object = {}) => ({
  ...{ model: { category: 'good' }, prompt: [prompt], requireUserInput: prompt.includes('$user-input') },
  ...more,
});
const retried = (more: object, retryTimes = 2) => ({ criteria: { failureAction: { retryTimes }, ...more } });
const tasks = {
  plain: task('Do it.'),
  says: task('Say $user-input with $task-model.'),
  asks: task('Is it green? job_boolean_true or job_boolean_false', retried({ toolExecuted: ['job_boolean_true'] }, 0)),
  writes: task(
    'Write, and report with job_prepare_document.',
    retried({
      condition: ['Is $reported-document good? job_boolean_true or job_boolean_false'],
      runConditionInSameSession: false,
      failureAction: { retryTimes: 2, additionalPrompt: ['It is not: $reported-false-reason'] },
    }),
  ),
  needs: task('Go on.', { availability: { previousTasks: ['plain'], condition: ['May it? job_boolean_true'] } }),
  free: task('Free.', { approve: ['job-tools', 'everything'], limits: { toolCalls: 7, minutes: 1 }, host: 'box' }),
  edits: task('Edit.', { approve: ['edits'] }),
};
const ref = (taskId: string): GivenWork => ({ kind: 'Ref', taskId });
const seq = (...works: GivenWork[]): GivenWork => ({ kind: 'Seq', works });
const par = (...works: GivenWork[]): GivenWork => ({ kind: 'Par', works });

async function trialOf(work: GivenWork, options: Partial<TrialOptions> = {}, job: object = {}): Promise<Trial> {
  const entry = validateEntry({
    ...{ models: { driving: 'fast', good: 'slow' }, promptVariables: {}, tasks, grid: [] },
    ...{ hosts: { box: { folder: '/srv' } }, jobs: { job: { work, ...job } } },
  });
  return (await tryJob(entry, 'job', { outcomes: {}, folder: '/w', ...options })) ?? assert.fail();
}
const row = ({ number, step, round, taskName, status, beside }: TrialStep) =>
  `${number} ${step} ${taskName} ${status}${round > 1 ? ` round ${round}` : ''}${beside.length > 0 ? ` beside ${beside.join(' ')}` : ''}`;
const rows = ({ steps }: Trial) => steps.map(row);
const only = ({ steps }: Trial): TrialStep => {
  assert.equal(steps.length, 1);
  return steps[0] ?? assert.fail();
};

describe('a trial of a job', () => {
  it('takes the steps of a run in their order, and all of them succeed where nothing else is said', async () => {
    const work = seq(ref('plain'), par(ref('says'), seq(ref('asks'), ref('edits'))), {
      ...{ kind: 'Alt', condition: ref('asks') },
      ...{ trueWork: ref('plain'), falseWork: ref('free') },
    } as GivenWork);
    const trial = await trialOf(work);
    assert.deepEqual(
      [trial.status, trial.reason, trial.notReached, trial.requireUserInput, trial.loopCap],
      ['Succeeded', undefined, ['free'], true, 100],
    );
    assert.deepEqual(rows(trial), [
      '1 0#0 plain Succeeded',
      '2 1#0 says Succeeded',
      '3 2#0 asks Succeeded beside 2',
      '4 3#0 edits Succeeded',
      '5 4#0 asks Succeeded',
      '6 5#0 plain Succeeded',
    ]);
    const other = await trialOf(work, { outcomes: { asks: { fails: 'always' } } });
    assert.equal(other.status, 'Failed');
    assert.deepEqual(rows(other).slice(2), ['3 2#0 asks Failed beside 2']);
    assert.deepEqual(other.notReached, ['edits', 'free']);
  });

  it('answers a condition with no so often, and counts the rounds of a loop', async () => {
    const loop: GivenWork = { kind: 'Loop', body: ref('plain'), postCondition: [false, ref('asks')] };
    const trial = await trialOf(loop, { outcomes: { asks: { fails: 2 } } });
    assert.equal(trial.status, 'Succeeded');
    assert.deepEqual(
      trial.steps.map(({ taskName, round, status }) => `${taskName} ${round} ${status}`),
      ['plain 1 Succeeded', 'asks 1 Failed', 'plain 2 Succeeded', 'asks 2 Failed', 'plain 3 Succeeded', 'asks 3 Succeeded'],
    );
  });

  it('ends a loop at its cap, and itself when it is too long', async () => {
    const loop: GivenWork = { kind: 'Loop', preCondition: [true, ref('asks')], body: ref('plain'), postCondition: [true, ref('asks')] };
    const capped = await trialOf(loop, { loopCap: 3 });
    assert.deepEqual([capped.status, capped.reason, capped.steps.length], ['Failed', 'a loop has run 3 times and would run again', 10]);
    const long = await trialOf({ kind: 'Loop', body: loop, postCondition: [false, ref('edits')] }, { loopCap: 1_000 });
    assert.deepEqual(
      [long.status, english(long.reason ?? ''), long.steps.length],
      ['Stopped', 'The trial was stopped after 500 steps.', 500],
    );
    assert.ok(long.steps.every(({ status }) => status === 'Succeeded'));
    let at = 0;
    const slow = await trialOf(loop, { now: () => (at += 100) });
    assert.deepEqual([slow.status, english(slow.reason ?? '')], ['Stopped', 'The trial was stopped after 3 seconds.']);
    assert.equal(slow.steps.at(-1)?.status, 'Stopped');
  });

  it('shows each prompt as the agent would get it, with input and documents', async () => {
    const said = only(await trialOf(ref('says'), { userInput: 'good $task-model' }));
    assert.deepEqual(
      said.prompts.map(({ text, isNewSession, model }) => [text, isNewSession, model]),
      [['Say good $task-model with slow.', true, 'slow']],
    );
    assert.match(only(await trialOf(ref('says'))).prompts[0]?.text ?? '', new RegExp(`^Say ${NO_INPUT} with`));
    const trial = await trialOf(ref('writes'), { outcomes: { writes: { fails: 1 } } });
    const { prompts, status } = only(trial);
    assert.equal(status, 'Succeeded');
    assert.deepEqual(
      prompts.map(({ kind, retry, model, isNewSession, text, calls }) => [
        ...[kind, retry, model, isNewSession, text],
        calls.map(({ tool }) => tool.replace('job_', '')).join(),
      ]),
      [
        ['work', 0, 'slow', true, 'Write, and report with job_prepare_document.', 'prepare_document'],
        ['criteria', 0, 'fast', true, 'Is <the document of “writes”> good? job_boolean_true or job_boolean_false', 'boolean_false'],
        [
          ...['work', 1, 'slow', true],
          'Write, and report with job_prepare_document.\nIt is not: <why “writes” says no>',
          'prepare_document',
        ],
        ['criteria', 1, 'fast', true, 'Is <the document of “writes”> good? job_boolean_true or job_boolean_false', 'boolean_true'],
      ],
    );
    assert.equal(prompts[1]?.decisions.at(-1), '[OPERATION] Retry 1 of 2.');
    assert.deepEqual(prompts[3]?.decisions.at(-1), '[TASK SUCCEEDED]');
  });

  it('fails a task by its own rules, and says which', async () => {
    const failed = async (name: string) => only(await trialOf(ref(name), { outcomes: { [name]: { fails: 'always' } } }));
    assert.match(
      (await failed('asks')).reason ?? '',
      /^criteria.toolExecuted \["job_boolean_true"\] failed: job_boolean_true was not called/,
    );
    assert.deepEqual(
      (await failed('asks')).prompts[0]?.calls.map(({ tool }) => tool),
      ['job_boolean_false'],
    );
    const writes = await failed('writes');
    assert.equal(writes.prompts.length, 6);
    assert.match(writes.reason ?? '', /^criteria.condition .* failed: job_boolean_false said/);
    const plain = await failed('plain');
    assert.match(plain.reason ?? '', /^limits.toolCalls 500 is reached/);
    assert.equal(plain.prompts[0]?.isOverLimit, true);
    assert.match((await failed('free')).reason ?? '', /^limits.toolCalls 7 is reached/);
    const { tasks: listed } = await trialOf(seq(ref('plain'), ref('asks'), ref('writes'), ref('needs')));
    assert.deepEqual(
      listed.map(({ name, failure, hasCondition }) => [name, english(failure).split(' ').slice(0, 2).join(' '), hasCondition]),
      [
        ['plain', 'it has', false],
        ['asks', 'it does', false],
        ['writes', 'the condition', false],
        ['needs', 'it has', true],
      ],
    );
  });

  it('checks what must hold before a task runs', async () => {
    const lacking = only(await trialOf(ref('needs')));
    assert.deepEqual([lacking.status, lacking.prompts.length, lacking.folder], ['Failed', 0, '/w']);
    assert.match(lacking.decisions[0] ?? '', /^\[AVAILABILITY\]/);
    assert.match(lacking.reason ?? '', /"plain" has not succeeded/);
    const work = seq(ref('plain'), ref('needs'));
    const refused = await trialOf(work, { outcomes: { needs: { unavailable: 'always' } } });
    assert.deepEqual(
      refused.steps[1]?.prompts.map(({ kind, text }) => [kind, text]),
      [['availability', 'May it? job_boolean_true']],
    );
    assert.equal(refused.status, 'Failed');
    const held = await trialOf(work);
    assert.deepEqual(
      held.steps[1]?.prompts.map(({ kind }) => kind),
      ['availability', 'work'],
    );
  });

  it('says what a step may do, where it works, and what would wait for a person', async () => {
    const free = only(await trialOf(ref('free')));
    assert.deepEqual([free.host, free.folder, free.waits], ['box', '/srv', []]);
    assert.match(free.withoutAsking ?? '', /^runs commands, .* without asking$/);
    assert.match(english(free.limits), /^a round at most 7 tool calls, 500 model calls, 1 minute, 50,000,000 tokens;/);
    const asks = only(await trialOf(ref('asks')));
    assert.match(asks.waits.map(english).join('\n'), /^Waits for a person, unless .*: job_boolean_true\..*\nEach change of a file/);
    assert.equal(asks.withoutAsking, undefined);
    const edits = only(await trialOf(ref('edits')));
    assert.match(edits.waits.map(english).join('\n'), /^Each command, page/);
  });

  it('names work trees and makes none, and says what the run may use', async () => {
    const work = seq(ref('plain'), par(ref('edits'), ref('edits')));
    const job = { worktree: { for: 'step', merge: 'leave' }, budget: { tokens: 5_000, minutes: 1 } };
    const trial = await trialOf(work, {}, job);
    assert.deepEqual(
      trial.steps.map(({ folder }) => folder),
      [
        '<the work tree of the run>',
        '<the work tree of the branch that begins with 1#0>',
        '<the work tree of the branch that begins with 2#0>',
      ],
    );
    assert.deepEqual(trial.facts.map(english), [
      'The run may use 1 minute of work, 5,000 tokens.',
      'The run and each branch of a Par have a work tree of Git.',
      'Its work is left on a branch.',
    ]);
    assert.deepEqual(trial.warnings, []);
    assert.match(english((await trialOf(work)).warnings[0] ?? ''), /^“edits” runs several times at once/);
  });

  it('cuts what is long, and knows no other jobs', async () => {
    const long = only(await trialOf(ref('says'), { userInput: 'x'.repeat(1_000_000) }));
    assert.deepEqual([long.prompts[0]?.text.length, long.prompts[0]?.isCut], [20_000, true]);
    const entry = validateEntry({ models: { driving: 'm' }, promptVariables: {}, tasks: {}, jobs: {}, grid: [] });
    assert.equal(await tryJob(entry, 'constructor', { outcomes: {} }), undefined);
  });

  it('ends whatever the job and the outcomes are', async () => {
    const names = ['x'];
    const times = fc.oneof(fc.nat(5), fc.constant('always' as const));
    const outcome = fc.record({ fails: times, unavailable: times }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(anyWork, outcome, fc.boolean(), async (work, given, hasCriteria) => {
        const x = hasCriteria ? { ...tasks.writes, availability: { condition: ['May it? job_boolean_true'] } } : tasks.plain;
        const entry = validateEntry({
          ...{ models: { driving: 'fast', good: 'slow' }, promptVariables: {}, tasks: { x }, grid: [] },
          jobs: { job: { work } },
        });
        const trial = (await tryJob(entry, 'job', { outcomes: { x: given }, loopCap: 2 })) ?? assert.fail();
        assert.ok(trial.steps.every(({ status }) => status !== 'Executing'));
        assert.deepEqual(
          trial.steps.map(({ number }) => number),
          trial.steps.map((_, at) => at + 1),
        );
        assert.ok(trial.notReached.every((name) => names.includes(name)));
      }),
      { numRuns: runs(60) },
    );
  });
});

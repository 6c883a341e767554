import assert from 'node:assert/strict';
import { deepFreeze } from '../../../test/support/deepFreeze.ts';
import { EntryError } from './faults.ts';
import { validateEntry } from './validateEntry.ts';

const a = { model: { category: 'fast' }, prompt: ['do $what', 'with $user-input'], requireUserInput: true };
const b = { prompt: ['check'], requireUserInput: false };
const ref = (taskId: string, more: object = {}) => ({ kind: 'Ref', taskId, ...more });
const other = { modelOverride: { id: 'other' } };
const good = deepFreeze({
  models: { driving: 'gpt', fast: 'mini' },
  promptVariables: { what: ['the $thing'], thing: ['work'] },
  tasks: { a, b },
  jobs: { 'job 1': { work: ref('a') } },
  grid: [{ keyword: 'k', jobs: [null, { name: 'n', jobName: 'job 1' }] }],
});
const withTask = (more: object) => ({ ...good, tasks: { ...good.tasks, 'x "y"': { ...b, model: { id: 'm' }, ...more } } });
const withWork = (work: unknown) => ({ ...good, jobs: { ...good.jobs, j: { work } } });
const faultOf = (value: unknown): string => {
  try {
    validateEntry(value);
    return 'no fault';
  } catch (error) {
    assert.ok(error instanceof EntryError, String(error));
    assert.ok(error.message.startsWith(`${error.path}: `));
    return error.message;
  }
};
const failureAction = { retryTimes: 1 };
const condition = ['call job_boolean_true or not'];

describe('an entry', () => {
  it('is taken, with its prompts expanded and what is computed', () => {
    const entry = validateEntry(good);
    assert.deepEqual(entry.tasks['a']?.prompt, ['do the work\nwith $user-input']);
    assert.deepEqual(entry.jobs['job 1'], { requireUserInput: true, work: { kind: 'Ref', taskId: 'a', workIdInJob: 0 } });
    assert.deepEqual(entry.grid, good.grid);
  });

  it('expands every prompt', () => {
    const criteria = {
      condition: [...condition, '$thing'],
      runConditionInSameSession: true,
      failureAction: { retryTimes: 0, additionalPrompt: ['$thing'] },
    };
    const task = validateEntry(withTask({ availability: { previousTasks: ['a'], condition: [...condition, '$thing'] }, criteria })).tasks[
      'x "y"'
    ];
    assert.deepEqual(task?.availability, { previousTasks: ['a'], condition: [`${condition[0]}\nwork`] });
    assert.deepEqual(task?.criteria, {
      ...criteria,
      condition: [`${condition[0]}\nwork`],
      failureAction: { retryTimes: 0, additionalPrompt: ['work'] },
    });
  });

  it('may name agent hosts, and the folder there', () => {
    const hosts = { 'build box': { folder: '/srv/code' }, other: {} };
    const entry = validateEntry({ ...withTask({ host: 'build box' }), hosts });
    assert.deepEqual([entry.hosts, entry.tasks['x "y"']?.host], [hosts, 'build box']);
    assert.match(faultOf(withTask({ host: 'a\u2028b' })), /^entry\.tasks\["x \\"y\\""\]\.host: must be a name/);
    assert.match(faultOf({ ...good, hosts: { far: { folder: './code' } } }), /^entry\.hosts\["far"\]\.folder: must be an absolute path/);
    assert.match(faultOf({ ...good, hosts: { ' far': {} } }), /^entry\.hosts\[" far"\]: /);
  });

  it('that was validated is the same again', () => {
    const seq = { kind: 'Seq', works: [ref('a'), { kind: 'Seq', works: [ref('b', other), { kind: 'Par', works: [ref('a')] }] }] };
    const once = validateEntry(withWork(seq));
    assert.deepEqual(validateEntry(once), once);
    assert.deepEqual(validateEntry(JSON.parse(JSON.stringify(once))), once);
  });

  const task = 'entry.tasks["x \\"y\\""]';
  const job = 'entry.jobs["j"]';
  const faults: [what: string, value: unknown, message: RegExp | string][] = [
    ['no object', 1, /^entry: /],
    ['no driving model', { ...good, models: { fast: 'x' } }, /^entry\.models\.driving: /],
    ['a model that is no text', { ...good, models: { driving: 'x', fast: 1 } }, /^entry\.models\["fast"\]: /],
    ['a variable that is no text', { ...good, promptVariables: { v: ['a', 1] } }, /^entry\.promptVariables\["v"\]\[1\]: /],
    [
      'an empty variable',
      { ...good, promptVariables: { ...good.promptVariables, v: [] } },
      'entry.promptVariables["v"]: the prompt is empty',
    ],
    [
      'a variable that is named like a runtime variable',
      { ...good, promptVariables: { ...good.promptVariables, 'user-input': ['x'] } },
      'entry.promptVariables["user-input"]: is the name of a runtime variable',
    ],
    ['an unknown category', withTask({ model: { category: 'slow' } }), `${task}.model.category: models has no category "slow"`],
    [
      'an inherited category',
      withTask({ model: { category: 'constructor' } }),
      `${task}.model.category: models has no category "constructor"`,
    ],
    [
      'a model with both',
      withTask({ model: { category: 'fast', id: 'x' } }),
      `${task}.model: must be {"category": a key of models} or {"id": the id of a model}`,
    ],
    ['an empty prompt', withTask({ prompt: [] }), `${task}.prompt: the prompt is empty`],
    ['a blank prompt', withTask({ prompt: ['', ' '] }), `${task}.prompt: the prompt is empty`],
    ['an unknown variable', withTask({ prompt: ['$nope'] }), `${task}.prompt: $nope is neither a prompt variable nor a runtime variable`],
    [
      'an inherited variable',
      withTask({ prompt: ['$constructor'] }),
      `${task}.prompt: $constructor is neither a prompt variable nor a runtime variable`,
    ],
    [
      'a circle of variables',
      { ...withTask({ prompt: ['$p'] }), promptVariables: { ...good.promptVariables, p: ['$q'], q: ['$p'] } },
      `${task}.prompt: variables refer to each other in a circle: $p → $q → $p`,
    ],
    [
      'no input where it is declared',
      withTask({ requireUserInput: true }),
      `${task}.requireUserInput: must be false: the prompt has no $user-input`,
    ],
    [
      'input that is not declared',
      withTask({ prompt: ['$user-input'] }),
      `${task}.requireUserInput: must be true: the prompt has $user-input`,
    ],
    [
      'input by a variable',
      { ...withTask({ prompt: ['$v'] }), promptVariables: { ...good.promptVariables, v: ['$user-input'] } },
      `${task}.requireUserInput: must be true: the prompt has $user-input`,
    ],
    [
      'an unknown previous task',
      withTask({ availability: { previousTasks: ['a', 'z'] } }),
      `${task}.availability.previousTasks[1]: there is no task "z"`,
    ],
    [
      'an inherited previous task',
      withTask({ availability: { previousTasks: ['toString'] } }),
      `${task}.availability.previousTasks[0]: there is no task "toString"`,
    ],
    [
      'a condition without a tool',
      withTask({ availability: { condition: ['ok?'] } }),
      `${task}.availability.condition: must mention job_boolean_true or job_boolean_false`,
    ],
    [
      'an unknown variable in it',
      withTask({ availability: { condition: ['$no'] } }),
      /^entry\.tasks\["x \\"y\\""\]\.availability\.condition: \$no is neither/,
    ],
    [
      'a criterion without a tool',
      withTask({ criteria: { condition: ['job_boolean'], runConditionInSameSession: true, failureAction } }),
      `${task}.criteria.condition: must mention job_boolean_true or job_boolean_false`,
    ],
    [
      'a condition alone',
      withTask({ criteria: { condition, failureAction } }),
      `${task}.criteria.runConditionInSameSession: is needed beside condition`,
    ],
    [
      'its session alone',
      withTask({ criteria: { runConditionInSameSession: true, failureAction } }),
      `${task}.criteria.condition: is needed beside runConditionInSameSession`,
    ],
    [
      'an unknown tool',
      withTask({ criteria: { toolExecuted: ['job_boolean_true', 'bash'], failureAction } }),
      /^entry\.tasks\["x \\"y\\""\]\.criteria\.toolExecuted\[1\]: /,
    ],
    ['no failure action', withTask({ criteria: {} }), /^entry\.tasks\["x \\"y\\""\]\.criteria\.failureAction: /],
    ['fewer than no retries', withTask({ criteria: { failureAction: { retryTimes: -1 } } }), /\.criteria\.failureAction\.retryTimes: /],
    ['half a retry', withTask({ criteria: { failureAction: { retryTimes: 0.5 } } }), /\.criteria\.failureAction\.retryTimes: /],
    [
      'an unknown variable in a retry',
      withTask({ criteria: { failureAction: { retryTimes: 1, additionalPrompt: ['$no'] } } }),
      `${task}.criteria.failureAction.additionalPrompt: $no is neither a prompt variable nor a runtime variable`,
    ],
    ['an unknown kind', withWork({ kind: 'Xor' }), `${job}.work.kind: must be a work, an object whose kind is Ref, Seq, Par, Loop or Alt`],
    ['an unknown task', withWork(ref('z')), `${job}.work.taskId: there is no task "z"`],
    ['an inherited task', withWork(ref('constructor')), `${job}.work.taskId: there is no task "constructor"`],
    [
      'an override that is unknown',
      withWork(ref('a', { modelOverride: { category: 'z' } })),
      `${job}.work.modelOverride.category: models has no category "z"`,
    ],
    ['a task without a model', withWork(ref('b')), `${job}.work.modelOverride: is needed: the task "b" has no model`],
    ['an empty Seq', withWork({ kind: 'Seq', works: [] }), `${job}.work.works: must not be empty`],
    [
      'an empty Par',
      withWork({ kind: 'Seq', works: [ref('a'), { kind: 'Par', works: [] }] }),
      `${job}.work.works[1].works: must not be empty`,
    ],
    [
      'a fault in a pre-condition',
      withWork({ kind: 'Loop', preCondition: [true, ref('z')], body: ref('a') }),
      `${job}.work.preCondition[1].taskId: there is no task "z"`,
    ],
    [
      'a fault in a post-condition',
      withWork({ kind: 'Loop', postCondition: [true, ref('z')], body: ref('a') }),
      `${job}.work.postCondition[1].taskId: there is no task "z"`,
    ],
    ['a fault in a body', withWork({ kind: 'Loop', body: ref('z') }), `${job}.work.body.taskId: there is no task "z"`],
    [
      'a flag that is none',
      withWork({ kind: 'Loop', preCondition: ['yes', ref('a')], body: ref('a') }),
      /^entry\.jobs\["j"\]\.work\.preCondition\[0\]: /,
    ],
    ['a fault in a choice', withWork({ kind: 'Alt', condition: ref('z') }), `${job}.work.condition.taskId: there is no task "z"`],
    [
      'a fault when true',
      withWork({ kind: 'Alt', condition: ref('a'), trueWork: ref('z') }),
      `${job}.work.trueWork.taskId: there is no task "z"`,
    ],
    [
      'a fault when false',
      withWork({ kind: 'Alt', condition: ref('a'), falseWork: ref('z') }),
      `${job}.work.falseWork.taskId: there is no task "z"`,
    ],
    [
      'a job that denies its input',
      { ...good, jobs: { ...good.jobs, j: { requireUserInput: false, work: { kind: 'Seq', works: [ref('a'), ref('b', other)] } } } },
      `${job}.requireUserInput: must be true: one of its tasks requires user input`,
    ],
    [
      'a job that invents its input',
      { ...good, jobs: { ...good.jobs, j: { requireUserInput: true, work: ref('b', other) } } },
      `${job}.requireUserInput: must be false: none of its tasks requires user input`,
    ],
    [
      'a work tree of a task at another host',
      {
        ...good,
        hosts: { box: {} },
        tasks: { ...good.tasks, b: { ...b, host: 'box' } },
        jobs: { j: { work: ref('b', other), worktree: 'run' } },
        grid: [],
      },
      `${job}.worktree: is for this computer, and the task "b" runs at another agent host`,
    ],
    [
      'a cell without a job',
      { ...good, grid: [...good.grid, { keyword: 'k', jobs: [{ name: 'n', jobName: 'z' }] }] },
      'entry.grid[1].jobs[0].jobName: there is no job "z"',
    ],
    [
      'a cell with an inherited job',
      { ...good, grid: [{ keyword: 'k', jobs: [{ name: 'n', jobName: 'valueOf' }] }] },
      'entry.grid[0].jobs[0].jobName: there is no job "valueOf"',
    ],
    [
      'a limit of an unknown model',
      { ...good, limits: { perModel: { driving: 1 } } },
      'entry.limits.perModel.driving: is no id of a model that the entry names',
    ],
    ['a limit of no run', { ...good, limits: { perFolder: 0 } }, /^entry\.limits\.perFolder: /],
  ];
  for (const [what, value, message] of faults)
    it(`with ${what} is refused with its place`, () => {
      if (typeof message === 'string') assert.equal(faultOf(value), message);
      else assert.match(faultOf(value), message);
    });

  it('of a later version is taken, and what is not known is named and left out', () => {
    const later = {
      ...good,
      models: { ...good.models, reviewers: ['x'] },
      drivingSessionRetries: [{ modelId: 'x', retries: 3 }],
      tasks: Object.fromEntries(Object.entries(good.tasks).map(([name, task]) => [name, { ...task, mood: 'calm' }])),
      theme: {},
    };
    const unknown: string[] = [];
    const entry = validateEntry(later, ({ message }) => void unknown.push(message));
    const tasks = Object.keys(good.tasks).map((name) => `entry.tasks[${JSON.stringify(name)}].mood`);
    assert.deepEqual(
      unknown,
      ['entry.models["reviewers"]', ...tasks, 'entry.theme'].map(
        (path) => `${path}: is not known to this version of Tapline, and is left out`,
      ),
    );
    assert.deepEqual(entry, { ...validateEntry(good), drivingSessionRetries: later.drivingSessionRetries });
    // A fault is none the less one, in what is left.
    assert.throws(() => validateEntry({ ...later, models: { reviewers: ['x'] } }), /^EntryError|entry\.models\.driving: /);
  });

  it('of any depth is refused before it is read', () => {
    let work: unknown = ref('a');
    for (let depth = 0; depth < 50_000; depth++) work = { kind: 'Seq', works: [work] };
    assert.match(faultOf(withWork(work)), /^entry: is nested more than 200 levels deep$/);
    const circle: { self?: unknown } = {};
    circle.self = circle;
    assert.match(faultOf(circle), /nested more than/);
    // The same part in two places, again and again, is 2^100 parts for whoever counts them.
    let shared: unknown = [];
    for (let depth = 0; depth < 100; depth++) shared = [shared, shared];
    assert.match(faultOf({ ...good, grid: shared }), /^entry\.grid/);
  });

  it('may name things like parts of objects', () => {
    const entry = validateEntry({
      ...good,
      tasks: { constructor: { ...b, model: { category: 'toString' } } },
      models: { driving: 'm', toString: 'n' },
      jobs: { valueOf: { work: ref('constructor') } },
      grid: [{ keyword: 'k', jobs: [{ name: 'n', jobName: 'valueOf' }] }],
    });
    assert.deepEqual(Object.keys(entry.jobs), ['valueOf']);
  });
});

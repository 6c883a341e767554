import assert from 'node:assert/strict';
import type { RunLimits } from '../entry/entry.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import { jobDefinition } from '../runs/jobDefinition.ts';
import type { JobState, QueuePlace } from '../runs/jobState.ts';
import { reduceTask, type TaskState } from '../runs/taskState.ts';
import { queuePlan } from './queuePlan.ts';

const task = (more: object) => ({ prompt: ['go'], requireUserInput: false, model: { category: 'driving' }, ...more });
const condition = {
  ...{ condition: ['Say job_boolean_true.'], runConditionInSameSession: false },
  failureAction: { retryTimes: 0 },
};
const entry = validateEntry({
  models: { driving: 'big', cheap: 'small' },
  promptVariables: {},
  hosts: { 'build box': { folder: '/srv/code' } },
  tasks: {
    big: task({}),
    small: task({ model: { category: 'cheap' } }),
    own: task({ model: { id: 'mine' } }),
    checked: task({ model: { category: 'cheap' }, criteria: condition }),
    far: task({ host: 'build box' }),
  },
  jobs: {
    ...Object.fromEntries(['big', 'small', 'own', 'checked', 'far'].map((taskId) => [taskId, { work: { kind: 'Ref', taskId } }])),
    over: { work: { kind: 'Ref', taskId: 'small', modelOverride: { id: 'mine' } } },
    both: {
      work: {
        kind: 'Seq',
        works: [
          { kind: 'Ref', taskId: 'big' },
          { kind: 'Ref', taskId: 'small' },
        ],
      },
    },
  },
  grid: [],
});

const NOW = 1_000_000;
let count = 0;
function run(jobName: string, workingDirectory = '/w', more: Partial<JobState> = {}): JobState {
  const definition = jobDefinition(entry, jobName);
  assert.ok(definition);
  const jobId = `${String(++count).padStart(8, '0')}-0000`;
  return {
    jobId,
    definition,
    userInput: '',
    workingDirectory,
    status: 'Executing',
    attempt: 1,
    startedAt: 0,
    failedSteps: [],
    steps: [],
    ...more,
  };
}
const queued = (jobName: string, workingDirectory = '/w', queue: Partial<QueuePlace> = {}) =>
  run(jobName, workingDirectory, { queue: { since: count, ...queue } });
/** What each of the runs that are queued waits for. */
const reasons = (runs: JobState[], limits: RunLimits, tasks: TaskState[] = []) => [...queuePlan({ runs, tasks }, limits, NOW).values()];

describe('the queue of runs', () => {
  beforeEach(() => (count = 0));

  it('lets all begin where there is no limit', () => {
    assert.deepEqual(reasons([run('big'), queued('big'), queued('big')], {}), [undefined, undefined]);
  });

  it('lets so many work in a folder, and says which run is in the way', () => {
    const first = run('big', '/w/');
    assert.deepEqual(reasons([first, queued('small'), queued('big', '/other')], { perFolder: 1 }), [
      'waits for run 00000001 (big) in this folder',
      undefined,
    ]);
    assert.deepEqual(reasons([run('big'), run('big'), queued('small')], { perFolder: 2 }), [
      'waits for one of these in this folder, of which there may be 2: run 00000004 (big), run 00000005 (big)',
    ]);
    assert.deepEqual(reasons([run('big'), run('big'), run('big'), run('big'), queued('small')], { perFolder: 2 }), [
      'waits until 3 of these in this folder have ended: run 00000007 (big), run 00000008 (big), run 00000009 (big) and 1 more',
    ]);
  });

  it('takes the folder at another host for another one', () => {
    assert.deepEqual(reasons([run('far', '/a'), queued('far', '/b'), queued('big', '/srv/code')], { perFolder: 1 }), [
      'waits for run 00000001 (far) in its folder at the agent host build box',
      undefined,
    ]);
  });

  it('counts all models of a run: of its tasks, of overrides, and the one that checks conditions', () => {
    const waits = (jobName: string, id: string) => reasons([run('both'), run('own'), queued(jobName)], { perModel: { [id]: 1 } })[0];
    assert.match(waits('small', 'small') ?? '', /^waits for run \d+ \(both\) with the model small$/);
    assert.match(waits('checked', 'big') ?? '', /\(both\) with the model big/);
    assert.match(waits('over', 'mine') ?? '', /\(own\) with the model mine/);
    assert.equal(waits('over', 'small'), undefined);
    assert.equal(waits('small', 'big'), undefined);
  });

  it('counts a task that runs alone, in the folder and with the model of its session', () => {
    const alone = (more: object = {}) => {
      const given = {
        at: 0,
        taskId: '0000000a-0000',
        taskName: 'tidy',
        model: 'big',
        borrowedSessionId: 's',
        sessionModel: 'small',
        ...more,
      };
      const started = reduceTask(undefined, { type: 'taskStarted', ...given });
      assert.ok(started);
      return started;
    };
    const task = alone({ folder: '/w/' });
    assert.deepEqual(reasons([queued('big'), queued('big', '/other')], { perFolder: 1 }, [task]), [
      'waits for task 0000000a (tidy) in this folder',
      undefined,
    ]);
    assert.deepEqual(reasons([queued('small'), queued('big')], { perModel: { small: 1, big: 1 } }, [task]), [
      'waits for task 0000000a (tidy) with the model small',
      undefined,
    ]);
    assert.deepEqual(reasons([run('big'), queued('small')], { perFolder: 1 }, [task]), [
      'waits until 2 of these in this folder have ended: run 00000005 (big), task 0000000a (tidy)',
    ]);
    const over = reduceTask(task, { at: 1, type: 'taskSucceeded', taskId: task.taskId });
    assert.deepEqual(reasons([queued('big')], { perFolder: 1 }, over && [over]), [undefined]);
    // Its session is where the host wants it, or an older version has recorded it.
    assert.deepEqual(reasons([queued('big')], { perFolder: 1 }, [alone()]), [undefined]);
  });

  it('keeps the order among those that need the same', () => {
    const runs = [queued('big'), queued('big'), queued('big', '/other')];
    assert.deepEqual(reasons(runs.toReversed(), { perFolder: 1 }), [undefined, 'waits for run 00000001 (big) in this folder', undefined]);
    // The second waits for the folder, and the third must not take the model before it.
    assert.deepEqual(reasons([run('small'), queued('big'), queued('big', '/other')], { perFolder: 1, perModel: { big: 1 } }), [
      'waits for run 00000004 (small) in this folder',
      'waits for run 00000005 (big) with the model big, before it in the queue',
    ]);
  });

  it('lets none begin before its time, and none wait for one whose time has not come', () => {
    const [early, late] = reasons([queued('big', '/w', { notBefore: NOW + 60_000 }), queued('big')], { perFolder: 1 });
    assert.match(early ?? '', /^waits until 1970-01-01 \d\d:\d\d$/);
    assert.equal(late, undefined);
    assert.deepEqual(reasons([queued('big', '/w', { notBefore: NOW })], { perFolder: 1 }), [undefined]);
  });

  it('counts only what runs', () => {
    const ended = run('big', '/w', { status: 'Stopped', endedAt: 1, queue: { since: 0, until: 1 } });
    assert.deepEqual(reasons([ended, run('big', '/w', { status: 'Failed' }), queued('big')], { perFolder: 1 }), [undefined]);
    assert.equal(
      reasons([run('big', '/w', { queue: { since: 0, until: 1 } }), queued('big')], { perFolder: 1 })[0]?.slice(0, 9),
      'waits for',
    );
  });
});

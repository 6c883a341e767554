import assert from 'node:assert/strict';
import { generateChartNodes } from '../../portal/chart/generateChartNodes.ts';
import { normalWork } from '../../portal/entry/normalWork.ts';
import type { GivenWork } from '../../portal/entry/work.ts';
import { type JobStatus, jobStatus, type StepRun } from './jobData.ts';
import { spokenChanges, stepOfInterest, stepViews } from './jobSteps.ts';

const ref = (taskId: string): GivenWork => ({ kind: 'Ref', taskId });
const loop: GivenWork = { kind: 'Seq', works: [{ kind: 'Loop', postCondition: [false, ref('good?')], body: ref('try') }, ref('report')] };
const chart = (work: GivenWork) => jobStatus.shape.chart.parse(generateChartNodes(normalWork(work)));
const run = (workId: number, status: StepRun['status'], more: Partial<StepRun> = {}): StepRun => ({
  ...{ step: `${workId}#0`, workId, taskName: 'a', status, startedAt: 1000 },
  ...(status !== 'Executing' && { endedAt: 4000 }),
  ...more,
});
const shown = (work: GivenWork, runs: StepRun[]) =>
  stepViews(chart(work), runs, 6000).map(({ name, statusText, elapsed }) => [name, statusText, elapsed]);

describe('the steps of a job', () => {
  it('have the status of their last run, and how long it took or takes', () => {
    const works: GivenWork = { kind: 'Seq', works: [ref('a'), ref('b'), ref('c')] };
    assert.deepEqual(shown(works, [run(0, 'Failed'), run(0, 'Succeeded'), run(1, 'Executing')]), [
      ['a', 'Succeeded', '3 s'],
      ['b', 'Running', '5 s'],
      ['c', 'Not started', undefined],
    ]);
    // The clock of another computer may be behind.
    assert.equal(stepViews(chart(ref('a')), [run(0, 'Executing')], 0)[0]?.elapsed, '0 s');
  });

  it('wait for the user with a session that does', () => {
    const task = { model: 'm', decisions: [], sessions: [{ sessionId: 's', status: 'Running' as const }] };
    const status = (one: StepRun) => stepViews(chart(ref('a')), [one], 0, new Set(['s']))[0]?.statusText;
    assert.equal(status(run(0, 'Executing', { task })), 'Waits for you');
    assert.equal(status(run(0, 'Executing')), 'Running');
    assert.equal(status(run(0, 'Stopped', { task })), 'Stopped');
  });

  it('have the agent host of their last run, on one line', () => {
    const task = { host: 'far\u202e\n', model: 'm', decisions: [], sessions: [] };
    assert.equal(stepViews(chart(ref('a')), [run(0, 'Executing', { task })], 0)[0]?.host, 'far');
    assert.equal(stepViews(chart(ref('a')), [run(0, 'Executing')], 0)[0]?.host, undefined);
  });

  it('say that nothing has happened in them for a while', () => {
    const task = { model: 'm', decisions: [], sessions: [], stalledSince: 0 };
    assert.equal(stepViews(chart(ref('a')), [run(0, 'Executing', { task })], 1_200_000)[0]?.stalled, 'nothing has happened for 20 min');
    assert.equal(stepViews(chart(ref('a')), [run(0, 'Executing')], 0)[0]?.stalled, undefined);
  });

  it('that are done again have not started, until they do', () => {
    assert.deepEqual(shown(ref('a'), [run(0, 'Failed', { redone: true })]), [['a', 'Not started', undefined]]);
    assert.deepEqual(shown(ref('a'), [run(0, 'Failed', { redone: true }), run(0, 'Executing')]), [['a', 'Running', '5 s']]);
  });

  it('that are conditions have answers, and fail only in a crash', () => {
    const alt: GivenWork = { kind: 'Alt', condition: ref('c') };
    assert.deepEqual(shown(alt, [run(0, 'Failed')])[0]?.[1], 'Answered: false');
    assert.deepEqual(shown(alt, [run(0, 'Succeeded')])[0]?.[1], 'Answered: true');
    assert.deepEqual(shown(alt, [run(0, 'Failed', { crashError: 'x' })])[0]?.[1], 'Failed');
    assert.deepEqual(shown(alt, [run(0, 'Stopped')])[0]?.[1], 'Stopped');
  });

  it('say what follows them, through everything that only joins', () => {
    const next = (work: GivenWork) => stepViews(chart(work), [], 0).map(({ name, next: text }) => `${name}: ${text}`);
    assert.deepEqual(next(loop), ['try: good?', 'good?: false: back to try; true: report', 'report: the end']);
    assert.deepEqual(next({ kind: 'Seq', works: [ref('a'), { kind: 'Par', works: [ref('b'), ref('c')] }, ref('d')] }), [
      'a: b beside c',
      'b: d, once all beside it have ended',
      'c: d, once all beside it have ended',
      'd: the end',
    ]);
    const twoSteps: GivenWork = { kind: 'Seq', works: [ref('b'), ref('c')] };
    assert.deepEqual(next({ kind: 'Alt', condition: twoSteps, falseWork: ref('d') }), ['b: c', 'c: true: the end, false: d', 'd: the end']);
  });

  it('of interest are what runs, what failed, what ran last, the first', () => {
    const interest = (...runs: StepRun[]) => stepOfInterest(stepViews(chart(loop), runs, 0), runs)?.name;
    assert.equal(interest(run(1, 'Failed'), run(0, 'Executing')), 'good?');
    assert.equal(interest(run(1, 'Succeeded'), run(2, 'Failed')), 'report');
    assert.equal(interest(run(1, 'Succeeded'), run(0, 'Failed')), 'good?');
    assert.equal(interest(), 'try');
  });

  it('are told to a screen reader once, when they change', () => {
    const state = (status: JobStatus['status'], ...steps: StepRun[]): JobStatus => ({
      ...{ jobId: 'j', jobName: 'Build', status, attempt: 1, startedAt: 0, workingDirectory: '/', userInput: '' },
      ...{ steps, chart: chart({ kind: 'Alt', condition: ref('c') }) },
    });
    const running = state('Executing', run(0, 'Executing', { taskName: 'c\u202e' }));
    assert.equal(spokenChanges(state('Executing'), running), 'c: Running.');
    assert.equal(spokenChanges(running, running), '');
    const ended = state('Succeeded', run(0, 'Failed', { taskName: 'c' }));
    assert.equal(spokenChanges(running, ended), 'c: Answered: false. The job Build: Succeeded.');
    const many = Array.from({ length: 50 }, (_, at) => run(0, 'Executing', { step: `0#${at}` }));
    assert.equal(spokenChanges(state('Executing'), state('Executing', ...many)).length, 'a: Running. '.length * 5 - 1);
  });
});

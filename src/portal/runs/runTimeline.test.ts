import assert from 'node:assert/strict';
import type { JobDefinition } from './jobDefinition.ts';
import { reduceJob, type JobState } from './jobState.ts';
import type { RunEvent } from './runEvents.ts';
import { timeline, timelineMarkdown } from './runTimeline.ts';

const two = { jobName: 'Two: steps' } as JobDefinition;
const started = { at: 1, type: 'jobStarted', jobId: '0123456789', definition: two, userInput: '', workingDirectory: '/w' } as RunEvent;
const state = (...events: RunEvent[]) => [started, ...events].reduce<JobState | undefined>(reduceJob, undefined) ?? assert.fail();

const work = { kind: 'Ref', taskId: 'a', workIdInJob: 0 } as const;
const definition = { jobName: 'job', requireUserInput: false, work, tasks: {}, models: {} };
const of = { workId: 0, step: '0#0' } as const;
const events: RunEvent[] = [
  { at: 1, type: 'jobStarted', jobId: 'j', definition, userInput: 'in', workingDirectory: '/w' },
  { at: 2, type: 'workStarted', ...of, taskId: 't1', taskName: 'a' },
  { at: 3, type: 'jobPausing', by: 'the command line' },
  { at: 4, type: 'workStopped', ...of, taskId: 't1', succeeded: false },
  { at: 5, type: 'jobPaused' },
  {
    at: 6,
    type: 'jobContinued',
    redo: ['0#0'],
    by: 'the portal’s page',
    edit: { workId: 0, taskName: 'a', prompt: 'x'.repeat(600), userInput: 'out' },
  },
  { at: 7, type: 'workStarted', ...of, taskId: 't2', taskName: 'a' },
  { at: 8, type: 'jobStopped', by: 'a program over HTTP' },
  { at: 9, type: 'jobContinued', redo: [], skipped: ['0#0'], by: 'the command line' },
  { at: 10, type: 'jobSucceeded' },
  { at: 11, type: 'resultChanged', did: 'discarded', by: 'the portal’s page', files: ['a.txt'] },
  { at: 12, type: 'resultChanged', did: 'committed', by: 'me', files: ['b.txt'], more: 2, branch: 'night', commit: 'abc', folder: '/w' },
  { at: 13, type: 'resultChanged', did: 'pushed', by: 'me', branch: 'night', commit: 'abc', address: 'https://forge.example/o/r' },
  { at: 14, type: 'resultChanged', did: 'opened', by: 'me', branch: 'night', address: 'https://forge.example/o/r/pull/1' },
];

describe('the timeline of a run', () => {
  const step = (workId: number, name: string, at: number, succeeded: boolean) => {
    const taskId = `t${workId}`;
    const key = { workId, step: `${workId}#0` as const, taskId };
    return [
      { at, type: 'workStarted', ...key, taskName: name },
      { at: at + 1, type: 'workStopped', ...key, succeeded },
    ] as unknown as RunEvent[];
  };
  const continuedWith = (redo: string[], end: RunEvent, ...steps: RunEvent[]) =>
    timeline(state(...steps, end, { at: 9, type: 'jobContinued', redo } as RunEvent))
      .map(({ text }) => text)
      .filter((text) => text.includes('went on'));

  it('says how a run went on: from what failed, or from a step that had succeeded', () => {
    const failed = { at: 8, type: 'jobFailed', failedSteps: ['1#0'] } as unknown as RunEvent;
    const [build, check] = [step(0, 'build', 2, true), step(1, 'check', 4, false)];
    assert.deepEqual(continuedWith(['1#0'], failed, ...build, ...check), [
      'The job went on from the steps that had no answer or had failed.',
    ]);
    assert.deepEqual(continuedWith(['1#0', '0#0'], failed, ...build, ...check), [
      'The job went on from the step "build", which was done again with what came after it.',
    ]);
  });

  it('has no links as Markdown', () => {
    const { fileName, markdown } = timelineMarkdown({
      ...state(),
      userInput: 'see http://evil.example/a, WWW.evil.example and me@evil.example, or [this](http://evil.example)',
    });
    assert.equal(fileName, 'Two-steps-01234567.md');
    assert.ok(
      markdown.includes(
        String.raw`see http\://evil.example/a, WWW\.evil.example and me\@evil.example, or \[this\]\(http\://evil.example\)`,
      ),
      markdown,
    );
  });

  it('has what people did to it, and who they were', () => {
    const state = events.reduce<JobState | undefined>(reduceJob, undefined) as JobState;
    assert.deepEqual(
      timeline(state)
        .filter(({ kind }) => kind === 'answer')
        .map(({ at, text, taskName }) => [at, text, taskName]),
      [
        [3, 'The job is to pause after the steps that run, by the command line.', undefined],
        [6, 'The input of the step is "out" from now on, by the portal’s page.', 'a'],
        [6, `The prompt of the step is "${'x'.repeat(500)}…" from now on, by the portal’s page.`, 'a'],
        [6, 'The job went on from the steps that had no answer or had failed, by the portal’s page.', undefined],
        [8, 'The job was stopped, by a program over HTTP.', undefined],
        [9, 'The job went on from the steps that had no answer or had failed, by the command line.', undefined],
        [9, 'The step was skipped and counts as done, by the command line.', 'a'],
        [11, 'Changes were discarded, by the portal’s page: a.txt.', undefined],
        [12, 'abc was committed on the branch night in /w, by me: b.txt and 2 more.', undefined],
        [13, 'The branch night was pushed to https://forge.example/o/r at abc, by me.', undefined],
        [14, 'A pull request was opened for the branch night, by me: https://forge.example/o/r/pull/1', undefined],
      ],
    );
    assert.deepEqual(
      timeline(state).flatMap(({ at, kind, text }) => (kind === 'run' || (kind === 'step' && at === 8) ? [[at, text]] : [])),
      [
        [1, 'The job "job" began in /w.'],
        [5, 'The job was paused: the steps that ran have ended, and nothing new was started.'],
        [8, 'The step was stopped.'],
        [10, 'The job succeeded.'],
      ],
    );
  });
});

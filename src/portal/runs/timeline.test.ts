import assert from 'node:assert/strict';
import type { JobDefinition } from './jobDefinition.ts';
import { reduceJob, type JobState } from './jobState.ts';
import type { RunEvent } from './runEvents.ts';
import { timeline, timelineMarkdown } from './timeline.ts';

const definition = { jobName: 'Two: steps' } as JobDefinition;
const started = { at: 1, type: 'jobStarted', jobId: '0123456789', definition, userInput: '', workingDirectory: '/w' } as RunEvent;
const state = (...events: RunEvent[]) => [started, ...events].reduce<JobState | undefined>(reduceJob, undefined) ?? assert.fail();

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
});

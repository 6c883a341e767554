import assert from 'node:assert/strict';
import type { StepState } from '../runs/jobState.ts';
import { descriptionOf, titleOf } from './requestText.ts';

const definition = {
  jobName: 'Night *work*',
  requireUserInput: false,
  work: { kind: 'Ref', taskId: 'a', workIdInJob: 0 },
  tasks: {},
  models: {},
} as const;
const step = (taskName: string, more: Partial<StepState> = {}): StepState => ({
  ...{ step: '0#0', workId: 0, taskId: 't', taskName, status: 'Succeeded', startedAt: 1 },
  ...more,
});

describe('what a pull request says of a run', () => {
  it('is its input or its name, and what it has done', () => {
    assert.equal(titleOf(' ', definition.jobName), 'Night *work*');
    assert.equal(titleOf(`Do\nit ${'x'.repeat(100)}`, definition.jobName).length, 72);
    const steps = [
      step('edit', { redone: true, status: 'Failed' }),
      step('edit'),
      step('check\n# @me', { status: 'Failed' }),
      step('late', { skipped: { at: 1, by: 'b', was: 'Failed' } }),
    ];
    assert.equal(
      descriptionOf({ jobId: '0123456789', definition, userInput: 'Do\r\nit\n', steps }),
      [
        ...[String.raw`By the job Night \*work\* of Tapline, run 01234567.`, '', '> Do', '> it', '', 'Steps:', ''],
        ...['- edit', String.raw`- check \# \@me (failed)`, '- late (skipped)'],
      ].join('\n'),
    );
  });

  it('is bounded', () => {
    const steps = Array.from({ length: 1_000 }, () => step('x'.repeat(10_000)));
    const text = descriptionOf({ jobId: '0123456789', definition, userInput: 'y'.repeat(1_000_000), steps });
    assert.ok(text.length < 8_000, String(text.length));
    assert.ok(text.endsWith('- and 950 more'));
  });
});

import assert from 'node:assert/strict';
import type { Trial, TrialPrompt, TrialStep } from './trial.ts';
import { promptTitle, scriptText, trialEnd } from './trialEnd.ts';

const prompt: TrialPrompt = {
  ...{ kind: 'work', retry: 0, model: 'm', isNewSession: true, text: '', isCut: false },
  ...{ calls: [], isOverLimit: false, decisions: [] },
};

describe('the words of a trial', () => {
  it('say how it ends, and why', () => {
    const steps = [
      { taskName: 'look', status: 'Failed', reason: 'it was dark' },
      { taskName: 'go', status: 'Succeeded' },
    ] as TrialStep[];
    const end = (trial: Partial<Trial>) => trialEnd({ steps, ...trial } as Trial);
    assert.equal(end({ status: 'Succeeded' }), 'With a script in place of its models it would succeed after 2 steps.');
    assert.equal(
      end({ status: 'Failed', reason: 'its work failed' }),
      'With a script in place of its models it would fail after 2 steps. “look” failed: it was dark.',
    );
    const reason = 'criteria.toolExecuted ["job_prepare_document"] failed: job_prepare_document was not called in the last round.';
    assert.equal(
      end({ status: 'Failed', reason: 'its work failed', steps: [{ taskName: 'look', status: 'Failed', reason } as TrialStep] }),
      'With a script in place of its models it would fail after 1 step. “look” failed: Criteria not met: job_prepare_document was not called in the last round.',
    );
    assert.equal(
      end({ status: 'Failed', reason: 'a loop has run 3 times' }),
      'With a script in place of its models it would fail after 2 steps. A loop has run 3 times.',
    );
    assert.equal(
      end({ status: 'Stopped', reason: 'The trial was stopped.' }),
      'With a script in place of its models it was stopped after 2 steps. The trial was stopped.',
    );
  });

  it('say what a prompt is and what the script does', () => {
    assert.equal(promptTitle(prompt), 'Prompt, to a new session of m:');
    assert.equal(promptTitle({ ...prompt, retry: 2, isNewSession: false }), 'Prompt of retry 2, to the same session of m:');
    assert.equal(promptTitle({ ...prompt, kind: 'availability' }), 'Asked first, whether it may run, to a new session of m:');
    assert.equal(promptTitle({ ...prompt, kind: 'criteria' }), 'Asked then, whether it has succeeded, to a new session of m:');
    assert.equal(scriptText(prompt), 'The script calls nothing.');
    assert.equal(scriptText({ ...prompt, isOverLimit: true }), 'The script reaches a limit.');
    const calls = [
      { tool: 'a', argument: 'x', waits: true },
      { tool: 'b', argument: 'y', waits: false },
    ];
    assert.equal(scriptText({ ...prompt, calls }), 'The script calls a with x (would wait for a person), b with y.');
  });
});

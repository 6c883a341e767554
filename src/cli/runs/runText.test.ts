import assert from 'node:assert/strict';
import { runText } from './runText.ts';

const used = { modelCalls: 2, toolCalls: 0, inputTokens: 30_000, outputTokens: 500, ms: 90_000 };

describe('a run in a terminal', () => {
  it('says what it and each of its steps have used, and what stalls', () => {
    const step = { step: '0#0', workId: 0, taskId: 't', taskName: 'a', status: 'Executing', startedAt: 0 };
    const text = runText(
      {
        ...{ jobId: 'j', jobName: 'Build', status: 'Executing', startedAt: 0, workingDirectory: '/w', userInput: '', used },
        steps: [{ ...step, task: { decisions: [], used, stalledSince: 60_000 } }],
      },
      1_260_000,
    );
    assert.match(text, /^ {2}Used: 2 model calls · 30,500 tokens · 1 min 30 s of work$/m);
    assert.match(text, /^ {9}Used: 2 model calls · 30,500 tokens · 1 min 30 s of work\n {9}Stalled: nothing has happened for 20 min$/m);
  });

  it('says nothing of what an older version has run', () => {
    const text = runText({ taskId: 't', taskName: 'a', status: 'Succeeded', startedAt: 0, endedAt: 1000, decisions: [] }, 0);
    assert.doesNotMatch(text, /Used|Stalled/);
  });
});

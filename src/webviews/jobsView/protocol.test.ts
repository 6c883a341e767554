import assert from 'node:assert/strict';
import { parseJobsViewMessage } from './protocol.ts';

describe('A message of the Jobs view', () => {
  const start = { type: 'start', jobName: 'a', folder: '/w', userInput: 'x\ny', revision: 'a1' } as const;

  it('is what the page may post', () => {
    for (const message of [
      { type: 'ready' },
      { type: 'show' },
      { type: 'show', jobId: 'a-1' },
      { type: 'stop', jobId: 'a' },
      { type: 'continue', jobId: 'a', loopCap: 7 },
      start,
    ])
      assert.deepEqual(parseJobsViewMessage(message), message);
    assert.deepEqual(parseJobsViewMessage({ type: 'ready', more: 1 }), { type: 'ready' });
  });

  it('is nothing else: no path, and no folder that would be read as input', () => {
    const odd = [
      undefined,
      { type: 'exec' },
      { type: 'show', jobId: '../stop' },
      { type: 'stop' },
      { type: 'continue', jobId: 'a/b' },
      { ...start, folder: '/w\n/x' },
      { ...start, userInput: 5 },
      { ...start, revision: 'a"\r\nX: y' },
      { type: 'continue', jobId: 'a', loopCap: 0 },
      { ...start, jobName: 'x'.repeat(1_000_001) },
    ];
    for (const message of odd) assert.equal(parseJobsViewMessage(message), undefined, JSON.stringify(message)?.slice(0, 80));
  });
});

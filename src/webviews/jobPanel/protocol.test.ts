import assert from 'node:assert/strict';
import { parseJobPageMessage } from './protocol.ts';

describe('A message of the page of a job', () => {
  const start = { type: 'start', jobName: 'a', folder: '/w', userInput: 'x\ny', revision: 'a1' } as const;

  it('is what the page may post', () => {
    for (const message of [
      { type: 'ready' },
      { type: 'openPortal' },
      { type: 'stop', jobId: 'a' },
      { type: 'continue', jobId: 'a', loopCap: 7 },
      start,
    ])
      assert.deepEqual(parseJobPageMessage(message), message);
    assert.deepEqual(parseJobPageMessage({ type: 'ready', more: 1 }), { type: 'ready' });
  });

  it('is nothing else: no path, and no folder that would be read as input', () => {
    const odd = [
      undefined,
      { type: 'exec' },
      { type: 'stop', jobId: '../stop' },
      { type: 'stop' },
      { type: 'continue', jobId: 'a/b' },
      { ...start, folder: '/w\n/x' },
      { ...start, userInput: 5 },
      { ...start, revision: 'a"\r\nX: y' },
      { type: 'continue', jobId: 'a', loopCap: 0 },
      { ...start, jobName: 'x'.repeat(1_000_001) },
    ];
    for (const message of odd) assert.equal(parseJobPageMessage(message), undefined, JSON.stringify(message)?.slice(0, 80));
  });
});

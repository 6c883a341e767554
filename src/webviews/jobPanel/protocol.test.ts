import assert from 'node:assert/strict';
import { parseJobPageMessage } from './protocol.ts';

describe('A message of the page of a job', () => {
  const start = { type: 'start', id: 1, jobName: 'a', folder: '/w', userInput: 'x\ny', revision: 'a1' } as const;

  it('is what the page may post', () => {
    for (const message of [
      { type: 'ready' },
      { type: 'openPortal' },
      { type: 'change', id: 1, jobId: 'a', change: { kind: 'continue', loopCap: 7 } },
      { type: 'stepInput', id: 2, jobId: 'a', workId: 0 },
      { type: 'showSession', id: 3, sessionId: 's', host: 'build', atCard: true },
      { type: 'result', question: 'result', id: 4, jobId: 'a', body: {} },
      { type: 'result', question: 'commit', id: 5, jobId: 'a', body: { branch: 'b', message: 'm', revision: 'r' } },
      { type: 'cancel', of: 5 },
      { type: 'showChange', id: 6, jobId: 'a', change: { sessionId: 's', file: 'f' } },
      { type: 'openFile', id: 7, jobId: 'a', file: { step: '1#0', document: 'notes.md' } },
      { type: 'openLink', address: 'https://example.org/' },
      start,
    ])
      assert.deepEqual(parseJobPageMessage(message), message);
    assert.deepEqual(parseJobPageMessage({ type: 'ready', more: 1 }), { type: 'ready' });
  });

  it('is nothing else: no path, and no folder that would be read as input', () => {
    const odd = [
      undefined,
      { type: 'exec' },
      { type: 'change', id: 1, jobId: '../stop', change: { kind: 'stop' } },
      { type: 'change', id: 1, jobId: 'a/b', change: { kind: 'continue' } },
      { type: 'change', id: 1, jobId: 'a', change: { kind: 'delete' } },
      { type: 'change', jobId: 'a', change: { kind: 'stop' } },
      { type: 'stepInput', id: 1, jobId: 'a', workId: '../0' },
      { type: 'showSession', id: 1, sessionId: 'a:/b' },
      { type: 'result', question: '../stop', id: 1, jobId: 'a', body: {} },
      { type: 'result', question: 'commit', id: 1, jobId: 'a', body: { branch: 'b' } },
      { type: 'result', question: 'result', id: 1, jobId: 'a/../b', body: {} },
      { type: 'openFile', id: 1, jobId: 'a', file: { localPath: '/etc/passwd' } },
      { type: 'openLink', address: 'command:workbench.action.quit' },
      { ...start, folder: '/w\n/x' },
      { ...start, userInput: 5 },
      { ...start, revision: 'a"\r\nX: y' },
      { ...start, jobName: 'x'.repeat(1_000_001) },
    ];
    for (const message of odd) assert.equal(parseJobPageMessage(message), undefined, JSON.stringify(message)?.slice(0, 80));
  });
});

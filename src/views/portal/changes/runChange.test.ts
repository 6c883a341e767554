import assert from 'node:assert/strict';
import { changeRequest } from './changeRequest.ts';
import { changesOffered } from './changesOffered.ts';
import { runChange } from './runChange.ts';

describe('a change of a run', () => {
  it('is asked for by its name, with what belongs to it', () => {
    assert.deepEqual(changeRequest('j/1', { kind: 'pause' }), { path: 'copilot/job/j%2F1/pause' });
    assert.deepEqual(changeRequest('j', { kind: 'continue', loopCap: 7 }), { path: 'copilot/job/j/continue', body: '{"loopCap":7}' });
    const retry = { from: '1#0', edit: { step: '2#0', prompt: 'x' } };
    assert.deepEqual(changeRequest('j', { kind: 'retry', ...retry }), { path: 'copilot/job/j/retry', body: JSON.stringify(retry) });
  });

  it('is nothing but what the portal knows', () => {
    assert.deepEqual(runChange.parse({ kind: 'skip', step: '1#0', more: 1 }), { kind: 'skip', step: '1#0' });
    const odd = [
      { kind: 'delete' },
      { kind: '../stop' },
      { kind: 'skip' },
      { kind: 'skip', step: '1/0' },
      { kind: 'steer', step: '1#0', text: 5 },
      { kind: 'continue', loopCap: 0 },
      { kind: 'retry', from: '1#0', edit: { prompt: 'x' } },
    ];
    for (const change of odd) assert.equal(runChange.safeParse(change).success, false, JSON.stringify(change));
  });

  it('is offered where it can be done', () => {
    assert.deepEqual(changesOffered({ status: 'Executing' }), ['pause', 'stop']);
    assert.deepEqual(changesOffered({ status: 'Executing', pausing: { by: 'x' } }), ['stop', 'continue']);
    for (const status of ['Failed', 'Stopped', 'Interrupted', 'Paused'] as const)
      assert.deepEqual(changesOffered({ status }), ['continue']);
    assert.deepEqual(changesOffered({ status: 'Succeeded' }), []);
    assert.deepEqual(changesOffered({ status: 'Failed', loopCap: 3 }), [], 'it needs a higher cap');
  });
});

import assert from 'node:assert/strict';
import { progressText } from './progressText.ts';

describe('progressText', () => {
  it('says what the host does, and how much of it is done', () => {
    assert.equal(progressText({ progress: 1, total: 3, message: 'Cloning' }), 'Cloning, 33 %');
    assert.equal(progressText({ progress: 7, message: 'Cloning\nnow' }), 'Cloning now');
    assert.equal(progressText({ progress: 3, total: 3 }), '100 %');
  });

  it('shows no share that is none', () => {
    for (const [progress, total] of [
      [4, 3],
      [-1, 3],
      [0, 0],
      [1, -1],
    ])
      assert.equal(progressText({ progress: progress ?? 0, ...(total !== undefined && { total }) }), '');
    assert.ok(progressText({ progress: 0, message: 'x'.repeat(1_000) }).length <= 101);
  });
});

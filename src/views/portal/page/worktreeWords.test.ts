import assert from 'node:assert/strict';
import { phrase } from '../../../base/text/phrase.ts';
import { offeredFolders, runFolders } from './worktreeWords.ts';

describe('where a job works', () => {
  it('is said before it starts, with what its steps would do to each other', () => {
    assert.deepEqual(offeredFolders({}), []);
    assert.match(
      offeredFolders({ worktree: 'run' })[0] ?? '',
      /^The run works in a Git work tree .* merged into the folder when it has succeeded\.$/,
    );
    assert.match(
      offeredFolders({ worktree: { for: 'step', merge: 'leave' } })[0] ?? '',
      /each branch that runs beside others.* left on a branch\.$/,
    );
    assert.deepEqual(offeredFolders({ warnings: ['a\nb'] }), ['a b']);
    assert.deepEqual(offeredFolders({ warnings: ['a'], words: [phrase`A\n${'b'}`] }), ['A b']);
  });

  it('is said of a run while a tree is there, and what is missing in it', () => {
    const tree = { id: 'run', path: '/t', branch: 'tapline/r/run' };
    const lines = (...worktrees: NonNullable<Parameters<typeof runFolders>[0]['worktrees']>) =>
      runFolders({ worktrees, workingDirectory: '/w' });
    assert.deepEqual(lines({ ...tree, status: 'Made', uncommitted: 1 }), [
      'It began without what is not committed in /w (1 file).',
      'Works in /t, on tapline/r/run',
    ]);
    assert.deepEqual(lines({ ...tree, status: 'Merged' }), []);
    assert.deepEqual(lines({ ...tree, status: 'Left' }), ['Left in /t, on tapline/r/run']);
    assert.deepEqual(lines({ ...tree, id: '1#0', status: 'Conflict', files: ['a', 'b'] }), ['In conflict, in a, b: /t, on tapline/r/run']);
    assert.deepEqual(runFolders({ workingDirectory: '/w' }), []);
  });
});

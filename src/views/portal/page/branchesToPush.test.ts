import assert from 'node:assert/strict';
import { branchesToPush } from './branchesToPush.ts';

describe('the branches of a run that can be pushed', () => {
  it('are those of its commits, the last one last', () => {
    const committed = (branch: string, base?: string) => ({ did: 'committed', branch, base });
    assert.deepEqual(branchesToPush({}), []);
    assert.deepEqual(
      branchesToPush({
        resultChanges: [
          committed('a', 'main'),
          committed('b'),
          { did: 'pushed', branch: 'c' },
          committed('a', 'next'),
          { did: 'discarded' },
        ],
      }),
      [{ branch: 'b' }, { branch: 'a', base: 'next' }],
    );
  });

  it('are those of work trees in which something is committed, until they are merged', () => {
    const tree = (id: string, status: string, onto?: string) => ({ id, branch: `tapline/${id}`, status, onto });
    const worktrees = [tree('run', 'Left', 'main'), tree('0#0', 'Merged'), tree('1#0', 'Conflict'), tree('2#0', 'Made')];
    const resultChanges = [
      { did: 'committed', branch: 'tapline/0#0' },
      { did: 'committed', branch: 'tapline/run' },
    ];
    const [left, conflict] = [
      { branch: 'tapline/run', base: 'main' },
      { branch: 'tapline/1#0', base: 'main' },
    ];
    assert.deepEqual(branchesToPush({ worktrees }), [left, conflict]);
    assert.deepEqual(branchesToPush({ worktrees, resultChanges }), [conflict, left]);
  });
});

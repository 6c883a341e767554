import assert from 'node:assert/strict';
import type { WorktreeState } from '../runs/worktreeState.ts';
import { placeNow } from './placeNow.ts';

const tree = (id: string, path: string, status: WorktreeState['status']): WorktreeState => ({
  ...{ id, path, folder: `${path}/part`, branch: 'b', base: 'c', madeAt: 0, at: 0, status },
});
const now = (path: string, ...worktrees: WorktreeState[]) => {
  const place = placeNow({ worktrees, workingDirectory: '/shop/part' }, path);
  return [place.path, place.tree?.path];
};

describe('where a file of a run is now', () => {
  it('is where it was, in the work tree of the run that is there', () => {
    assert.deepEqual(now('/shop/part/a'), ['/shop/part/a', undefined]);
    assert.deepEqual(now('/t/run/part/a', tree('run', '/t/run', 'Left')), ['/t/run/part/a', '/t/run']);
    assert.deepEqual(now('/t/run-again1/a', tree('run', '/t/run', 'Merged')), ['/t/run-again1/a', undefined]);
  });

  it('is the folder of the job once the tree was merged, also beside the folder', () => {
    assert.deepEqual(now('/t/run/part/a', tree('run', '/t/run', 'Merged')), ['/shop/part/a', undefined]);
    assert.deepEqual(now('/t/run/b', tree('run', '/t/run', 'Merged')), ['/shop/b', undefined]);
  });

  it('is the tree that the one of a branch was merged into, and on', () => {
    const trees = [tree('run', '/t/run', 'Made'), tree('1#0', '/t/1', 'Merged'), tree('1#0/2#0', '/t/1.2', 'Merged')];
    assert.deepEqual(now('/t/1.2/part/a', ...trees), ['/t/run/part/a', '/t/run']);
    const merged = trees.map((one): WorktreeState => ({ ...one, status: 'Merged' }));
    assert.deepEqual(now('/t/1.2/part/a', ...merged, tree('run', '/t/run-again1', 'Made')), ['/shop/part/a', undefined]);
  });
});

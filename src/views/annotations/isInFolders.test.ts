import assert from 'node:assert/strict';
import { isInFolders } from './isInFolders.ts';

describe('A file of another host', () => {
  it('is in a folder when its path goes through it', () => {
    for (const file of ['file:///w/a.ts', 'file:///w/b/../a.ts', 'file:///%77/a%20b/c', 'file:///w//a.ts'])
      assert.equal(isInFolders(file, ['x:/y', 'file:///w/']), true, file);
    const outside = [
      'file:///w',
      'file:///w2/a.ts',
      'file:///w/../a.ts',
      'file:///w/%2e%2e/a.ts',
      'file:///w/%2E%2E%2Fa.ts',
      'file://h/w/a.ts',
    ];
    for (const file of [...outside, 'x:/w/a.ts', 'a.ts', '', 'file:///w/%ff']) assert.equal(isInFolders(file, ['file:///w']), false, file);
    assert.equal(isInFolders('file:///w/a.ts', []), false);
    assert.equal(isInFolders('file:///w/a.ts', ['', 'w', '%']), false);
  });
});

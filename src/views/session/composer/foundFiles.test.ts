import assert from 'node:assert/strict';
import { bestPaths, globFor, plainName } from './foundFiles.ts';

describe('Files and folders that are found by name', () => {
  const files = ['README.md', 'src/wheel.ts', 'src/parts/small-wheel.ts', 'wheels/a.ts', 'wheels/b/c.ts'];
  const found = (name: string, limit = 20) => bestPaths(files, name, limit).map(({ path, isFolder }) => (isFolder ? `${path}/` : path));

  it('are those whose name begins with it first, then shorter ones', () => {
    assert.deepEqual(found('wheel'), ['wheels/', 'src/wheel.ts', 'src/parts/small-wheel.ts']);
    assert.deepEqual(found('SRC'), ['src/']);
    assert.deepEqual(found('parts/small'), ['src/parts/small-wheel.ts']);
    assert.deepEqual(found('wheels/'), ['wheels/b/', 'wheels/a.ts'], 'what is in a folder');
  });

  it('are all for no name, as many as wanted', () => {
    assert.equal(found('').length, 9);
    assert.deepEqual(found('', 2), ['src/', 'wheels/']);
  });

  it('are searched by a pattern in which nothing that was typed is a sign', () => {
    assert.equal(plainName('a*{b}[c]?\\d é'), 'abcdé');
    assert.equal(globFor('a.1'), '{**/*[aA].1*,**/*[aA].1*/**}');
  });
});

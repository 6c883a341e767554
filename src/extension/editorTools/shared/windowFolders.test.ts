import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WindowFolders } from './windowFolders.ts';

describe('The folders of the window', () => {
  let root: string;
  let folders: WindowFolders;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-window-')));
    for (const folder of ['one', 'two', 'elsewhere']) mkdirSync(join(root, folder));
    for (const file of ['one/a.txt', 'two/b.txt', 'elsewhere/secret.txt']) writeFileSync(join(root, file), file);
    symlinkSync(join(root, 'elsewhere', 'secret.txt'), join(root, 'one', 'link.txt'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'one', 'dir'));
    folders = new WindowFolders(() => [join(root, 'one'), join(root, 'two')]);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('have the files that are named from one of them, or in full', () => {
    assert.equal(folders.file('a.txt'), join(root, 'one', 'a.txt'));
    assert.equal(folders.file('b.txt'), join(root, 'two', 'b.txt'));
    assert.equal(folders.file(join(root, 'two', 'b.txt')), join(root, 'two', 'b.txt'));
    assert.throws(() => folders.file('c.txt'), { code: 'NOT_FOUND' });
  });

  it('do not have what lies outside, whichever way leads there', () => {
    const ways = [
      '../elsewhere/secret.txt',
      'link.txt',
      'dir/secret.txt',
      join(root, 'elsewhere', 'secret.txt'),
      '/etc/passwd',
      '..',
      'dir/new.txt',
    ];
    // A relative path may be missing in one folder and lead out of the other.
    for (const way of ways) assert.throws(() => folders.file(way), { name: 'ToolError' }, way);
    assert.throws(() => folders.file(join(root, 'one', 'link.txt')), { code: 'UNAUTHORIZED' });
    assert.throws(() => new WindowFolders(() => []).file('a.txt'), { code: 'UNAUTHORIZED' });
  });
});

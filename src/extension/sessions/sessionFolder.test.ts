import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf } from './sessionFolder.ts';

describe('The folder of a session', () => {
  let root: string;
  let project: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-folder-')));
    project = join(root, 'project');
    for (const folder of ['project/inner', 'project2', 'other']) mkdirSync(join(root, folder), { recursive: true });
    symlinkSync(join(root, 'other'), join(project, 'out'));
    symlinkSync(project, join(root, 'link'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is the innermost one that it works in', () => {
    const inner = join(project, 'inner');
    assert.equal(folderOf(project, [project, inner]), project);
    assert.equal(folderOf(join(inner, 'not there yet'), [project, inner]), inner);
    assert.equal(folderOf(join(root, 'link', 'inner'), [project]), project);
    assert.equal(folderOf(project, [join(root, 'link')]), join(root, 'link'));
  });

  it('is none for a session beside, above or elsewhere, also where a link hides that', () => {
    for (const cwd of [root, join(root, 'project2'), join(project, 'out'), join(project, '..', 'other'), '/', 'project', '', undefined])
      assert.equal(folderOf(cwd, [project]), undefined, String(cwd));
    assert.equal(folderOf(project, []), undefined);
  });
});

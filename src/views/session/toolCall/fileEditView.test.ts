import assert from 'node:assert/strict';
import { fileEditView, isTitle } from './fileEditView.ts';
import { displayPath } from '../../text/displayPath.ts';

const side = (uri: string) => ({ uri, content: { uri } });
const base = 'file:///w/app';

describe('fileEditView', () => {
  it('tells created, changed, deleted and moved apart', () => {
    const before = side('file:///w/app/src/a.ts');
    assert.equal(fileEditView({ after: before }, base).change, 'created');
    assert.equal(fileEditView({ before, after: before }, base).change, 'changed');
    assert.equal(fileEditView({ before }, base).change, 'deleted');
    const moved = fileEditView({ before, after: side('file:///w/app/lib/b.ts') }, base);
    assert.deepEqual([moved.change, moved.name, moved.folder, moved.from], ['moved', 'b.ts', 'lib', 'src/a.ts']);
  });
  it('shows paths short below the working directory and whole elsewhere', () => {
    assert.equal(displayPath('file:///w/app/a%20b.ts', base), 'a b.ts');
    assert.equal(displayPath('file:///w/app2/a.ts', base), '/w/app2/a.ts');
    assert.equal(displayPath('vscode-remote://ssh/a.ts', base), 'vscode-remote://ssh/a.ts');
    assert.equal(displayPath('file:///w/app/50%.txt', base), '50%.txt');
  });
});

describe('isTitle', () => {
  const edit = fileEditView({ after: side('file:///w/app/src/a.ts') }, base);

  it('is true for a word and the whole path', () => {
    assert.equal(isTitle('Create src/a.ts?', edit), true);
    assert.equal(isTitle('Edit src/a.ts', edit), true);
    assert.equal(isTitle('Edit /etc/a.ts?', fileEditView({ after: side('file:///etc/a.ts') }, base)), true);
  });
  it('is false for a part of the path, for more words, and for a file that is moved', () => {
    for (const title of ['Edit a.ts?', 'Edit /src/a.ts', 'Edit src/a.ts b', 'Edit lib/b.ts or src/a.ts', 'src/a.ts', ''])
      assert.equal(isTitle(title, edit), false, title);
    const moved = fileEditView({ before: side('file:///w/app/b.ts'), after: side('file:///w/app/src/a.ts') }, base);
    assert.equal(isTitle('Move src/a.ts?', moved), false);
  });
});

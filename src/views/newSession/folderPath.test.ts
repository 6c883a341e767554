import assert from 'node:assert/strict';
import { folderUri, matchingFolders, pathOfFolder, typedPath } from './folderPath.ts';

describe('a folder that is typed', () => {
  it('is the folder to list and the beginning of a name in it', () => {
    assert.deepEqual(typedPath('/home/me/pro'), { folder: '/home/me/', rest: 'pro' });
    assert.deepEqual(typedPath('/'), { folder: '/', rest: '' });
    assert.deepEqual(typedPath('C:\\Users\\me'), { folder: 'C:/Users/', rest: 'me' });
    for (const text of ['', 'home', '~/x', './x', 'C:']) assert.equal(typedPath(text), undefined, text);
  });

  it('is a URI that leads back to the same path', () => {
    assert.equal(folderUri('/home/a b/100%/#1/'), 'file:///home/a%20b/100%25/%231');
    assert.equal(folderUri('/'), 'file:///');
    assert.equal(folderUri('C:/Users/me/'), 'file:///C:/Users/me');
    for (const path of ['/home/a b/100%', '/', 'C:/Users/é']) assert.equal(pathOfFolder(folderUri(path)), path);
  });

  it('is completed with folders, hidden ones where a dot was typed', () => {
    const names = ['web', '.git', 'Work'];
    assert.deepEqual(matchingFolders(names, ''), ['web', 'Work']);
    assert.deepEqual(matchingFolders(names, 'wo'), ['Work']);
    assert.deepEqual(matchingFolders(names, '.'), ['.git']);
  });
});

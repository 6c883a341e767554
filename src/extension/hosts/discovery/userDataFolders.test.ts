import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { userDataFolders } from './userDataFolders.ts';

describe('The data folders of VS Code', () => {
  const paths = (platform: string, env: Record<string, string>, home: string, storage?: string) =>
    userDataFolders({ platform, env, home }, storage).map(({ path }) => path);

  it('are those of the platform', () => {
    assert.deepEqual(paths('linux', {}, '/home/a'), ['/home/a/.config/Code', '/home/a/.config/Code - Insiders']);
    assert.deepEqual(paths('linux', { XDG_CONFIG_HOME: '/c' }, '/home/a'), ['/c/Code', '/c/Code - Insiders']);
    assert.equal(paths('linux', { XDG_CONFIG_HOME: 'c' }, '/home/a')[0], '/home/a/.config/Code');
    assert.equal(paths('darwin', { XDG_CONFIG_HOME: '/c' }, '/Users/a')[0], '/Users/a/Library/Application Support/Code');
    assert.equal(paths('win32', { APPDATA: 'D:\\R' }, 'C:\\a')[1], 'D:\\R\\Code - Insiders');
    assert.equal(paths('win32', {}, 'C:\\a')[0], 'C:\\a\\AppData\\Roaming\\Code');
  });

  it('have that of this VS Code with them, once', () => {
    assert.equal(paths('linux', {}, '/h', '/data/User/globalStorage/tapline.tapline')[2], '/data');
    assert.equal(paths('win32', {}, 'C:\\a', 'D:\\d\\User\\profiles\\1\\globalStorage\\x')[2], 'D:\\d');
    assert.equal(paths('linux', {}, '/h', '/h/.config/Code/User/globalStorage/x').length, 2);
    assert.equal(paths('linux', {}, '/h', '/elsewhere').length, 2);
  });
});

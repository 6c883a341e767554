import assert from 'node:assert/strict';
import { foldersHere } from './foldersHere.ts';

describe('The folders of a window in which a session of this computer can work', () => {
  const folder = (scheme: string, name = scheme) => ({ uri: { scheme }, name });

  it('are those of this computer, in their order', () => {
    const [web, api] = [folder('file', 'web'), folder('file', 'api')];
    assert.deepEqual(foldersHere([web, folder('tapline-host'), api, folder('vscode-vfs')]), [web, api]);
  });

  it('are none where only files of a host, or nothing, is open', () => {
    assert.deepEqual(foldersHere([folder('tapline-host')]), []);
    assert.deepEqual(foldersHere([]), []);
    assert.deepEqual(foldersHere(undefined), []);
  });
});

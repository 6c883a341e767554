import assert from 'node:assert/strict';
import { configuredProviders } from './configured.ts';

const read = (globalValue: unknown, workspaceValue?: unknown, workspaceFolderValue?: unknown) =>
  configuredProviders({ globalValue, workspaceValue, workspaceFolderValue });

describe('Configured context providers', () => {
  it('are on, off, or have settings', () => {
    assert.deepEqual(read({ 'https://a': true, 'https://b': false, './c.mjs': { x: 1 } }).providers, [
      { uri: 'https://a', settings: {}, isUsers: true },
      { uri: 'https://b', settings: false, isUsers: true },
      { uri: './c.mjs', settings: { x: 1 }, isUsers: true },
    ]);
  });

  it('are the user’s own only where a workspace says nothing else', () => {
    const users = { same: { a: 1 }, other: { a: 1 }, off: true, on: false };
    const workspace = { same: { a: 1 }, other: { a: 2 }, off: false, on: true, new: true };
    assert.deepEqual(
      read(users, workspace).providers.map(({ uri, settings, isUsers }) => [uri, settings, isUsers]),
      [
        ['same', { a: 1 }, true],
        ['other', { a: 2 }, false],
        ['off', false, false],
        ['on', {}, false],
        ['new', {}, false],
      ],
    );
  });

  it('are what the folder says, then the workspace, and then the user', () => {
    const { providers } = read({ a: { by: 'user' } }, { a: { by: 'workspace' }, b: { by: 'workspace' } }, { b: { by: 'folder' } });
    assert.deepEqual(
      providers.map(({ settings }) => settings),
      [{ by: 'workspace' }, { by: 'folder' }],
    );
  });

  it('are said to be wrong where they are, and take nothing from others', () => {
    const { providers, problems } = read({ a: 'yes', b: null, c: [], d: true }, 'nonsense', 7);
    assert.deepEqual([providers.map(({ uri }) => uri), problems.map(({ uri }) => uri)], [['d'], ['a', 'b', 'c']]);
    assert.equal(read(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`https://${index}`, true]))).problems.length, 1);
  });

  it('may have any name', () => {
    const { providers } = read(JSON.parse('{"__proto__": true, "constructor": {"a": 1}}'), {});
    assert.deepEqual(
      providers.map(({ uri, isUsers }) => [uri, isUsers]),
      [
        ['__proto__', true],
        ['constructor', true],
      ],
    );
  });
});

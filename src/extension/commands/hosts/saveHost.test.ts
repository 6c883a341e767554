import assert from 'node:assert/strict';
import type { HostSetting } from '../../settings.ts';
import { saveHost } from './saveHost.ts';

describe('Saving a host', () => {
  const old: HostSetting = { name: 'build-box', url: 'ws://old' };
  const other: HostSetting = { name: 'other', url: 'ws://other' };

  function stored({ isFull = false } = {}) {
    let listed = [old, other];
    const tokens = new Map<string, string | undefined>([[old.url, 'before']]);
    const done: string[] = [];
    return {
      listed: () => listed,
      tokens,
      done,
      places: {
        tokens: {
          async set(url: string, token: string | undefined) {
            done.push(`${token ? 'token' : 'no token'} of ${url}`);
            if (token) tokens.set(url, token);
            else tokens.delete(url);
          },
        },
        settings: {
          hosts: () => listed,
          async setHosts(hosts: HostSetting[]) {
            if (isFull) throw new Error('The settings cannot be written.');
            done.push('settings');
            listed = hosts;
          },
        },
      },
    };
  }

  it('lists a new one behind the others, with its token there first', async () => {
    const { listed, done, places } = stored();
    const setting = { name: 'new', url: 'ws://new' };
    await saveHost({ setting, token: 'secret' }, undefined, places);
    assert.deepEqual(listed(), [old, other, setting]);
    assert.deepEqual(done, ['token of ws://new', 'settings']);
  });

  it('puts an edited one in its place, and forgets the token of its old address last', async () => {
    const { listed, done, places } = stored();
    const setting = { name: 'build-box', url: 'ws://new' };
    await saveHost({ setting, token: 'secret' }, old, places);
    assert.deepEqual(listed(), [setting, other]);
    assert.deepEqual(done, ['token of ws://new', 'settings', 'no token of ws://old']);
  });

  it('keeps the token where the address stays', async () => {
    const { tokens, places } = stored();
    await saveHost({ setting: { ...old, name: 'renamed' }, token: 'after' }, old, places);
    assert.deepEqual([...tokens], [[old.url, 'after']]);
  });

  it('loses nothing when the settings cannot be written', async () => {
    const { listed, tokens, places } = stored({ isFull: true });
    await assert.rejects(saveHost({ setting: { name: 'build-box', url: 'ws://new' }, token: 'secret' }, old, places));
    assert.deepEqual(listed(), [old, other]);
    assert.equal(tokens.get(old.url), 'before');
  });
});

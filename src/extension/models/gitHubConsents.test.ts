import assert from 'node:assert/strict';
import { GitHubConsents } from './gitHubConsents.ts';

describe('consents to give a GitHub token to a host', () => {
  let kept: Map<string, unknown>;
  const consents = () =>
    new GitHubConsents({
      get: (key: string) => structuredClone(kept.get(key)),
      update: async (key: string, value: unknown) => void kept.set(key, structuredClone(value)),
    });
  beforeEach(() => (kept = new Map()));

  it('last beyond the window, for the host and the scopes that were agreed to', async () => {
    await consents().add('ws://one', ['read:user', 'repo']);
    await consents().add('embedded', ['read:user']);
    assert.ok(consents().cover('ws://one', ['repo', 'read:user']));
    assert.ok(consents().cover('embedded', ['read:user']));
    assert.ok(!consents().cover('ws://two', ['read:user']));
  });

  it('never widen: a host that asks for more or for something else later is not covered', async () => {
    await consents().add('ws://one', ['read:user']);
    for (const scopes of [['read:user', 'repo'], ['repo'], ['read:user repo'], []])
      assert.ok(!consents().cover('ws://one', scopes), scopes.join());
    await consents().add('ws://one', ['repo']);
    assert.ok(consents().cover('ws://one', ['repo']));
    assert.ok(!consents().cover('ws://one', ['read:user', 'repo']));
  });

  it('go with their host: one that is added again is asked about again', async () => {
    await consents().add('ws://one', ['read:user']);
    await consents().add('embedded', ['read:user']);
    await consents().keepOnly(['embedded', 'ws://one', 'ws://new']);
    assert.ok(consents().cover('ws://one', ['read:user']));
    await consents().keepOnly(['embedded', 'ws://new']);
    await consents().keepOnly(['embedded', 'ws://new', 'ws://one']);
    assert.ok(!consents().cover('ws://one', ['read:user']));
    assert.ok(consents().cover('embedded', ['read:user']));
  });

  it('are none where an earlier version, or nobody, has kept something else', () => {
    for (const other of [['embedded'], { embedded: 'read:user' }, 'x', null, { embedded: [1] }]) {
      kept.set('tapline.gitHubHosts', other);
      assert.ok(!consents().cover('embedded', ['read:user']), JSON.stringify(other));
    }
    assert.ok(!consents().cover('constructor', []));
  });
});

import assert from 'node:assert/strict';
import { ModelKeys } from './modelKeys.ts';

describe('keys of the user’s own models', () => {
  let kept: Map<string, string>;
  let keys: ModelKeys;
  const model = (baseUrl: string, id = 'one') => ({ id, baseUrl });
  beforeEach(() => {
    kept = new Map();
    const notes = new Map<string, unknown>();
    keys = new ModelKeys(
      {
        get: async (name) => kept.get(name),
        store: async (name, value) => void kept.set(name, value),
        delete: async (name) => void kept.delete(name),
      },
      { get: (name) => notes.get(name), update: async (name, value) => void notes.set(name, value) },
    );
  });

  it('are given to the server that they are for, whatever its path', async () => {
    await keys.set(model('https://a.example/v1'), 'secret');
    for (const baseUrl of ['https://a.example/v1', 'https://a.example/other', 'https://a.example:443', 'https://A.example/v1'])
      assert.deepEqual(await keys.get(model(baseUrl)), { apiKey: 'secret' }, baseUrl);
    assert.equal(await keys.get(model('https://a.example/v1', 'two')), undefined);
    assert.ok([...kept.keys()].every((name) => ModelKeys.isKey(name)));
    assert.ok(!ModelKeys.isKey('tapline.host.token:ws://a'));
  });

  it('do not follow a model to another address', async () => {
    await keys.set(model('https://a.example/v1'), 'secret');
    for (const baseUrl of [
      'https://b.example/v1',
      'http://a.example/v1',
      'https://a.example:8443/v1',
      'https://a.example.b.example/v1',
      'https://a.example@b.example/v1',
      'https://b.example/https://a.example/v1',
      'file:///a.example/v1',
      'a.example',
      '',
    ])
      assert.deepEqual(await keys.get(model(baseUrl)), { otherServer: 'https://a.example' }, baseUrl);
    // Back where it belongs.
    assert.deepEqual(await keys.get(model('https://a.example/v1')), { apiKey: 'secret' });
  });

  it('are replaced with the model, and are gone with it', async () => {
    await keys.set(model('https://a.example/v1'), 'secret');
    await keys.set(model('https://b.example/v1'), 'other');
    assert.deepEqual(await keys.get(model('https://a.example/v1')), { otherServer: 'https://b.example' });
    await keys.set(model('https://b.example/v1'), undefined);
    assert.equal(await keys.get(model('https://b.example/v1')), undefined);
    await keys.set(model('https://a.example/v1'), 'secret');
    await keys.delete('one');
    assert.equal(kept.size, 0);
  });

  it('are missed where the storage has lost them', async () => {
    await keys.set(model('https://a.example/v1'), 'secret');
    kept.clear();
    assert.deepEqual(await keys.get(model('https://a.example/v1')), { isLost: true });
    await keys.delete('one');
    assert.equal(await keys.get(model('https://a.example/v1')), undefined);
  });

  it('of no known server are given to none', async () => {
    for (const text of ['secret', 'null', '1', '{"apiKey":"secret"}', '{"origin":"https://a.example"}', '"secret"']) {
      kept.set('tapline.model.key:one', text);
      const found = await keys.get(model('https://a.example/v1'));
      assert.ok(found && 'otherServer' in found, text);
      assert.ok(!JSON.stringify(found).includes('secret'));
    }
    await keys.set(model('no address'), 'secret');
    assert.ok('otherServer' in ((await keys.get(model('no address'))) ?? {}));
  });
});

import assert from 'node:assert/strict';
import { NotedSecrets } from './notedSecrets.ts';

describe('secrets whose names are noted', () => {
  let kept: Map<string, string>;
  let noted: Map<string, unknown>;
  let isFull: boolean;
  let secrets: NotedSecrets;
  beforeEach(() => {
    kept = new Map();
    noted = new Map();
    isFull = false;
    const storage = {
      get: async (key: string) => kept.get(key),
      store: async (key: string, value: string) => {
        if (isFull) throw new Error('The storage is full.');
        kept.set(key, value);
      },
      delete: async (key: string) => void kept.delete(key),
    };
    const notes = { get: (key: string) => noted.get(key), update: async (key: string, value: unknown) => void noted.set(key, value) };
    secrets = new NotedSecrets(storage, notes, { prefix: 'kind:', notes: 'names' });
  });

  it('can all be found and deleted', async () => {
    await secrets.store('one', '1');
    await secrets.store('two', '2');
    await secrets.store('one', '3');
    assert.deepEqual(secrets.names, ['one', 'two']);
    assert.equal(await secrets.get('one'), '3');
    for (const name of secrets.names) await secrets.delete(name);
    assert.deepEqual(secrets.names, []);
    assert.equal(kept.size, 0);
  });

  it('are noted before they are stored, so that none is without a note', async () => {
    isFull = true;
    await assert.rejects(secrets.store('one', '1'), /full/);
    assert.deepEqual(secrets.names, ['one']);
  });

  it('have no names where the note is of another kind', () => {
    noted.set('names', { one: true });
    assert.deepEqual(secrets.names, []);
    noted.set('names', ['one', 2]);
    assert.deepEqual(secrets.names, ['one']);
  });
});

import assert from 'node:assert/strict';
import { secretNames, withSecrets } from './secrets.ts';

const find = async (name: string) => ({ a: 'A', 'b.c-d': '${secret:a}' })[name];

describe('Secrets in the settings of a provider', () => {
  it('are put in by name, at any depth', async () => {
    const settings = { x: '${secret:a}', y: [{ z: 'Bearer ${secret:a}/${secret:a}' }], n: 1, no: null };
    assert.deepEqual(await withSecrets(settings, find), { x: 'A', y: [{ z: 'Bearer A/A' }], n: 1, no: null });
    assert.deepEqual(secretNames(settings), ['a']);
  });

  it('are never put in twice', async () => {
    assert.deepEqual(await withSecrets({ x: '${secret:b.c-d}' }, find), { x: '${secret:a}' });
  });

  it('must be there', async () => {
    await assert.rejects(withSecrets({ x: '${secret:other}' }, find), /refer to the secret “other”/);
  });
});

import assert from 'node:assert/strict';
import { takeStoreUrl } from './runsStore.ts';

describe('the address of the store', () => {
  const names = ['TAPLINE_STORE', 'PGPASSWORD'] as const;
  const before = names.map((name) => process.env[name]);
  const set = (values: readonly (string | undefined)[]) =>
    names.forEach((name, at) => {
      const value = values[at];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    });
  afterEach(() => set(before));

  it('takes the password out of the environment, where agents would get it', () => {
    set(['postgres://me@server/runs', 'a b+c&d']);
    const url = new URL(takeStoreUrl(undefined) ?? assert.fail());
    assert.equal(url.searchParams.get('password'), 'a b+c&d');
    assert.deepEqual(
      names.map((name) => process.env[name]),
      [undefined, undefined],
    );
  });

  it('keeps the password that it has', () => {
    for (const given of ['postgres://me:own@server/runs', 'postgresql:///runs?host=%2Ftmp&password=own']) {
      set([given, 'other']);
      assert.equal(takeStoreUrl(undefined), given);
      assert.equal(process.env.PGPASSWORD, undefined);
    }
  });

  it('leaves the environment alone where there is no store', () => {
    set([undefined, 'other']);
    assert.equal(takeStoreUrl(undefined), undefined);
    assert.equal(process.env.PGPASSWORD, 'other');
  });
});

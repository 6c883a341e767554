import assert from 'node:assert/strict';
import { lazy } from './lazy.ts';

describe('lazy', () => {
  it('loads when it is asked for, and once', async () => {
    let loads = 0;
    const load = lazy(() => Promise.resolve({ number: ++loads }));
    assert.equal(loads, 0);
    const [one, other] = await Promise.all([load(), load()]);
    assert.equal(one, other);
    assert.equal(await load(), one);
    assert.equal(loads, 1);
  });

  it('tries again after a failure, and for all that ask meanwhile it is the same one', async () => {
    let loads = 0;
    const load = lazy(async () => {
      loads += 1;
      await Promise.resolve();
      if (loads === 1) throw new Error('no file');
      return loads;
    });
    const both = await Promise.allSettled([load(), load()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await load(), 2);
  });
});

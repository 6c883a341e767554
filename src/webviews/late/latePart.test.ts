import assert from 'node:assert/strict';
import { LatePart } from './latePart.ts';

describe('a part of a page that is loaded late', () => {
  it('can be waited for, and is loaded once', async () => {
    let loads = 0;
    const part = new LatePart('The part', async () => ++loads);
    assert.deepEqual(await Promise.all([part.whenLoaded(), part.whenLoaded()]), [1, 1]);
    assert.equal(await part.whenLoaded(), 1);
  });

  it('says why it did not come, and is loaded again when it is wanted again', async () => {
    const { warn } = console;
    console.warn = () => undefined;
    try {
      let isThere = false;
      const part = new LatePart('The part', async () => {
        if (!isThere) throw new Error('no file');
        return 'part';
      });
      await assert.rejects(part.whenLoaded(), { message: 'The part could not be loaded: no file' });
      isThere = true;
      assert.equal(await part.whenLoaded(), 'part');
    } finally {
      console.warn = warn;
    }
  });
});

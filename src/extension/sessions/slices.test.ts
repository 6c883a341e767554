import assert from 'node:assert/strict';
import { slices } from './slices.ts';

describe('slices', () => {
  it('goes on at once while a slice lasts, and lets others work after it', async () => {
    let time = 0;
    const pause = slices(() => time);
    assert.equal(pause(), undefined);
    time = 11;
    let worked = false;
    setTimeout(() => (worked = true));
    await pause();
    assert.ok(worked);
    assert.equal(pause(), undefined, 'the next slice has begun');
  });
});

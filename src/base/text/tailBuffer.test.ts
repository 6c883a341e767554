import assert from 'node:assert/strict';
import { TailBuffer } from './tailBuffer.ts';

describe('TailBuffer', () => {
  it('gives back what fits as it is', () => {
    const buffer = new TailBuffer(10);
    for (const piece of ['abc', '', 'defg', 'hij']) buffer.push(piece);
    assert.equal(buffer.text, 'abcdefghij');
  });

  it('keeps the newest characters and says how many are missing, however they came', () => {
    for (const size of [1, 3, 7, 100]) {
      const buffer = new TailBuffer(10);
      const all = Array.from({ length: 100 }, (_, index) => String(index % 10)).join('');
      for (let at = 0; at < all.length; at += size) buffer.push(all.slice(at, at + size));
      assert.equal(buffer.text, '[90 characters of output before this are left out]\n0123456789');
      buffer.push('x');
      assert.equal(buffer.text, '[91 characters of output before this are left out]\n123456789x');
    }
  });

  it('gives what came after a position, and says how much of that is missing', () => {
    const buffer = new TailBuffer(10);
    buffer.push('abcdef');
    assert.deepEqual(buffer.from(4), { text: 'ef', next: 6 });
    assert.deepEqual(buffer.from(6), { text: '', next: 6 });
    buffer.push('ghijklmnop');
    assert.deepEqual(buffer.from(12), { text: 'mnop', next: 16 });
    assert.deepEqual(buffer.from(4), { text: '[2 characters of output before this are left out]\nghijklmnop', next: 16 });
    assert.deepEqual(buffer.from(16), { text: '', next: 16 });
  });
});

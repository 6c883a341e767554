import assert from 'node:assert/strict';
import { byteText, excerpt, sizeText } from './excerpt.ts';

describe('excerpt', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

  it('is all of a text that is short', () => {
    for (const text of [[], [''], lines(20), ['x'.repeat(1000)]]) assert.equal(excerpt(text), text);
  });

  it('is the beginning of one with many lines, or with a long one', () => {
    assert.deepEqual(excerpt(lines(21)), lines(20));
    assert.deepEqual(excerpt(['a', 'x'.repeat(1000), 'b']), ['a', 'x'.repeat(999)]);
    assert.deepEqual(excerpt([`${'x'.repeat(999)}🙂`]), ['x'.repeat(999)], 'no half characters');
  });

  it('is said with the size of the whole', () => {
    assert.equal(sizeText(['ab', 'c']), '2 lines, 4 characters');
    assert.equal(sizeText(['x'.repeat(12_345)]), '1 line, 12,345 characters');
    assert.deepEqual([1, 999, 1500, 2_340_000].map(byteText), ['1 byte', '999 bytes', '1.5 kB', '2.3 MB']);
  });
});

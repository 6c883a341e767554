import assert from 'node:assert/strict';
import { cutList, cutText } from './cutAnswer.ts';

describe('An answer of the editor', () => {
  it('says where a text was cut, and splits no character', () => {
    assert.equal(cutText('abc', 3), 'abc');
    assert.equal(cutText('abcd', 3), 'abc\n[cut: the first 3 of 4 characters]');
    assert.match(cutText('ab😀d', 3), /^ab\n/);
  });

  it('says how much of a list is missing, by number and by size', () => {
    assert.deepEqual(cutList([1, 2], 2, 'numbers'), { items: [1, 2] });
    assert.deepEqual(cutList([1, 2, 3], 2, 'numbers'), {
      items: [1, 2],
      cut: 'Only the first 2 of 3 numbers are listed. Ask for less.',
    });
    const large = Array.from({ length: 30 }, () => 'x'.repeat(10_000));
    const { items, cut } = cutList(large, 100, 'texts');
    assert.equal(items.length, 9);
    assert.match(cut ?? '', /first 9 of 30 texts/);
  });
});

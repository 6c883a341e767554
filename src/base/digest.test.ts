import assert from 'node:assert/strict';
import { digest } from './digest.ts';

describe('digest', () => {
  it('is short, and tells values apart', () => {
    const values = ['', 'a', 'b', 'ab', 'ba', 'Ā', ['a', 'b'], ['ab'], ['a', null], null, {}, 'a'.repeat(100_000)];
    const many = Array.from({ length: 20_000 }, (_, index) => `Read file ${index}?`);
    const all = [...values, ...many].map(digest);
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.every((one) => one.length <= 30));
  });

  it('is the same for equal values, and for what is no JSON', () => {
    assert.equal(digest(['a', { b: 1 }]), digest(['a', { b: 1 }]));
    assert.equal(digest(undefined), digest(undefined));
  });
});

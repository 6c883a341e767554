import assert from 'node:assert/strict';
import { printable } from './printable.ts';

describe('what another program says, in a log', () => {
  it('is one line that hides nothing and ends', () => {
    assert.equal(printable('  a\nb\u001b[2K\r\u202ec\ud800 '), 'a b [2K c');
    assert.equal(printable('x'.repeat(10_000)).length, 500);
    assert.equal(printable('abc', 2), 'a…');
    assert.equal(printable('工具 🙂'), '工具 🙂');
  });
});

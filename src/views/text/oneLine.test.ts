import assert from 'node:assert/strict';
import { oneLine } from './oneLine.ts';

describe('oneLine', () => {
  it('keeps an ordinary text', () => assert.equal(oneLine('Fix the login “redirect” 日本'), 'Fix the login “redirect” 日本'));

  it('takes out line breaks, controls and marks of direction', () => {
    assert.equal(oneLine(' a\r\n\tb\u0000c\u202ed\u2066 '), 'a b c d');
  });

  it('cuts what is long, however long it is', () => {
    assert.equal(oneLine('x'.repeat(301)), `${'x'.repeat(300)}…`);
    assert.equal(oneLine('\n'.repeat(10_000_000)), '');
    assert.equal(oneLine('abcdef', 3), 'abc…');
  });

  it('gives nothing for what is no text', () => {
    for (const value of [undefined, null, 7, {}, ['x']]) assert.equal(oneLine(value), '');
  });
});

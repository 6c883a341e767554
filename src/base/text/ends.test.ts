import assert from 'node:assert/strict';
import { firstLine, withoutEnd } from './ends.ts';

describe('The ends of a text', () => {
  it('lose the given characters, and only those at the end', () => {
    assert.equal(withoutEnd('/a//b///', '/'), '/a//b');
    assert.equal(withoutEnd('a\r\n\r\r\n', '\r\n'), 'a');
    assert.equal(withoutEnd('a b', '/'), 'a b');
    assert.equal(withoutEnd('///', '/'), '');
    assert.equal(withoutEnd('', '/'), '');
  });

  it('are found behind the first line', () => {
    assert.equal(firstLine('one\ntwo\nthree'), 'one');
    assert.equal(firstLine('one'), 'one');
    assert.equal(firstLine('\n\n'), '');
  });
});

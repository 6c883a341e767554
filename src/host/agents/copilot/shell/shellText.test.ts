import assert from 'node:assert/strict';
import { shortened, typed } from './shellText.ts';

describe('the text of shells', () => {
  it('is as it is when short, else its beginning and its end', () => {
    assert.equal(shortened('short'), 'short');
    const long = shortened(`first\n${'x'.repeat(50_000)}\nlast`);
    assert.ok(long.startsWith('first\n') && long.endsWith('\nlast') && long.length < 31_000);
    assert.equal(shortened(`x${'😀'.repeat(50_000)}`).includes('\ud83d\n'), false, 'no half characters');
    assert.match(long, /\n\[20011 characters are left out here\]\n/);
  });

  it('has names for keys', () => {
    assert.equal(typed('yes{enter}'), 'yes\r');
    assert.equal(typed('{up}{DOWN}{ctrl-c}{escape}'), '\x1b[A\x1b[B\x03\x1b');
    assert.equal(typed('a\nb\r\n'), 'a\rb\r');
    assert.equal(typed('{"a": {unknown} {toString} {ctrl-1}}'), '{"a": {unknown} {toString} {ctrl-1}}');
  });
});

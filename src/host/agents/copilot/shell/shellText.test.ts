import assert from 'node:assert/strict';
import { plainOutput, shortened, typed } from './shellText.ts';

describe('the text of shells', () => {
  it('is output without colours, cursor moves, titles and bells', () => {
    assert.equal(plainOutput('\x1b[31mred\x1b[0m\r\n\x1b]0;title\x07\x1b[2K\x07plain\ttab\r\n'), 'red\nplain\ttab\n');
    assert.equal(plainOutput('größe 😀 \u200d\r\n'), 'größe 😀 \u200d\n');
  });

  it('is of a progress line only what stands there last', () => {
    assert.equal(plainOutput('start\r\n10 %\r50 %\r100 %\r\ndone\r\r\n\rx'), 'start\n100 %\ndone\nx');
  });

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

import assert from 'node:assert/strict';
import { LineReader } from './lineReader.ts';

const secret = 'ptk-0123456789';

describe('lines of a process', () => {
  it('are joined from pieces, without empty lines and carriage returns', () => {
    const reader = new LineReader(secret);
    assert.deepEqual(reader.take('one\r\n\n tw'), ['one']);
    assert.deepEqual(reader.take('o\nthree'), [' two']);
    assert.deepEqual(reader.end(), ['three']);
    assert.deepEqual(reader.end(), []);
  });

  it('are without colours, control characters and the secret', () => {
    const reader = new LineReader(secret);
    assert.deepEqual(reader.take(`\u001b[31mred\u001b[0m\u0007\u0000 token=${secret}, again ${secret}\n`), ['red token=…, again …']);
    assert.deepEqual(reader.take(`ptk-01234`), []);
    assert.deepEqual(reader.take('56789.\n'), ['….']);
  });

  it('are cut at a maximum length, and never inside the secret', () => {
    const reader = new LineReader(secret);
    for (let at = 0; at < 1000; at++) reader.take('x'.repeat(10_000));
    const [line = ''] = reader.take('\n');
    assert.equal(line.length, 2000);
    assert.ok(line.endsWith('x…'));
    for (let before = 1980; before < 4010; before++) {
      const [cut = ''] = reader.take(`${'x'.repeat(before)}${secret}${'y'.repeat(5000)}\n`);
      assert.ok(!cut.includes('p'), `${before}: ${cut.slice(-30)}`);
    }
    assert.deepEqual(reader.take('next\n'), ['next']);
  });
});

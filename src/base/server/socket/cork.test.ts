import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { Cork } from './cork.ts';

describe('a cork', () => {
  it('has what is written before its time leave together, and holds nothing back after it', () => {
    const left: string[][] = [];
    const stream = new Duplex({
      read: () => undefined,
      write: (chunk, _encoding, done) => (left.push([String(chunk)]), done()),
      writev: (chunks, done) => (left.push(chunks.map(({ chunk }) => String(chunk))), done()),
    });
    const due: (() => void)[] = [];
    const cork = new Cork(stream, (callback) => due.push(callback));
    const write = (text: string) => {
      cork.put();
      stream.write(text);
    };
    write('a');
    write('b');
    assert.deepEqual([left, due.length], [[], 1]);
    due.shift()?.();
    assert.deepEqual(left, [['a', 'b']]);
    stream.write('c');
    assert.deepEqual(left, [['a', 'b'], ['c']]);
    write('d');
    due.shift()?.();
    assert.deepEqual(left, [['a', 'b'], ['c'], ['d']]);
  });
});

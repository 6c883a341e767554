import assert from 'node:assert/strict';
import { changeAt } from './changeAt.ts';

describe('the change at a line', () => {
  const before = 'a\nb\nc\nd\ne\nf\n';
  const after = 'a\nB\nBB\nc\nd\nf\n';
  const lines = (line: number, side: 'before' | 'after') => {
    const range = changeAt(before, after, line, side);
    return range && [range.start.line, range.end.line];
  };

  it('is all of its lines', () => {
    assert.deepEqual(
      [lines(1, 'after'), lines(2, 'after'), lines(1, 'before')],
      [
        [1, 3],
        [1, 3],
        [1, 3],
      ],
    );
    assert.deepEqual([lines(0, 'after'), lines(3, 'after'), lines(2, 'before')], [undefined, undefined, undefined]);
  });

  it('is empty where lines were only removed, and found from both neighbours', () => {
    assert.deepEqual(
      [lines(4, 'after'), lines(5, 'after'), lines(4, 'before')],
      [
        [5, 5],
        [5, 5],
        [5, 5],
      ],
    );
  });

  it('is the whole file where it was created', () => {
    assert.deepEqual(changeAt('', 'a\nb', 1, 'after'), { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } });
    assert.equal(changeAt('a\n', 'a\n', 0, 'after'), undefined);
  });
});

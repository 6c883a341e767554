import assert from 'node:assert/strict';
import { changeAt, namedLines } from './changeAt.ts';

describe('the change at a line', () => {
  const before = 'a\nb\nc\nd\ne\nf\n';
  const after = 'a\nB\nBB\nc\nd\nf\n';
  const lines = (line: number, side: 'before' | 'after') => {
    const found = changeAt(before, after, line, side);
    return found && [found.side, found.range.start.line, found.range.end.line];
  };

  it('is all of its lines', () => {
    const all = ['after', 1, 3];
    assert.deepEqual([lines(1, 'after'), lines(2, 'after'), lines(1, 'before')], [all, all, all]);
    assert.deepEqual([lines(0, 'after'), lines(3, 'after'), lines(2, 'before')], [undefined, undefined, undefined]);
  });

  it('is the old lines where lines were only removed, and found from both neighbours', () => {
    const removed = ['before', 4, 5];
    assert.deepEqual([lines(4, 'after'), lines(5, 'after'), lines(4, 'before')], [removed, removed, removed]);
  });

  it('is one of two deletions with a line between them', () => {
    const at = (line: number) => changeAt('A\nB\nC\nD\nE\n', 'A\nC\nE\n', line, 'after')?.range.start.line;
    assert.deepEqual([at(0), at(1), at(2)], [1, 1, 3]);
  });

  it('is the whole file where it was created', () => {
    assert.deepEqual(changeAt('', 'a\nb', 1, 'after'), {
      side: 'after',
      range: { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } },
    });
    assert.equal(changeAt('a\n', 'a\n', 0, 'after'), undefined);
  });

  it('is named by its lines as an editor counts them', () => {
    const named = (line: number) => namedLines(changeAt(before, after, line, 'after')!);
    assert.deepEqual([named(1), named(4)], ['lines 2 to 3', 'removed line 5']);
  });
});

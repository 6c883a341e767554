import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import { movedRange } from './movedRange.ts';

const range = (startLine: number, startCharacter: number, endLine: number, endCharacter: number): TextRange => ({
  start: { line: startLine, character: startCharacter },
  end: { line: endLine, character: endCharacter },
});

describe('movedRange', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\n';
  const moved = (from: TextRange, after: string, text = before) => {
    const { start, end } = movedRange(from, text, after) ?? from;
    return [start.line, start.character, end.line, end.character];
  };

  it('moves what is behind inserted and removed lines, and leaves what is before them', () => {
    assert.deepEqual(moved(range(2, 1, 2, 4), `zero\n${before}`), [3, 1, 3, 4]);
    assert.deepEqual(moved(range(2, 1, 2, 4), 'three\nfour\nfive\n'), [0, 1, 0, 4]);
    assert.equal(movedRange(range(1, 0, 2, 0), before, `${before}six\n`), undefined);
    assert.equal(movedRange(range(1, 0, 2, 0), before, before), undefined);
  });

  it('does not take in what is inserted right before or behind it, but what is inserted inside', () => {
    assert.deepEqual(moved(range(1, 0, 3, 0), 'one\nnew\ntwo\nthree\nfour\nfive\n'), [2, 0, 4, 0]);
    assert.deepEqual(moved(range(1, 0, 3, 0), 'one\ntwo\nthree\nnew\nfour\nfive\n'), [1, 0, 3, 0]);
    assert.deepEqual(moved(range(1, 0, 3, 0), 'one\ntwo\nnew\nthree\nfour\nfive\n'), [1, 0, 4, 0]);
  });

  it('stays in the lines that replace it, and shrinks with them', () => {
    assert.deepEqual(moved(range(1, 0, 1, 3), 'one\n2\nthree\nfour\nfive\n'), [1, 0, 1, 1]);
    assert.deepEqual(moved(range(1, 0, 4, 0), 'one\nall of it\nfive\n'), [1, 0, 2, 0]);
    assert.deepEqual(moved(range(1, 1, 3, 2), 'one\nx\nfive\n'), [1, 1, 1, 1]);
  });

  it('stays at the nearest line where its lines are gone', () => {
    assert.deepEqual(moved(range(1, 1, 2, 3), 'one\nfour\nfive\n'), [1, 0, 1, 0]);
    assert.deepEqual(moved(range(3, 0, 5, 0), 'one\ntwo\nthree\n'), [2, 5, 2, 5]);
    assert.deepEqual(moved(range(1, 1, 2, 3), ''), [0, 0, 0, 0]);
    assert.deepEqual(moved(range(0, 1, 2, 0), 'one\nthree\nfour\nfive\n'), [0, 1, 1, 0]);
  });

  it('leaves it where texts are too different to be compared', () => {
    const lines = (from: number, step: number) =>
      Array.from({ length: 2_000 }, (_, index) => `${(from + index * step) % 2_003}\n`).join('');
    assert.equal(movedRange(range(1, 0, 2, 0), lines(0, 1), lines(0, 7)), undefined);
  });

  const text = fc.array(fc.constantFrom('a\n', 'bb\n', 'ccc\r\n', '\n', 'd'), { maxLength: 12 }).map((lines) => lines.join(''));
  const lineCount = (of: string) => of.split('\n').length;
  const rangeIn = (of: string) =>
    fc.tuple(fc.nat(lineCount(of)), fc.nat(4), fc.nat(lineCount(of)), fc.nat(4)).map(([a, b, c, d]) => {
      const isForward = a < c || (a === c && b <= d);
      return isForward ? range(a, b, c, d) : range(c, d, a, b);
    });

  it('is always a range, and not far outside the text', () => {
    const cases = fc.tuple(text, text).chain(([old, fresh]) => fc.tuple(fc.constant(old), fc.constant(fresh), rangeIn(old)));
    fc.assert(
      fc.property(cases, ([old, fresh, from]) => {
        const { start, end } = movedRange(from, old, fresh) ?? from;
        const numbers = [start.line, start.character, end.line, end.character];
        assert.ok(numbers.every((each) => Number.isSafeInteger(each) && each >= 0));
        assert.ok(start.line < end.line || (start.line === end.line && start.character <= end.character));
        const overhang = Math.max(0, from.end.line - lineCount(old) + 1);
        if (movedRange(from, old, fresh)) assert.ok(end.line <= lineCount(fresh) + overhang);
      }),
    );
  });

  it('is at the same lines again after they were moved back and forth', () => {
    fc.assert(
      fc.property(fc.nat({ max: 8 }), fc.nat({ max: 3 }), fc.nat({ max: 20 }), (line, more, added) => {
        const old = Array.from({ length: 12 }, (_, index) => `line ${index}\n`).join('');
        const fresh = 'new\n'.repeat(added) + old;
        const from = range(line, 0, line + more + 1, 0);
        const there = movedRange(from, old, fresh) ?? from;
        assert.equal(there.start.line, line + added);
        assert.deepEqual(movedRange(there, fresh, old) ?? there, from);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changesBetween } from './changes.ts';

const words = fc.array(fc.constantFrom('a', 'b', 'c', '', ' '), { maxLength: 14 });

/** The length of the longest common subsequence, by trying everything. */
function common([a, ...restA]: readonly string[], [b, ...restB]: readonly string[]): number {
  if (a === undefined || b === undefined) return 0;
  if (a === b) return 1 + common(restA, restB);
  return Math.max(common(restA, [b, ...restB]), common([a, ...restA], restB));
}

describe('What differs between two lists', () => {
  it('turns one into the other, and nothing that lies between differs', () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const changes = changesBetween(before, after, 100)!;
        let made: string[] = [];
        let at = 0;
        for (const { removed, added } of changes) {
          made.push(...before.slice(at, removed[0]));
          assert.equal(made.length, added[0]);
          made.push(...after.slice(...added));
          at = removed[1];
        }
        made = [...made, ...before.slice(at)];
        assert.deepEqual(made, after);
      }),
    );
  });

  it('is as little as can be', () => {
    const short = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 });
    fc.assert(
      fc.property(short, short, (before, after) => {
        const changes = changesBetween(before, after, 100)!;
        const kept = before.length - changes.reduce((sum, { removed: [from, to] }) => sum + to - from, 0);
        assert.equal(kept, common(before, after));
      }),
    );
  });

  it('is not known when it is too much, which only what both have counts for', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `${index}`);
    assert.equal(changesBetween(many, many.toReversed(), 100), undefined);
    const all = [{ removed: [0, 1000], added: [0, 1000] }];
    assert.deepEqual(
      changesBetween(
        many,
        many.map((one) => `new ${one}`),
        100,
      ),
      all,
    );
    assert.deepEqual(changesBetween([], many, 100), [{ removed: [0, 0], added: [0, 1000] }]);
    assert.deepEqual(changesBetween(many, many, 100), []);
  });
});

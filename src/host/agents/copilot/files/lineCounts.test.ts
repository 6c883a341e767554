import assert from 'node:assert/strict';
import { lineCounts } from './lineCounts.ts';

describe('lineCounts', () => {
  const cases: [string, string, number, number][] = [
    ['', '', 0, 0],
    ['', 'a\nb\n', 2, 0],
    ['a\nb\n', '', 0, 2],
    ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
    ['a\nb\nc\nd\n', 'x\na\nc\nd\ny\n', 2, 1],
    ['a\nb', 'a\nb\n', 0, 0],
    ['a\n', 'a\na\n', 1, 0],
  ];
  for (const [before, after, added, removed] of cases) {
    it(`${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => assert.deepEqual(lineCounts(before, after), { added, removed }));
  }

  it('does not take long for large texts that share nothing', () => {
    const text = (letter: string) => Array.from({ length: 20_000 }, (_, index) => `${letter}${index}`).join('\n');
    assert.deepEqual(lineCounts(text('a'), text('b')), { added: 20_000, removed: 20_000 });
  });
});

import assert from 'node:assert/strict';
import { lineChanges, lineCounts } from './lineChanges.ts';

describe('Changed lines', () => {
  const cases: [before: string, after: string, added: number, removed: number][] = [
    ['', '', 0, 0],
    ['', 'a\nb\n', 2, 0],
    ['a\nb\n', '', 0, 2],
    ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
    ['a\nb\nc\nd\n', 'x\na\nc\nd\ny\n', 2, 1],
    ['a\nb', 'a\nb\n', 1, 1],
    ['a\r\nb\r\n', 'a\nb\r\n', 1, 1],
    ['a\n', 'a\na\n', 1, 0],
    ['\n\n', '\n', 0, 1],
  ];
  for (const [before, after, added, removed] of cases)
    it(`from ${JSON.stringify(before)} to ${JSON.stringify(after)} are counted`, () =>
      assert.deepEqual(lineCounts(before, after), { added, removed }));

  it('keep their line breaks', () => {
    assert.deepEqual(lineChanges('a\r\nb', 'a\r\nb\n'), {
      before: ['a\r\n', 'b'],
      after: ['a\r\n', 'b\n'],
      changes: [{ removed: [1, 2], added: [1, 2] }],
    });
  });

  const lines = (count: number, word = '') => Array.from({ length: count }, (_, index) => `${word}${index}\n`);
  it('of large texts are counted as they are, also when the texts share nothing', () => {
    const text = lines(20_000);
    assert.deepEqual(lineCounts(text.join(''), text.with(1, 'x\n').with(19_990, 'y\n').join('')), { added: 2, removed: 2 });
    assert.deepEqual(lineCounts(text.join(''), lines(20_000, 'new').join('')), { added: 20_000, removed: 20_000 });
  });

  it('are not counted where that would take too long', () => {
    assert.equal(lineCounts(lines(2000).join(''), lines(2000).toReversed().join('')), undefined);
    assert.equal(lineCounts('\n'.repeat(1_000_000), '\n'.repeat(1_000_001)), undefined);
  });
});

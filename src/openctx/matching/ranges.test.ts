import assert from 'node:assert/strict';
import fc from 'fast-check';
import { comparePositions, DocumentLines, overlap } from './ranges.ts';

const at = (line: number, character: number, endLine = line, end = character) => ({
  start: { line, character },
  end: { line: endLine, character: end },
});

describe('A range of a provider', () => {
  it('stays as it is in the document, with any kind of line end', () => {
    const lines = new DocumentLines('ab\r\ncd\ref\n');
    for (const range of [at(0, 0), at(0, 2, 1, 2), at(2, 1, 3, 0)]) assert.deepEqual(lines.clamp(range), range);
  });

  it('becomes a place of the document, the start first, whatever the provider says', () => {
    const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r') }), number, number, number, number, (content, a, b, c, d) => {
        const rows = content.split(/\r\n|\r|\n/);
        const { start, end } = new DocumentLines(content).clamp(at(a, b, c, d));
        for (const { line, character } of [start, end]) {
          assert.ok(Number.isInteger(line) && Number.isInteger(character));
          assert.ok(line >= 0 && character >= 0 && character <= (rows[line] ?? assert.fail()).length);
        }
        assert.ok(comparePositions(start, end) <= 0);
      }),
    );
  });

  it('overlaps another one that it touches', () => {
    assert.ok(overlap(at(0, 0, 0, 3), at(0, 3)));
    assert.ok(overlap(at(0, 0, 9, 0), at(4, 1)));
    assert.ok(!overlap(at(0, 0, 0, 3), at(0, 4)));
  });
});

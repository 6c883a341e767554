import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Edit, moved, placesIn } from './textPlaces.ts';

describe('Places in a text', () => {
  it('are where lines and characters say, whatever ends the lines', () => {
    const content = 'ab\r\nc\rd\n\nxyz';
    const text = (line: number, from: number, endLine: number, to: number) => {
      const { start, end } = placesIn(content)({ start: { line, character: from }, end: { line: endLine, character: to } });
      return content.slice(start, end);
    };
    assert.deepEqual(
      [text(0, 0, 0, 2), text(1, 0, 1, 1), text(2, 0, 2, 1), text(3, 0, 3, 0), text(4, 1, 4, 3), text(0, 1, 4, 1)],
      ['ab', 'c', 'd', '', 'yz', 'b\r\nc\rd\n\nx'],
    );
  });

  it('move with the text around them, grow with what is written into them, and go when an edit cuts through them', () => {
    const place = { start: 10, end: 20 };
    const edit = (rangeOffset: number, rangeLength: number, text: string): Edit => ({ rangeOffset, rangeLength, text });
    for (const [edits, expected] of [
      [[edit(0, 0, 'abc')], { start: 13, end: 23 }],
      [[edit(0, 5, '')], { start: 5, end: 15 }],
      [[edit(10, 0, 'ab')], { start: 12, end: 22 }],
      [[edit(15, 0, 'ab')], { start: 10, end: 22 }],
      [[edit(12, 3, '')], { start: 10, end: 17 }],
      [[edit(20, 0, 'ab')], place],
      [[edit(30, 5, '')], place],
      [[edit(5, 5, 'x')], { start: 6, end: 16 }],
      [[edit(5, 6, '')], undefined],
      [[edit(19, 2, '')], undefined],
      [[edit(10, 10, 'x')], undefined],
      [[edit(0, 100, '')], undefined],
      [[edit(25, 1, 'x'), edit(12, 1, 'yy'), edit(0, 0, 'zzz')], { start: 13, end: 24 }],
      [[edit(0, 0, 'zzz'), edit(12, 1, 'yy'), edit(25, 1, 'x')], { start: 13, end: 24 }],
    ] as const)
      assert.deepEqual(moved(place, edits), expected, JSON.stringify(edits));
    assert.deepEqual(moved({ start: 4, end: 4 }, [edit(4, 0, 'ab')]), { start: 6, end: 6 });
    assert.equal(moved({ start: 4, end: 4 }, [edit(3, 2, '')]), undefined);
  });

  it('have the same text after edits elsewhere', () => {
    const cases = fc.record({
      before: fc.string(),
      inside: fc.string({ minLength: 1 }),
      after: fc.string(),
      text: fc.string(),
      from: fc.nat(),
      length: fc.nat(),
    });
    fc.assert(
      fc.property(cases, fc.boolean(), ({ before, inside, after, text, from, length }, isBefore) => {
        const part = isBefore ? before : after;
        const at = part.length === 0 ? 0 : from % (part.length + 1);
        const count = Math.min(length % 20, part.length - at);
        const rangeOffset = at + (isBefore ? 0 : before.length + inside.length);
        const all = before + inside + after;
        const edited = all.slice(0, rangeOffset) + text + all.slice(rangeOffset + count);
        const place = moved({ start: before.length, end: before.length + inside.length }, [{ rangeOffset, rangeLength: count, text }]);
        assert.ok(place);
        assert.equal(edited.slice(place.start, place.end), inside);
      }),
    );
  });
});

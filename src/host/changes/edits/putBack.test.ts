import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Change } from '../../../base/text/changes.ts';
import { putBack } from './putBack.ts';

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');

describe('lines that a change made, put back', () => {
  it('leave what others changed in other lines', () => {
    const [before, after] = [text('a', 'b', 'c', 'd'), text('a', 'B', 'c', 'd', 'new')];
    assert.equal(putBack(before, after, after), before);
    assert.equal(putBack(before, after, text('top', 'a', 'B', 'c', 'D', 'new')), text('top', 'a', 'b', 'c', 'D'));
    assert.equal(putBack(before, after, text('a', 'B', 'c', 'd', 'new', 'last')), text('a', 'b', 'c', 'd', 'last'));
    assert.equal(putBack(before, after, text('a', 'B', 'c', 'd', 'mine', 'new')), text('a', 'b', 'c', 'd', 'mine'));
  });

  it('are not put back where others have changed the same lines', () => {
    const [before, after] = [text('a', 'b', 'c'), text('a', 'B', 'C', 'c')];
    for (const current of [text('a', 'B!', 'C', 'c'), text('a', 'B', 'mine', 'C', 'c'), text('a', 'c'), text('a', 'b', 'c'), ''])
      assert.equal(putBack(before, after, current), undefined, JSON.stringify(current));
    const gone = text('a', 'c');
    assert.equal(putBack(before, gone, text('a', 'mine', 'c')), undefined, 'above or below what was inserted there?');
    assert.equal(putBack(before, gone, text('mine', 'a', 'c')), text('mine', 'a', 'b', 'c'));
    assert.equal(putBack(before, gone, text('A', 'c')), text('A', 'b', 'c'));
  });

  it('are those of the second of two equal places, where the second was changed', () => {
    const block = ['{', 'x', '}'];
    const [before, after] = [text(...block, 'mid', ...block), text(...block, 'mid', '{', 'y', '}')];
    assert.equal(putBack(before, after, text(...block, 'mid', '{', 'mine', '}')), undefined);
    assert.equal(putBack(before, after, text('{', 'y', '}', 'mid', '{', 'y', '}')), text('{', 'y', '}', 'mid', ...block));
  });

  it('can be some of the places only', () => {
    const [before, after] = [text('a', 'b', 'c', 'd'), text('A', 'b', 'c', 'D')];
    const first = ({ added }: Change) => added[0] === 0;
    assert.equal(putBack(before, after, after, first), text('a', 'b', 'c', 'D'));
    assert.equal(putBack(before, after, text('A', 'b', 'c', 'mine'), first), text('a', 'b', 'c', 'mine'));
    assert.equal(
      putBack(before, after, after, () => false),
      after,
    );
  });

  it('know a last line without a line break', () => {
    assert.equal(putBack('a', 'a\nb\n', 'a\nb\n'), 'a');
    assert.equal(putBack('a', 'a\nb\n', 'mine\na\nb\n'), 'mine\na');
    assert.equal(putBack('', 'a\n', 'a\nb'), 'b');
  });

  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '}', ''), { maxLength: 12 }).map((all) => text(...all));

  it('give the text of before where nobody else changed anything, place by place or at once', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        assert.equal(putBack(before, after, after), before);
        assert.equal(
          putBack(before, after, after, () => true),
          before,
        );
        assert.equal(
          putBack(before, after, after, () => false),
          after,
        );
      }),
    );
  });

  it('never take away a line that only others have written, nor bring back one that only they removed', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(fc.nat(12), { maxLength: 4 }), (before, after, places) => {
        // Others insert lines that occur nowhere else.
        const current = after.split('\n').slice(0, -1);
        places.forEach((place, index) => current.splice(Math.min(place, current.length), 0, `mine ${index}`));
        const back = putBack(before, after, text(...current));
        if (back === undefined) return;
        const rest = back.split('\n').slice(0, -1);
        assert.equal(text(...rest.filter((line) => !line.startsWith('mine'))), before);
        const mine = (all: string[]) => all.filter((line) => line.startsWith('mine'));
        assert.deepEqual(mine(rest), mine(current));
      }),
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineDiff } from './lineDiff.ts';

const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd\re', 'f'), { maxLength: 20 }).map((parts) => parts.join(''));

describe('lineDiff', () => {
  it('holds both texts when the context is everything', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after, Number.MAX_SAFE_INTEGER).flatMap((hunk) => hunk.lines);
        if (before === after) return assert.deepEqual(lines, []);
        const side = (skip: string) =>
          lines
            .filter((line) => line.kind !== skip)
            .map((line) => `${line.text}${line.unended ? '' : '\n'}`)
            .join('');
        const sides = [before, after];
        const areWindows = sides.every((one) => !/(^|[^\r])\n|\r(?!\n)/.test(one));
        assert.deepEqual([side('added'), side('removed')], areWindows ? sides.map((one) => one.replaceAll('\r\n', '\n')) : sides);
      }),
    );
  });

  it('says where a hunk stands and keeps hunks that are far apart apart', () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const after = before.with(1, 'second').toSpliced(25, 1);
    const found = lineDiff(before.join('\n'), after.join('\n'), 2);
    assert.deepEqual(
      found.map(({ beforeLine, afterLine, lines }) => [beforeLine, afterLine, lines.length]),
      [
        [1, 1, 5],
        [24, 24, 5],
      ],
    );
    assert.deepEqual(found[0]?.lines[1], { kind: 'removed', text: 'line 2' });
    assert.deepEqual(found[0]?.lines[2], { kind: 'added', text: 'second' });
  });

  it('shows a created file as added, whatever its line ends', () => {
    assert.deepEqual(lineDiff('', 'a\r\nb\r\n')[0]?.lines, [
      { kind: 'added', text: 'a' },
      { kind: 'added', text: 'b' },
    ]);
  });

  it('shows line breaks that change, and the one that is missing at the end', () => {
    assert.deepEqual(lineDiff('a\nb\n', 'a\r\nb')[0]?.lines, [
      { kind: 'removed', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'a\r' },
      { kind: 'added', text: 'b', unended: true },
    ]);
    // To some programs it ends a line, to others it does not.
    assert.deepEqual(lineDiff('', '# all is well\rrm -rf ~\n')[0]?.lines, [{ kind: 'added', text: '# all is well\rrm -rf ~' }]);
  });

  it('gives up comparing what would take too long, and is still right', () => {
    const many = (word: string) => Array.from({ length: 2000 }, (_, index) => `${word} ${index}`).join('\n');
    const lines = lineDiff(many('old'), many('new')).flatMap((hunk) => hunk.lines);
    assert.equal(lines.filter((line) => line.kind === 'removed').length, 2000);
    assert.equal(lines.filter((line) => line.kind === 'added').length, 2000);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffExcerpt, editDiff, textsOfHunks, type DiffLine, type EditDiff } from './editDiff.ts';
import { runs } from '../../../../test/support/runs.ts';

const textOf = ({ parts }: DiffLine) => parts.map(({ text }) => text).join('');
const signs = { same: ' ', added: '+', removed: '-' } as const;
const shown = (lines: readonly DiffLine[]) => lines.map((line) => `${signs[line.kind]}${textOf(line)}${line.unended ? '⏎̸' : ''}`);
const hunksOf = ({ sections }: EditDiff) => sections.filter(({ isHunk }) => isHunk);

/** The text after the change, from the text before it and what the hunks show. */
function applied(before: string, diff: EditDiff): string {
  const { lineBreak } = diff;
  const raw = (line: DiffLine) => `${textOf(line)}${line.unended ? '' : lineBreak}`;
  const old = before.split(/(?<=\n)/).filter((line) => line !== '');
  let made = '';
  let at = 0;
  for (const { beforeLine, afterLine, lines } of hunksOf(diff)) {
    made += old.slice(at, beforeLine - 1).join('');
    assert.equal(made.split('\n').length, afterLine);
    at = beforeLine - 1;
    for (const line of lines) {
      if (line.kind !== 'added') assert.equal(raw(line), old[at++], 'what is the same or removed is in the old text');
      if (line.kind !== 'removed') made += raw(line);
    }
  }
  return made + old.slice(at).join('');
}

describe('The diff of an edit', () => {
  const lines = (...ends: string[]) =>
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'return x;', '  return x;', '', 'c\rd', 'e '), fc.constantFrom(...ends)), { maxLength: 30 })
      .chain((all) => fc.constantFrom('', 'end').map((last) => all.map((one) => one.join('')).join('') + last));
  const texts = fc.oneof(
    fc.tuple(lines('\n'), lines('\n')),
    fc.tuple(lines('\r\n'), lines('\r\n')),
    fc.tuple(lines('\n', '\r\n'), lines('\n', '\r\n', '\r')),
    // Nothing but blanks and the ends of lines differs.
    lines('\n').map((text) => [text, text.replaceAll('\n', '\r\n')] as const),
    lines('\n').map((text) => [text, text.replace(/\n$/, '')] as const),
    lines('\n').map((text) => [text, text.replaceAll(/^/gm, ' ')] as const),
    fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
    // Large texts with a few changes.
    fc.tuple(fc.array(fc.tuple(fc.nat(99), fc.constantFrom('x', '', 'y\nz')), { maxLength: 6 }), fc.nat(3)).map(([changes, kinds]) => {
      const before = Array.from({ length: 100 }, (_, index) => (kinds === 0 ? `${index}` : `${index % (kinds * 7)}`));
      const after = changes.reduce((now, [at, text]) => now.with(at, text), before);
      return [before.join('\n'), after.join('\n')] as const;
    }),
  );

  it('makes the new text of the old one by what its hunks show', () => {
    fc.assert(
      fc.property(texts, ([before, after]) => {
        const diff = editDiff(before, after)!;
        assert.equal(applied(before, diff), after);
        assert.equal(diff.sections.length === 0, before === after);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('holds both texts, and leaves out only what is the same', () => {
    fc.assert(
      fc.property(texts, ([before, after]) => {
        const { sections, lineBreak } = editDiff(before, after)!;
        const side = (skip: string) =>
          sections
            .flatMap((section) => section.lines.filter((line) => line.kind !== skip))
            .map((line) => `${textOf(line)}${line.unended ? '' : lineBreak}`)
            .join('');
        if (before !== after) assert.deepEqual([side('added'), side('removed')], [before, after]);
        for (const section of sections.filter(({ isHunk }) => !isHunk)) {
          assert.ok(section.lines.length > 1);
          assert.ok(section.lines.every(({ kind }) => kind === 'same'));
        }
      }),
    );
  });

  const body = Array.from({ length: 1060 }, (_, index) => `line ${index + 1}`);

  it('of an import at the top and its use at the end is those two lines', () => {
    const before = body.with(1, 'import { a } from "a";').with(1056, 'use(a);');
    const after = before.with(1, 'import { a, b } from "a";').with(1056, 'use(a, b);');
    const diff = editDiff(before.join('\n'), after.join('\n'))!;
    assert.deepEqual(
      diff.sections.map(({ isHunk, beforeLine, afterLine, lines: all }) => [isHunk, beforeLine, afterLine, all.length]),
      [
        [true, 1, 1, 6],
        [false, 6, 6, 1048],
        [true, 1054, 1054, 8],
      ],
    );
    assert.deepEqual(shown(diff.sections[2]!.lines), [
      ' line 1054',
      ' line 1055',
      ' line 1056',
      '-use(a);',
      '+use(a, b);',
      ' line 1058',
      ' line 1059',
      ' line 1060⏎̸',
    ]);
    assert.deepEqual(diff.sections[2]!.lines[4]!.parts, [{ text: 'use(a' }, { text: ', b', changed: true }, { text: ');' }]);
    assert.equal(diffExcerpt(diff.sections), diff.sections);
  });

  it('numbers the lines of both texts, and shows a single line instead of leaving it out', () => {
    const before = body.slice(0, 40);
    const diff = editDiff(before.join('\n'), before.toSpliced(20, 0, 'x', 'y').toSpliced(4, 1).join('\n'))!;
    assert.deepEqual(
      diff.sections.map(({ isHunk, beforeLine, afterLine, lines: all }) => [isHunk, beforeLine, afterLine, all.length]),
      [
        [true, 1, 1, 8],
        [false, 9, 8, 9],
        [true, 18, 17, 8],
        [false, 24, 25, 17],
      ],
    );
  });

  it('of a created file shows its lines, whatever their breaks, and which they are', () => {
    const { sections, lineBreak } = editDiff('', 'a\r\nb\r\n')!;
    assert.deepEqual([sections.map((section) => shown(section.lines)), lineBreak], [[['+a', '+b']], '\r\n']);
  });

  it('shows line breaks that change, and the one that is missing at the end', () => {
    assert.deepEqual(shown(editDiff('a\nb\n', 'a\r\nb')!.sections[0]!.lines), ['-a', '-b', '+a\r', '+b⏎̸']);
    // To some programs it ends a line, to others it does not.
    assert.deepEqual(shown(editDiff('', '# all is well\rrm -rf ~\n')!.sections[0]!.lines), ['+# all is well\rrm -rf ~']);
  });

  it('of a file that shares nothing with what was there is all of both, and of one in another order is not known', () => {
    const fresh = body.map((line) => `new ${line}`);
    assert.equal(textsOfHunks(editDiff(body.join('\n'), fresh.join('\n'))!.sections).length, 2120);
    assert.equal(editDiff(body.join('\n'), body.toReversed().join('\n')), undefined);
  });

  it('is cut in its hunks only', () => {
    const before = Array.from({ length: 400 }, (_, index) => `line ${index + 1}`);
    const after = before.map((line, index) => (index % 50 === 25 ? `${line} changed` : line));
    const { sections } = editDiff(before.join('\n'), after.join('\n'))!;
    const first = diffExcerpt(sections);
    assert.equal(textsOfHunks(first).length, 40);
    assert.deepEqual(
      first.map(({ isHunk }) => isHunk),
      [false, true, false, true, false, true, false, true, false, true],
    );
    const long = editDiff('', `${'x'.repeat(5000)}`)!.sections;
    assert.deepEqual(diffExcerpt(long)[0]!.lines, [{ kind: 'added', parts: [{ text: 'x'.repeat(2000) }] }]);
  });
});

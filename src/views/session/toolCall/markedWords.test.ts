import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type LinePart, partsUpTo, wordMarker } from './markedWords.ts';

describe('The words that change', () => {
  const markedLines = (before: readonly string[], after: readonly string[]) => wordMarker()(before, after);
  const marked = (parts: readonly LinePart[]) => parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');
  const inOne = (before: string, after: string) => {
    const lines = markedLines([before], [after])!;
    return [marked(lines.before[0]!), marked(lines.after[0]!)];
  };

  it('are marked on both sides', () => {
    assert.deepEqual(inOne('const limit = 10;', 'const limit = 20;'), ['const limit = [10];', 'const limit = [20];']);
    assert.deepEqual(inOne('  return parse(text);', '  return sorted(parse(text));'), [
      '  return parse(text);',
      '  return [sorted(]parse(text[)]);',
    ]);
    assert.deepEqual(inOne('say שלום now', 'say עולם now'), ['say [שלום] now', 'say [עולם] now']);
    assert.deepEqual(inOne('a 👍 b', 'a 👎 b'), ['a [👍] b', 'a [👎] b']);
  });

  it('are one mark where a space lies between them', () => {
    assert.deepEqual(inOne('keep the old words here', 'keep the two new ones here'), [
      'keep the [old words] here',
      'keep the [two new ones] here',
    ]);
  });

  it('are blanks too', () => {
    assert.deepEqual(inOne('  a', '    a'), ['  a', '  [  ]a']);
    assert.deepEqual(inOne('a', 'a '), ['a', 'a[ ]']);
  });

  it('are found where lines were added beside them', () => {
    const lines = markedLines(['const limit = 10;', 'use(limit);'], ['log("start");', 'const limit = 20;', 'use(limit, log);'])!;
    assert.deepEqual(lines.after.map(marked), ['log("start");', 'const limit = [20];', 'use(limit[, log]);']);
    assert.deepEqual(lines.before.map(marked), ['const limit = [10];', 'use(limit);']);
  });

  it('are found in the line that shares most', () => {
    const found = markedLines(['return redirect(target);'], ['if (bad) return redirect("/home");', '', 'return redirect(safe(target));'])!;
    assert.deepEqual(found.after.map(marked), ['if (bad) return redirect("/home");', '', 'return redirect([safe(]target[)]);']);
  });

  it('are not marked in lines that share little, in those that stand alone, and in what is long', () => {
    assert.deepEqual(inOne('while (true) { wait(); }', 'export default (42);'), ['while (true) { wait(); }', 'export default (42);']);
    assert.equal(markedLines([], ['a']), undefined);
    const many = Array.from({ length: 200 }, (_, index) => `${index}`);
    assert.deepEqual(inOne(many.join(), many.toReversed().join()), [many.join(), many.toReversed().join()]);
    const mark = wordMarker();
    const long = `${'x'.repeat(9000)} `;
    assert.equal(marked(mark([`${long}a`], [`${long}b`])!.after[0]!), `${long}[b]`);
    assert.equal(mark([`${long}a`], [`${long}b`]), undefined);
  });

  const line = fc.array(fc.constantFrom('a', 'b', ' ', '  ', '(', '\t', '\r', '\ud83d', '\u0301', '👍'), { maxLength: 12 });
  const lines = fc.array(
    line.map((all) => all.join('')),
    { minLength: 1, maxLength: 4 },
  );
  const textOf = (parts: readonly LinePart[]) => parts.map(({ text }) => text).join('');

  it('leave each line as it is', () => {
    fc.assert(
      fc.property(lines, lines, fc.nat(20), (before, after, length) => {
        const found = markedLines(before, after)!;
        assert.deepEqual([found.before.map(textOf), found.after.map(textOf)], [before, after]);
        assert.equal(textOf(partsUpTo(found.after[0]!, length)), after[0]!.slice(0, length));
      }),
    );
  });

  it('leave nothing unmarked beside them that the other side does not have', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        for (const parts of markedLines(before, after)!.after.filter((all) => all.some(({ changed }) => changed))) {
          let rest = [...before.join('\n')];
          for (const one of textOf(parts.filter(({ changed }) => !changed))) {
            assert.ok(rest.includes(one), JSON.stringify(one));
            rest = rest.slice(rest.indexOf(one) + 1);
          }
        }
      }),
    );
  });
});

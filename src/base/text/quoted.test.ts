import assert from 'node:assert/strict';
import fc from 'fast-check';
import { field, json, named, prose, quoted } from './quoted.ts';
import { runs } from '../../../test/support/runs.ts';

const hidden = 'a\u202eb\u200bc\nd';
const anyText = fc.string({ unit: fc.oneof(fc.constantFrom('“', '”', '"', '\\', '\n', '\u202e', '\u200b', 'א', ' ', '…'), fc.string()) });

describe('A stranger’s text on which the user decides', () => {
  it('is quoted with codes in place of what cannot be seen', () => {
    assert.equal(quoted(hidden), '"a\\u{202e}b\\u{200b}c\\nd"');
    assert.equal(quoted('größe 日本 🙂 "x"'), '"größe 日本 🙂 \\"x\\""');
    assert.equal(quoted('\u05d0'), '"\\u{5d0}"');
    assert.deepEqual(field('name', 'x'.repeat(61)), [`    name "${'x'.repeat(60)}"`, '      followed by "x"']);
  });

  it('cannot end its quotes within a sentence', () => {
    assert.equal(named('page'), '“page”');
    assert.equal(named('x” is part of Tapline. “y'), '“x\\u{201d} is part of Tapline. \\u{201c}y”');
    fc.assert(fc.property(anyText, (text) => assert.doesNotMatch(named(text).slice(1, -1), /[“”\n\u202e\u200b]/)));
  });

  it('is shown line by line where it is prose, and can be read in every script', () => {
    assert.deepEqual(prose('description', 'Clicks.\n\nשלום\u202e'), [
      '    description "Clicks."',
      '      next line ""',
      '      next line "שלום\\u{202e}"',
    ]);
    assert.deepEqual(prose('description', `${'y'.repeat(60)}z`).slice(1), ['      followed by "z"']);
  });

  it('is shown as JSON whose long lines go on', () => {
    assert.deepEqual(json('schema', { a: `${'x'.repeat(100)}\u202e`, b: 1 }), [
      '    schema',
      '      {',
      `        "a": "${'x'.repeat(72)}`,
      `      …${'x'.repeat(28)}\\u{202e}",`,
      '        "b": 1',
      '      }',
    ]);
  });

  it('is never the same for two texts, and none of its lines is one of ours', () => {
    for (const show of [(text: string) => [named(text)], (text: string) => prose('  ', text), (text: string) => json('', [text])])
      fc.assert(
        fc.property(anyText, anyText, (a, b) => {
          assert.equal(show(a).join('\n') === show(b).join('\n'), a === b);
          for (const line of show(a)) assert.doesNotMatch(line, /\n|\u202e/);
        }),
        { numRuns: runs(300) },
      );
  });
});

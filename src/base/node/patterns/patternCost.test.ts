import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { patternCost } from './patternCost.ts';
import { runs } from '../../../../test/support/runs.ts';

/** Parts of patterns in every notation. Some combinations are invalid. */
const parts = [
  ...['a', 'é', '😀', '-', ']', '}', ',', ':', '^', '$', '.', '\\b', '\\A', '\\w', '\\D', '\\n', '\\.', '\\]', '\\[', '\\(', '\\{'],
  ...['\\x{41}', '\\x41', '\\101', '\\012', '\\0', '\\pL', '\\p{Greek}', '\\P{^L}', '\\Qa(\\E', '\\Q\\E', '\\Q[{2}', '\\E'],
  ...[
    '[',
    '[^',
    '[a-z',
    '[]',
    '[^]a',
    '[[:alpha:]',
    '[[:^digit:]',
    '[:',
    ':]',
    '[a-[:',
    '[\\d-[:word:]',
    'a-\\x{5a}',
    '[\\]',
    '\\pN-',
    '--',
  ],
  ...['(', '(?:', '(?i)', '(?i:', '(?-s)', '(?P<n>', '(?<m>', '(?P<', '(?', ')', '|', '(?i-m)', '()', '(|', '|)'],
  ...['*', '+', '?', '??', '{2}', '{3,}', '{0,4}', '{1,3}?', '{0}', '{01}', '{,2}', '{2', '{12}', '{7,9}'],
] as const;

describe('the cost of a pattern', function () {
  this.timeout(60_000);

  it('is that of its repetitions written out', () => {
    for (const [source, size] of [
      ['a', 3],
      ['((a{10}){10}){10}', 3 + 10 * (10 * (10 + 2) + 2) + 2 - 3 + 1],
      ['(?:(?:a{10}){10}){10}', 1002],
      ['\\w{1000}', 1002],
      ['\\w{1000}\\w{1000}', 2002],
      ['(?:a?){300}a{300}', 902],
      ['a{2,}', 5],
      ['[({2}]{3}', 5],
      ['\\Q({2}\\E{3}', 8],
    ] as const)
      assert.ok(patternCost(source) >= size && patternCost(source) <= size * 1.2 + 1, `${source}: ${patternCost(source)}, about ${size}`);
    assert.ok(patternCost(`(?:${'x'.repeat(900)}){1000}`) >= 900_000);
    assert.ok(patternCost('(((a{100}){100}){100})') >= 1_000_000);
  });

  it('is never less than the number of states in the engine', () => {
    let compiled = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (chosen) => {
        const source = chosen.join('');
        let size;
        try {
          size = RE2JS.compile(source).programSize();
        } catch {
          return;
        }
        compiled++;
        assert.ok(patternCost(source) >= size, `${source}: ${patternCost(source)} for ${size} states`);
      }),
      { numRuns: runs(20_000) },
    );
    assert.ok(compiled > runs(20_000) / 20, `${compiled} of them were patterns`);
  });

  it('is high for large classes, and near the number of states for small ones', () => {
    assert.ok(patternCost('\\pL{990}') > 3 * 990);
    assert.ok(patternCost(`[${'\\pL'.repeat(300)}]`) > 5000);
    assert.ok(patternCost(Array.from({ length: 250 }, () => '\\pL').join('|')) > 5000);
    assert.ok(patternCost(`(?i)${'[b-\\x{1e943}]'.repeat(70)}`) > 10_000);
    assert.ok(patternCost('[b-\\x{1e943}]'.repeat(70)) < 100, 'where case matters no character is looked up');
    for (const honest of [
      'git push|rm -rf',
      '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
      '^[\\w.+-]{1,64}@[\\w-]+\\.[\\w.-]{2,253}$',
      '(?i)[а-яёäöü]+',
    ])
      assert.ok(patternCost(honest) < RE2JS.compile(honest).programSize() * 2 + 5, honest);
    assert.ok(patternCost('^[\\p{L}\\p{N}_-]{1,64}$') < 1000);
  });

  it('of a very long pattern is not computed', () => {
    assert.equal(patternCost('x'.repeat(5001)), Infinity);
  });
});

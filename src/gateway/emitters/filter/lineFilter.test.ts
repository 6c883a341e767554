import assert from 'node:assert/strict';
import { slowPattern, slowText } from '../../../../test/fakes/slowPattern.ts';
import type { EventFilter } from '../../../tap/wire/emitters/emitterSpec.ts';
import { CompileBudget } from '../../limits/compileBudget.ts';
import { LineFilter } from './lineFilter.ts';

/** Numbers that look random, the same at every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** As one would write it down without any thought of time. */
function interpreted(rules: EventFilter, line: string): string {
  for (const { match, outcome } of rules) if (new RegExp(match).test(line)) return outcome;
  return 'keep';
}

describe('the filter of an emitter', () => {
  let at = 0;
  const filter = (...rules: EventFilter) => new LineFilter(rules, new CompileBudget(() => (at += 1e9)));

  it('goes by the first rule that matches, and keeps what none matches', () => {
    const tested = filter(
      { match: 'PASS', outcome: 'drop' },
      { match: '^FAIL', outcome: 'inject' },
      { match: 'FAIL|warn', outcome: 'surface' },
    );
    assert.deepEqual(
      ['PASS FAIL', 'FAIL a', 'a FAIL', 'warning', 'other', ''].map((line) => tested.outcomeOf(line)),
      ['drop', 'inject', 'surface', 'surface', 'keep', 'keep'],
    );
    assert.equal(filter().outcomeOf('anything'), 'keep');
  });

  it('does what a simple interpreter does, for any rules and lines', () => {
    const parts = ['a', 'b', 'ab', '.', '[ab]', '[^a]', '\\d', '^', '$', '(?:a|b)', 'a*', 'b+', 'c?', '(ab){2}', '\\bx'];
    const letters = ['a', 'b', 'ab', 'x', '7', ' ', 'c', 'é'];
    const outcomes = ['drop', 'keep', 'surface', 'inject'] as const;
    for (let seed = 1; seed <= 400; seed++) {
      const below = numbers(seed);
      const some = (list: readonly string[], most: number) =>
        Array.from({ length: 1 + below(most) }, () => list[below(list.length)]).join('');
      const rules = Array.from({ length: below(6) }, () => ({
        match: some(parts, 4).replace(/([*+?}])[*+?]+/g, '$1'),
        outcome: outcomes[below(4)]!,
      }));
      const tested = filter(...rules);
      for (let count = 0; count < 25; count++) {
        const line = some(letters, 8);
        assert.equal(tested.outcomeOf(line), interpreted(rules, line), JSON.stringify({ seed, rules, line }));
      }
    }
  });

  it('says which pattern is wrong, and takes no more than it has time for', () => {
    const rule = (match: string) => ({ match, outcome: 'drop' as const });
    assert.throws(() => filter(rule('a'), rule('(')), /^ProviderError: eventFilter\[1\]\.match: /);
    assert.throws(() => filter(rule('(?=a)')), /eventFilter\[0\]\.match/);
    assert.throws(() => filter(...Array(12).fill(rule('a{900}'))), /states|units of work/);
  });

  it('keeps a line for which a pattern takes too long', () => {
    assert.equal(filter({ match: slowPattern, outcome: 'drop' }).outcomeOf(slowText), 'keep');
    assert.equal(filter({ match: slowPattern, outcome: 'drop' }).outcomeOf(`a${'b'.repeat(200)}c`), 'drop');
  });
});

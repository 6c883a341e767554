import assert from 'node:assert/strict';
import { Limit } from '../../../tap/wire/limits.ts';
import { CompileBudget } from '../../limits/compileBudget.ts';
import { previewOf } from './previewOf.ts';
import { LineFilter } from './lineFilter.ts';
import { RecentLines } from './recentLines.ts';

describe('the preview of a filter', () => {
  let at = 0;
  const budget = () => new CompileBudget(() => (at += 1e9));
  const drop = (match: string) => ({ match, outcome: 'drop' as const });
  const inject = (match: string) => ({ match, outcome: 'inject' as const });

  it('says for each line what would become of it, and which rule decides', () => {
    assert.deepEqual(previewOf([drop('^ok'), inject('fail')], ['ok fail', 'a fail', 'other'], budget()), {
      lines: [
        { text: 'ok fail', outcome: 'drop', rule: 0 },
        { text: 'a fail', outcome: 'inject', rule: 1 },
        { text: 'other', outcome: 'keep' },
      ],
      problems: [],
    });
  });

  it('judges as the filter does that would be in force', () => {
    const rules = [drop('\\bpass(?:ed)?\\b'), inject('(?i)error|FAIL'), drop('^$')];
    const lines = ['1 passed', 'Error: passed', 'An error', '', 'FAILED', 'x'];
    const filter = new LineFilter(rules, budget());
    assert.deepEqual(
      previewOf(rules, lines, budget()).lines.map(({ outcome }) => outcome),
      lines.map((line) => filter.outcomeOf(line)),
    );
  });

  it('names each rule that is wrong, and judges by the others under their own numbers', () => {
    const { lines, problems } = previewOf([drop('('), inject('fail'), drop('[')], ['a fail'], budget());
    assert.deepEqual(lines, [{ text: 'a fail', outcome: 'inject', rule: 1 }]);
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      [0, 2],
    );
    for (const { message } of problems) assert.doesNotMatch(message, /eventFilter/);
  });

  it('says when each rule is right and all together are too much', () => {
    const { lines, problems } = previewOf(
      Array.from({ length: 8 }, () => drop('(?:abcdefghij){90}')),
      ['x'],
      budget(),
    );
    assert.deepEqual(lines, []);
    assert.equal(problems.length, 1);
    assert.equal(problems[0]?.rule, undefined);
    assert.match(problems[0]?.message ?? '', /together/);
  });

  it('shows no control characters of a line', () => {
    assert.doesNotMatch(JSON.stringify(previewOf([], ['a\u001b[31mb\u0007'], budget()).lines), /\\u001b|\\u0007/);
  });
});

describe('the newest lines', () => {
  it('are kept in their order, and no more than there is room for', () => {
    const recent = new RecentLines();
    recent.add('first');
    assert.deepEqual(recent.all, ['first']);
    const more = Array.from({ length: Limit.previewLines + 7 }, (_, index) => `line ${index}`);
    for (const line of more) recent.add(line);
    assert.deepEqual(recent.all, more.slice(-Limit.previewLines));
  });
});

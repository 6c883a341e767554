import { strict as assert } from 'node:assert';
import { queryOf, recordQuestion } from './recordQuestion.ts';

const NOW = Date.UTC(2026, 10, 28, 12);

describe('question for records', () => {
  const since = (text: string) => queryOf(recordQuestion.parse({ since: text }), NOW).since;

  it('takes times that are so long ago', () => {
    assert.equal(since('30m'), NOW - 30 * 60_000);
    assert.equal(since('7d'), NOW - 7 * 86_400_000);
  });

  it('takes points in time, with parts of seconds or without, and days', () => {
    assert.equal(since('2026-11-28T06:00:00Z'), Date.UTC(2026, 10, 28, 6));
    assert.equal(since('2026-11-28T06:00:00.123Z'), Date.UTC(2026, 10, 28, 6));
    assert.equal(since('2026-11-28T06:00:00+02:00'), Date.UTC(2026, 10, 28, 4));
    assert.equal(since('2026-11-28'), new Date(2026, 10, 28).getTime());
  });

  it('names what it does not take', () => {
    for (const text of ['22:30', 'yesterday', '2026-02-31', ''])
      assert.equal(recordQuestion.safeParse({ since: text }).success, false, text);
    for (const where of [{ "a'": 1 }, { '': 1 }, { a: null }, Object.fromEntries([...'abcdefghi'].map((name) => [name, 1]))])
      assert.equal(recordQuestion.safeParse({ where }).success, false, JSON.stringify(where));
    assert.equal(recordQuestion.safeParse({ kind: 'secret' }).success, false);
    assert.equal(recordQuestion.safeParse({ limits: 3 }).success, false);
  });
});

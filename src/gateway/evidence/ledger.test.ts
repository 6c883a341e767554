import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { FakeOwner } from '../../../test/fakes/fakeGateway.ts';
import type { CheckAnswer, Verdict } from '../../tap/wire/evidence/verdict.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { Session } from '../sessions/session.ts';
import { Ledger } from './ledger.ts';

describe('the ledger of goals and claims', () => {
  const answer = (verdict: Verdict): CheckAnswer => ({ check: 'a', verdict, line: 'b' });
  const session = (id: string) => new Session(id, new FakeOwner());

  it('keeps each with its verdict, for its session alone, and tells of it once', () => {
    const ledger = new Ledger(new FakeClock());
    const [a, b] = [session('a'), session('b')];
    const told: string[] = [];
    ledger.onDidJudge(({ session: of, judgement }) => told.push(`${of.id} ${judgement.id} ${judgement.text} ${judgement.verdict}`));
    ledger.judged(a, 'goal', 'one', [answer('supported'), answer('contradicted')]);
    ledger.judged(a, 'claim', 't\u202ewo', [answer('supported')]);
    ledger.judged(b, 'claim', 'three', [answer('supported'), answer('unknown')]);
    assert.deepEqual(told, ['a 1 one contradicted', 'a 2 two supported', 'b 1 three unknown']);
    assert.deepEqual(
      ledger.of(a).map(({ kind, text, checks }) => [kind, text, checks.length]),
      [
        ['goal', 'one', 2],
        ['claim', 'two', 1],
      ],
    );
    assert.equal(ledger.of(b).length, 1);
    assert.deepEqual(ledger.counts(a), { supported: 1, contradicted: 1, unknown: 0 });
    assert.deepEqual(ledger.of(session('a')), [], 'another session of the same id');
  });

  it('forgets the oldest of many', () => {
    const ledger = new Ledger(new FakeClock());
    const a = session('a');
    for (let at = 1; at <= Limit.judgements + 1; at++) ledger.judged(a, 'claim', `${at}`, []);
    const kept = ledger.of(a);
    assert.deepEqual([kept.length, kept[0]?.id, kept.at(-1)?.text], [Limit.judgements, 2, `${Limit.judgements + 1}`]);
  });
});

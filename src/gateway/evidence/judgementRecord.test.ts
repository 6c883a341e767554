import assert from 'node:assert/strict';
import type { CheckAnswer, Judgement } from '../../tap/wire/evidence/verdict.ts';
import { judgementRecord } from './judgementRecord.ts';

describe('what is kept of a goal', () => {
  const answer = (check: string, more: Partial<CheckAnswer> = {}): CheckAnswer => ({
    ...{ check, verdict: 'supported', seenBy: 'gateway', line: 'ok' },
    ...more,
  });
  const judged = (checks: CheckAnswer[], verdict: Judgement['verdict'] = 'supported'): Judgement => ({
    ...{ id: 1, ts: '', kind: 'goal', text: 'it works' },
    ...{ verdict, checks },
  });

  it('is what was said of it', () => {
    assert.deepEqual(judgementRecord(judged([answer('a'), answer('b')])), {
      ...{ text: 'it works', verdict: 'supported' },
      checks: [answer('a'), answer('b')],
    });
  });

  it('has what decides, also where that was said last and at length', () => {
    const long = 'x'.repeat(5_000);
    const checks = Array.from({ length: 49 }, () => answer(long, { line: long }));
    const last: CheckAnswer = { check: 'npm test', verdict: 'contradicted', seenBy: 'session', line: '1 failing' };
    const kept = judgementRecord(judged([...checks, last], 'contradicted'));
    assert.deepEqual([kept['text'], kept['verdict'], kept['leftOut']], ['it works', 'contradicted', 30]);
    assert.deepEqual((kept['checks'] as CheckAnswer[])[0], last);
    assert.ok(JSON.stringify(kept).length < 16_000);
  });
});

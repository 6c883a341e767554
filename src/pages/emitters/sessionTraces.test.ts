import assert from 'node:assert/strict';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Judgement, KeptRecord } from '../../views/traces/keptRecord.ts';
import type { ShownGoals, ShownSpans, TowerQuestion } from '../../views/traces/towerQuestion.ts';
import { NewestSpans } from './newestSpans.ts';
import type { TowerQuery } from './queryRecords.ts';
import { answerTower, type SessionTraces } from './sessionTraces.ts';

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0');

function record(n: number, name: string, traceId = hex(n, 32)): KeptRecord {
  const data = { traceId, spanId: hex(n, 16), name, startedAt: 1_795_000_000_000 + n, durationMs: 1, attributes: {} };
  return { seq: n, kind: 'trace', id: `${traceId}.${hex(n, 16)}`, at: n, sessionId: 's', data };
}

const ask = (session: SessionTraces, question: TowerQuestion) => answerTower(session, question, new NewestSpans());

/** Answers as the gateway does. */
function session(kept: readonly KeptRecord[]) {
  const asked: TowerQuery[] = [];
  const records = async (query: TowerQuery) => {
    asked.push(query);
    const { kind, sessionId, where = {}, limit } = query;
    return kept
      .filter((one) => one.kind === kind)
      .filter((one) => sessionId === undefined || one.sessionId === sessionId)
      .filter(({ data }) => Object.entries(where).every(([field, value]) => data[field] === value))
      .toReversed()
      .slice(0, limit);
  };
  return { asked, traces: { sessionId: 's', records, goals: async () => [] } };
}

describe('traces of a session', () => {
  it('have what led to a turn, however many runs came since', async () => {
    const runs = Array.from({ length: 300 }, (_, n) => record(n + 10, 'emitter_run'));
    const { traces } = session([record(1, 'turn'), record(2, 'inject'), ...runs]);
    const { spans, isCut } = (await ask(traces, { what: 'traces' })) as ShownSpans;
    assert.equal(isCut, true);
    assert.equal(spans.length, 202);
    assert.deepEqual(
      spans.filter(({ name }) => name !== 'emitter_run').map(({ name }) => name),
      ['turn', 'inject'],
    );
  });

  it('are asked for once where there are few', async () => {
    const { asked, traces } = session([record(1, 'turn'), { ...record(2, 'turn'), data: { traceId: 'wrong' } }]);
    const { spans, isCut } = (await ask(traces, { what: 'traces' })) as ShownSpans;
    assert.deepEqual([asked.length, spans.length, isCut], [1, 1, false]);
  });

  it('have the spans of other sessions in one trace', async () => {
    const traceId = hex(1, 32);
    const { traces } = session([{ ...record(1, 'job', traceId), sessionId: 'other' }, record(2, 'turn', traceId), record(3, 'turn')]);
    const { spans } = (await ask(traces, { what: 'trace', traceId })) as ShownSpans;
    assert.deepEqual(spans.map(({ name }) => name).sort(), ['job', 'turn']);
  });

  it('lead to turns and calls of their own session only', async () => {
    const traceId = hex(1, 32);
    const led = (n: number, sessionId?: string): KeptRecord => {
      const { sessionId: _, ...made } = record(n, 'turn', traceId);
      const attributes = { 'tapline.turn.id': `t${n}`, 'gen_ai.tool.call.id': `c${n}`, 'gen_ai.tool.name': 'bash' };
      return { ...made, data: { ...made.data, attributes }, ...(sessionId !== undefined && { sessionId }) };
    };
    const { traces } = session([led(1, 'other'), led(2, 's'), led(3)]);
    const { spans } = (await ask(traces, { what: 'trace', traceId })) as ShownSpans;
    assert.deepEqual(
      spans.map(({ spanId, turn, call, tool }) => [spanId, turn, call, tool]),
      [
        [hex(3, 16), 't3', 'c3', 'bash'],
        [hex(2, 16), 't2', 'c2', 'bash'],
        [hex(1, 16), undefined, undefined, 'bash'],
      ],
    );
  });

  it('have the goals and claims of the records, newest first, and without records those of the ledger', async () => {
    const checks = [{ check: 'a exists', verdict: 'contradicted' as const, seenBy: 'gateway' as const, line: 'there is no file' }];
    const judged = (n: number, kind: 'goal' | 'claim'): KeptRecord => ({
      ...{ seq: n, kind, id: `r${n}`, at: n, sessionId: 's' },
      data: { text: `${kind} ${n}`, verdict: 'contradicted', checks, leftOut: 2 },
    });
    const { traces } = session([judged(1, 'goal'), judged(2, 'claim'), judged(3, 'goal'), { ...judged(4, 'claim'), data: { text: 1 } }]);
    const { judgements, isCut } = (await ask(traces, { what: 'goals' })) as ShownGoals;
    assert.deepEqual(
      judgements.map(({ text, leftOut }) => [text, leftOut]),
      [
        ['goal 3', 2],
        ['claim 2', 2],
        ['goal 1', 2],
      ],
    );
    assert.equal(isCut, false);
    const ledger: Judgement = { id: 1, ts: '2026-11-27T12:00:00Z', kind: 'goal', text: 'of the ledger', verdict: 'contradicted', checks };
    const without = { ...traces, records: () => Promise.reject(new RpcError(1, 'none')), goals: async () => [ledger] };
    const told = (await ask(without, { what: 'goals' })) as ShownGoals;
    assert.deepEqual(told.judgements, [
      { key: '1', at: Date.UTC(2026, 10, 27, 12), kind: 'goal', text: 'of the ledger', verdict: 'contradicted', checks, leftOut: 0 },
    ]);
    // Whoever only looks on has no ledger.
    const { goals: _, ...looking } = without;
    await assert.rejects(ask(looking, { what: 'goals' }), /^RpcError: none/);
  });
});

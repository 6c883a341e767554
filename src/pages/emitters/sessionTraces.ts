/** The traces and goals of a session, as a page asks for them. */
import { RpcError } from '../../base/jsonRpc.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { type Judgement, type KeptRecord, MAX_RECORDS } from '../../views/traces/keptRecord.ts';
import { ledgerJudgement, recordedJudgement, type ShownJudgement } from '../../views/traces/shownJudgement.ts';
import { type ShownSpan, shownSpan } from '../../views/traces/shownSpan.ts';
import type { ShownGoals, ShownSpans, TowerQuestion } from '../../views/traces/towerQuestion.ts';
import type { NewestSpans } from './newestSpans.ts';
import type { QueryRecords } from './queryRecords.ts';

/** Goals, and claims. */
const SHOWN_JUDGEMENTS = 100;

/** What the gateway knows of one session. All of it rejects with a text that says why not. */
export interface SessionTraces {
  /** Its id at the gateway. */
  readonly sessionId: string;
  records: QueryRecords;
  /** Of the ledger, oldest first. Absent: that is its owner's. */
  goals?(): Promise<readonly Judgement[]>;
}

export interface TracesOfSessions {
  /** Rejects with a text for the user where the gateway does not have the session of this shell. */
  of(session: SessionRef): Promise<SessionTraces>;
  /** Of a session of another window or program, by its id at the gateway. */
  elsewhere(sessionId: string): SessionTraces;
}

/** `spans`: the same each time that it is asked about this session. */
export async function answerTower(session: SessionTraces, question: TowerQuestion, spans: NewestSpans): Promise<unknown> {
  const { sessionId, records } = session;
  switch (question.what) {
    case 'goals':
      return goalsOf(session);
    case 'trace':
      // Also of other sessions, such as that of a job that has begun this one.
      return spansOf(await records({ kind: 'trace', where: { traceId: question.traceId }, limit: MAX_RECORDS }), [], sessionId);
    case 'traces': {
      const { newest, led } = await spans.of(session);
      return spansOf(newest, led, sessionId);
    }
  }
}

function spansOf(newest: readonly KeptRecord[], others: readonly KeptRecord[], sessionId: string): ShownSpans {
  const byId = new Map([...newest, ...others].map((record) => [record.id, record]));
  const spans = [...byId.values()].flatMap((record) => {
    const span = shownSpan(record.data);
    return span ? (isOf(record, sessionId) ? span : withoutPlace(span)) : [];
  });
  return { spans, isCut: newest.length >= MAX_RECORDS };
}

function isOf(record: KeptRecord, sessionId: string): boolean {
  return record.sessionId === undefined || record.sessionId === sessionId;
}

/** What another session has done is not to be found in this one. */
function withoutPlace({ turn: _turn, call: _call, ...span }: ShownSpan): ShownSpan {
  return span;
}

/** The ledger ends with the gateway, and the records do not. */
async function goalsOf({ sessionId, records, goals }: SessionTraces): Promise<ShownGoals> {
  const kinds = ['goal', 'claim'] as const;
  let found: ShownJudgement[];
  let isCut = false;
  try {
    const kept = await Promise.all(kinds.map((kind) => records({ kind, sessionId, limit: SHOWN_JUDGEMENTS })));
    isCut = kept.some((some) => some.length >= SHOWN_JUDGEMENTS);
    found = kept.flatMap((some, at) =>
      some.flatMap((record) => recordedJudgement(kinds[at] ?? 'claim', record.id, record.at, record.data) ?? []),
    );
  } catch (error) {
    // It keeps no records, or cannot read them.
    if (!goals || !(error instanceof RpcError)) throw error;
    found = (await goals()).map(ledgerJudgement);
  }
  return { judgements: found.sort((a, b) => b.at - a.at), isCut };
}

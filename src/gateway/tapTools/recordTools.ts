/** The tool with which a model reads what was kept of its session. */
import { queryOf, recordQuestion } from '../../tap/wire/records/recordQuestion.ts';
import { type TapTool, tapTool } from './tapTool.ts';

/** Characters of all records of an answer, as JSON. */
const ANSWER_LENGTH = 60_000;

const queryRecords = tapTool(
  {
    name: 'tap_query_records',
    description:
      'Read what was kept of this session, newest first, also from before a restart: "decision" (who allowed or denied a call), "run" and "event" (of emitters and providers), "goal", "claim", "review", and "trace" (only where it is asked for). Example: {"kind": "decision", "since": "2h", "where": {"allowed": false}}. Other sessions cannot be read.',
    annotations: { readOnlyHint: true },
  },
  recordQuestion,
  async (question, { gateway, session }) => {
    // Spans are many, and would leave no room for the others.
    const query = { ...queryOf(question, gateway.clock.now()), ...(question.kind === undefined && { without: 'trace' as const }) };
    const found = await gateway.records.query({ ...query, sessionId: session.id });
    const records = found.map(({ kind, at, data }) => ({ kind, at: new Date(at).toISOString(), data }));
    let length = 0;
    const fitting = records.filter((record) => (length += JSON.stringify(record).length) <= ANSWER_LENGTH);
    const leftOut = records.length - fitting.length;
    return { records: fitting, ...(leftOut > 0 && { leftOut: `${leftOut} older records: ask with until` }) };
  },
);

export const recordTools: readonly TapTool[] = [queryRecords];

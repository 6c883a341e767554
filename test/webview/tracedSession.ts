/** What a session has done, in place of the gateway: spans and goals. */
import { ledgerJudgement } from '../../src/views/traces/shownJudgement.ts';
import { shownSpan, type ShownSpan } from '../../src/views/traces/shownSpan.ts';
import type { ShownGoals, ShownSpans, TowerQuestion } from '../../src/views/traces/towerQuestion.ts';

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0');
const START = Date.UTC(2026, 10, 27, 12);

/** `n`: its id. `at`, `ms`: from when to when, in its trace. */
export function tracedSpan(
  [trace, n, above]: readonly [trace: number, n: number, above?: number],
  name: string,
  [at, ms]: readonly [number, number],
  attributes: object = {},
  error?: string,
): ShownSpan {
  const span = shownSpan({
    ...{ traceId: hex(trace, 32), spanId: hex(n, 16), name, startedAt: START + trace * 60_000 + at, durationMs: ms },
    ...(above !== undefined && { parentSpanId: hex(above, 16) }),
    ...(error !== undefined && { failed: true }),
    attributes: { ...attributes, ...(error !== undefined && { 'error.type': error }) },
  });
  if (!span) throw new Error(`${name} is no span`);
  return span;
}

const tool = (name: string, call: string) => ({ 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': call });
const emitter = { 'tapline.emitter': 'npm-test' };

/** A test that failed, and was mended after an approval. */
export const mendedSpans = (trace = 1): ShownSpan[] => [
  tracedSpan([trace, 1], 'emitter_run', [0, 1_000], { ...emitter, 'tapline.run': 4 }, 'exit 1'),
  tracedSpan([trace, 2, 1], 'emitter_lines', [600, 1], { ...emitter, 'tapline.lines.inject': 2 }),
  tracedSpan([trace, 3, 2], 'inject', [601, 399], emitter),
  tracedSpan([trace, 4, 3], 'turn', [1_000, 6_000], { 'tapline.turn.id': 't1' }),
  tracedSpan([trace, 5, 4], 'wait_for_user bash', [1_500, 2_500], tool('bash', 'c1')),
  tracedSpan([trace, 6, 4], 'execute_tool bash', [4_000, 900], tool('bash', 'c1')),
  tracedSpan([trace, 7, 4], 'execute_tool tap_verify_goal_output', [5_000, 400], { 'gen_ai.tool.name': 'tap_verify_goal_output' }),
  tracedSpan([trace, 8, 7], 'call provider', [5_010, 380], { 'tapline.provider': 'tap' }),
];

export class TracedSession {
  spans: ShownSpan[] = [];
  isCut = false;
  goals: ShownGoals = { judgements: [], isCut: false };
  problem: string | undefined;

  answer(question: TowerQuestion): { result: unknown } | { error: string } {
    if (this.problem !== undefined) return { error: this.problem };
    if (question.what === 'goals') return { result: this.goals };
    const { spans, isCut } = this;
    const result: ShownSpans =
      question.what === 'traces' ? { spans, isCut } : { spans: spans.filter(({ traceId }) => traceId === question.traceId), isCut };
    return { result };
  }
}

export const judged: ShownGoals = {
  isCut: false,
  judgements: [
    ledgerJudgement({
      ...{ id: 2, ts: '2026-11-27T12:02:00Z', kind: 'goal', text: 'The login redirect works again', verdict: 'supported' },
      checks: [
        { check: '“npm test” ends with code 0', verdict: 'supported', seenBy: 'session', line: '12 passing' },
        { check: 'src/login.ts contains “redirect(”', verdict: 'supported', seenBy: 'gateway', line: '14: redirect(target)' },
      ],
    }),
    ledgerJudgement({
      ...{ id: 1, ts: '2026-11-27T12:01:00Z', kind: 'claim', text: 'All tests pass', verdict: 'contradicted' },
      checks: [{ check: '“npm test” ends with code 0', verdict: 'contradicted', seenBy: 'session', line: 'it ended with code 1' }],
    }),
  ],
};

/** What a turn says of itself that its evidence contradicts, by the tools of the gateway with which a model shows that what it says is so. */
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { listOf } from '../../../ahp/common/reducers/reducer.ts';
import { needs, object, text, whole } from '../../../ahp/wellFormed/parts/shapeChecks.ts';
import { oneLine } from '../../text/oneLine.ts';
import type { Row } from './transcript.ts';

export interface ContradictedClaim {
  kind: 'goal' | 'claim';
  text: string;
  /** The line that decides. */
  line: string;
}

const MAX_RESULT = 400_000;
const MAX_CLAIMS = 20;

type Verdict = 'supported' | 'contradicted' | 'unknown';
interface Checked {
  verdict: Verdict;
  line: string;
}
const VERDICTS: readonly unknown[] = ['supported', 'contradicted', 'unknown'] satisfies Verdict[];
const verdict = needs((value) => (VERDICTS.includes(value) ? value : undefined));
const checks = needs(whole(object({ verdict, line: needs(text) })));
const goal = object({ goal: needs(text), verdict, checks });
const claims = object({ claims: needs(whole(object({ claim: needs(text), verdict, evidence: checks }))) });

type Judged = Pick<ContradictedClaim, 'kind' | 'text'> & { verdict: Verdict; checks: Checked[] };

/** The same claim may be checked again in the turn. Only what supports it takes the mark away: what says nothing about it does not. */
export function contradictedClaims(rows: readonly Row[]): ContradictedClaim[] {
  const contradicted = new Map<string, Judged>();
  for (const row of rows) {
    if (row.kind !== 'toolCall') continue;
    for (const judged of judgedIn(row.call)) {
      const key = JSON.stringify([judged.kind, judged.text]);
      if (judged.verdict === 'contradicted') contradicted.set(key, judged);
      else if (judged.verdict === 'supported') contradicted.delete(key);
    }
  }
  return [...contradicted.values()].slice(-MAX_CLAIMS).map((judged) => ({
    kind: judged.kind,
    text: oneLine(judged.text),
    line: oneLine(judged.checks.find((check) => check.verdict === 'contradicted')?.line),
  }));
}

const known = new WeakMap<ToolCallState, readonly Judged[]>();

function judgedIn(call: ToolCallState): readonly Judged[] {
  let judged = known.get(call);
  if (!judged) known.set(call, (judged = read(call)));
  return judged;
}

function read(call: ToolCallState): Judged[] {
  // A tool of the agent's own that has the name is none of the gateway.
  if (call.status !== 'completed' || !call.success || call.contributor?.kind !== 'client') return [];
  if (call.toolName === 'tap_verify_goal_output') {
    const data = goal(resultOf(call)) as { goal: string; verdict: Verdict; checks: Checked[] } | undefined;
    return data ? [{ kind: 'goal', text: data.goal, verdict: data.verdict, checks: data.checks }] : [];
  }
  if (call.toolName !== 'tap_audit_claims') return [];
  const data = claims(resultOf(call)) as { claims: { claim: string; verdict: Verdict; evidence: Checked[] }[] } | undefined;
  return (data?.claims ?? []).map(({ claim, verdict: of, evidence }) => ({ kind: 'claim', text: claim, verdict: of, checks: evidence }));
}

function resultOf({ content }: Extract<ToolCallState, { status: 'completed' }>): unknown {
  const [first] = listOf(content);
  if (first?.type !== 'text' || !('text' in first) || first.text.length > MAX_RESULT) return undefined;
  try {
    return JSON.parse(first.text) as unknown;
  } catch {
    return undefined; // cut, or not what it should be
  }
}

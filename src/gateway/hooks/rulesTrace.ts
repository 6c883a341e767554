/** The span of a question to the rules of providers: how long it took, and which rule has decided. Calls that no rule is about have none. */
import type { Span } from '@opentelemetry/api';
import type { HookRule } from '../../tap/wire/hookShapes.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { cleanText } from '../limits/cleanText.ts';
import type { Binding, Session } from '../sessions/session.ts';
import { endFailed } from '../traces/tracing.ts';

/** What the call is that is judged, for its span. */
export interface JudgedCall {
  /** Of the span that the question is below. */
  readonly traceparent?: string | undefined;
  /** As the agent host knows the call. */
  readonly hostCallId?: string | undefined;
}

export interface MatchingRule {
  readonly binding: Binding;
  readonly rule: HookRule;
}

type Decision = 'allow' | 'deny' | 'context';

const DECISION = 'tapline.decision';
const NOTHING = { gate: () => ({ decided: () => undefined, unanswered: () => undefined }), end: () => undefined };

export interface RulesTrace {
  /** A gate is asked. */
  gate(matching: MatchingRule): { decided(decision: Decision): void; unanswered(code: string): void };
  /** `by`: the rule that has decided. */
  end(decision: Decision, by?: MatchingRule): void;
}

/** `startedAt`: when the rules were begun to be compared with the call. */
export function traceRules(
  session: Session,
  tool: string,
  { traceparent, hostCallId }: JudgedCall,
  { matching, startedAt }: { matching: readonly MatchingRule[]; startedAt: number },
): RulesTrace {
  if (!session.tracing.isOn || matching.length === 0) return NOTHING;
  const ofCall = {
    'gen_ai.tool.name': cleanText(tool, Limit.nameLength),
    ...(hostCallId !== undefined && { 'gen_ai.tool.call.id': hostCallId }),
  };
  const span = session.startSpan(`evaluate_rules ${ofCall['gen_ai.tool.name']}`, {
    parent: traceparent,
    attributes: { ...ofCall, 'tapline.rules': matching.length },
    startedAt,
  });
  return {
    gate: (asked) => gateSpan(session, span, asked, ofCall),
    end: (decision, by) => {
      span.setAttribute(DECISION, decision);
      if (by) span.setAttributes(attributesOf(by));
      span.end();
    },
  };
}

function gateSpan(session: Session, parent: Span, asked: MatchingRule, ofCall: Readonly<Record<string, string>>) {
  const attributes = { ...ofCall, ...attributesOf(asked) };
  const span = session.startSpan(`gate ${attributes['tapline.provider']}`, { parent, isToOthers: true, attributes });
  return {
    decided: (decision: Decision) => void span.setAttribute(DECISION, decision).end(),
    unanswered: (code: string) => endFailed(span, code),
  };
}

/** A rule has no name but that of its gate: it is the provider’s first, second and so on. */
function attributesOf({ binding, rule }: MatchingRule): { 'tapline.provider': string; 'tapline.rule': string } {
  const number = binding.rules.findIndex((compiled) => compiled.rule === rule) + 1;
  const named = rule.action === 'gate' ? `gate ${cleanText(rule.gateId, Limit.nameLength)}` : rule.action;
  return {
    'tapline.provider': cleanText(binding.provider.name, Limit.nameLength),
    'tapline.rule': `${number} (${named})`,
  };
}

/** Evaluates hook rules and transforms of a session's providers. */
import type { Clock } from '../../base/clock.ts';
import type { HookRule, Transform } from '../../tap/wire/hookShapes.ts';
import { Limit, Time } from '../../tap/wire/limits.ts';
import type { HookDecision, PromptParts } from '../../tap/wire/owner/ownerMessages.ts';
import type { ProviderMessages } from '../../tap/wire/providerMessages.ts';
import { cleanText } from '../limits/cleanText.ts';
import { rulesFor, type ToolUse } from '../registrations/hookMatch.ts';
import type { Question } from '../sessions/providerLink.ts';
import type { Binding, Session } from '../sessions/session.ts';
import { protectedSections } from '../trust/capabilities.ts';
import { type JudgedCall, type RulesTrace, traceRules } from './rulesTrace.ts';

type GateRule = Extract<HookRule, { action: 'gate' }>;
interface Verdict {
  decision: 'allow' | 'deny' | 'context';
  reason?: string;
}

/** Why a provider has not answered. */
const silences = {
  disconnected: 'has disconnected',
  timeout: 'did not respond in time',
  too_large: 'cannot be asked, because the call is too large',
} as const;
type Silence = keyof typeof silences;

export interface HooksOptions {
  clock: Clock;
  /** Name of the provider that a tool of the session comes from; undefined for the agent's own tools. */
  providerOf(session: Session, tool: string): string | undefined;
  /** False while hooks and context of the provider wait for the user's consent. */
  isActive(binding: Binding): boolean;
}

export class Hooks {
  constructor(private readonly options: HooksOptions) {}

  /**
   * Never rejects. A static deny decides before any provider is asked. Gates are asked together, and the result names the first that
   * denies.
   */
  async evaluate(session: Session, use: ToolUse, judged: JudgedCall = {}): Promise<HookDecision> {
    const startedAt = this.options.clock.now();
    const provider = use.provider ?? this.options.providerOf(session, use.tool);
    const matching = this.#active(session).flatMap((binding) =>
      rulesFor(binding.rules, { ...use, provider }).map((rule) => ({ binding, rule })),
    );
    const trace = traceRules(session, use.tool, judged, { matching, startedAt });
    for (const matched of matching) {
      const { binding, rule } = matched;
      if (rule.action !== 'deny') continue;
      trace.end('deny', matched);
      return denied(binding, rule.reason ?? 'Denied by a rule of this provider.');
    }
    const verdicts = await Promise.all(
      matching.map(async (matched) => {
        const { binding, rule } = matched;
        const isGate = rule.action === 'gate';
        return { matched, binding, verdict: isGate ? await this.#askGate(binding, rule, use, trace.gate(matched)) : staticVerdict(rule) };
      }),
    );
    const context: HookDecision['context'] = [];
    for (const { matched, binding, verdict } of verdicts) {
      if (verdict.decision === 'deny') {
        trace.end('deny', matched);
        return denied(binding, verdict.reason ?? 'Denied by this provider.');
      }
      if (verdict.decision === 'context' && verdict.reason) {
        context.push({ provider: binding.provider.name, content: cleanText(verdict.reason, Limit.textLength) });
      }
    }
    trace.end(context.length > 0 ? 'context' : 'allow');
    const hasRules = this.#active(session).some(({ rules }) => rules.length > 0);
    return { decision: 'allow', context, ...(!hasRules && { guarded: false }) };
  }

  /** Never rejects. Within a section providers come in the order of their registration. Protected sections come last. */
  async transform(session: Session, given: Readonly<Record<string, string>>): Promise<PromptParts> {
    const bindings = this.#active(session);
    const names = new Set([...Object.keys(given), ...bindings.flatMap((binding) => [...binding.transforms.keys()])]);
    const ordered = [...names].sort((a, b) => Number(protectedSections.has(a)) - Number(protectedSections.has(b)));
    const sections = await Promise.all(
      ordered.map((section) => this.#section(section, Object.hasOwn(given, section) ? (given[section] ?? '') : '', bindings)),
    );
    const texts = (pick: (binding: Binding) => string | undefined) =>
      bindings.flatMap((binding) => {
        const content = pick(binding);
        return content ? [{ provider: binding.provider.name, content: cleanText(content, Limit.textLength) }] : [];
      });
    return { sections, context: texts(({ context }) => context), startup: texts(({ provider }) => provider.startupContext) };
  }

  async #section(section: string, given: string, bindings: readonly Binding[]): Promise<PromptParts['sections'][number]> {
    let content = given;
    const parts: PromptParts['sections'][number]['parts'] = [];
    for (const binding of bindings) {
      const transform = binding.transforms.get(section);
      if (!transform) continue;
      const before = content;
      content = transform.action === 'callback' ? await this.#askTransform(binding, section, before) : applyStatic(transform, before);
      const added = transform.action === 'callback' ? content : transform.content;
      if (content !== before) parts.push({ provider: binding.provider.name, action: transform.action, content: added });
    }
    return { section, content, parts };
  }

  #active(session: Session): Binding[] {
    return [...session.bindings].filter((binding) => this.options.isActive(binding));
  }

  #askGate(binding: Binding, rule: GateRule, use: ToolUse, trace: ReturnType<RulesTrace['gate']>): Promise<Verdict> {
    const silent = (how: Silence): Verdict => {
      trace.unanswered(how);
      return rule.failOpen
        ? { decision: 'allow' }
        : { decision: 'deny', reason: `Gate provider '${binding.provider.name}' ${silences[how]}.` };
    };
    return this.#ask<Verdict>(binding, 'gate', Time.gateMs, {
      send: (callId) => ({
        type: 'gate.check',
        gateId: rule.gateId,
        callId,
        sessionId: binding.session.id,
        tool: use.tool,
        args: use.args ?? {},
      }),
      answered: (answer) => {
        const verdict = answer as ProviderMessages['gate.result'];
        trace.decided(verdict.decision);
        return verdict;
      },
      unanswered: silent,
    });
  }

  #askTransform(binding: Binding, section: string, current: string): Promise<string> {
    return this.#ask<string>(binding, 'transform', Time.transformMs, {
      send: (callId) => ({ type: 'transform.request', callId, sessionId: binding.session.id, section, current }),
      answered: (answer) => (answer as ProviderMessages['transform.result']).content,
      unanswered: () => current,
    });
  }

  #ask<T>(
    { provider: { link } }: Binding,
    kind: 'gate' | 'transform',
    timeoutMs: number,
    how: {
      send(callId: string): Parameters<typeof link.send>[0];
      answered(answer: Parameters<Question['answered']>[0]): T;
      unanswered(why: Silence): T;
    },
  ): Promise<T> {
    return new Promise((resolve) => {
      const end = (value: T) => {
        timer.dispose();
        resolve(value);
      };
      const callId = link.ask({
        kind,
        timeoutMs,
        answered: (answer) => end(how.answered(answer)),
        lost: () => end(how.unanswered('disconnected')),
      });
      const giveUp = (why: Silence) => {
        link.settle(callId);
        end(how.unanswered(why));
      };
      const timer = this.options.clock.setTimer(() => giveUp('timeout'), timeoutMs);
      if (!link.send(how.send(callId))) giveUp('too_large');
    });
  }
}

function applyStatic(transform: Exclude<Transform, { action: 'callback' }>, current: string): string {
  if (transform.action === 'replace' || !current) return transform.content;
  return transform.action === 'append' ? `${current}\n${transform.content}` : `${transform.content}\n${current}`;
}

function staticVerdict(rule: HookRule): Verdict {
  return rule.action === 'context' ? { decision: 'context', reason: rule.content } : { decision: 'allow' };
}

function denied(binding: Binding, reason: string): HookDecision {
  return { decision: 'deny', reason: cleanText(reason, Limit.textLength), provider: binding.provider.name, context: [] };
}

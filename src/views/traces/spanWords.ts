/** What a span is called, and the icon beside it. */
import * as l10n from '../../base/l10n.ts';
import { durationText } from '../text/time/duration.ts';
import type { ShownSpan } from './shownSpan.ts';

export interface SpanWords {
  icon: string;
  text: string;
}

export function spanWords(span: ShownSpan): SpanWords {
  const { name, emitter, run, provider, service, tool, lines } = span;
  const of = emitter ?? provider;
  switch (kindOf(span)) {
    case 'emitter_run':
      return { icon: 'eye', text: runText(emitter ?? l10n.t('a watch'), run) };
    case 'emitter_lines':
      return { icon: 'output', text: linesText(emitter ?? l10n.t('a watch'), lines) };
    case 'inject':
      return { icon: 'inbox', text: of === undefined ? l10n.t('Waits for the agent') : l10n.t`Waits for the agent: ${of}` };
    case 'turn':
      return { icon: 'comment', text: l10n.t('Turn') };
    case 'wait_for_user':
      return { icon: 'person', text: tool === undefined ? l10n.t('Waits for you') : l10n.t`Waits for you: ${tool}` };
    case 'execute_tool':
      return { icon: 'tools', text: tool === undefined ? l10n.t('Call of a tool') : l10n.t`Call of ${tool}` };
    case 'call provider':
      return { icon: 'plug', text: provider ?? l10n.t('A provider') };
    case 'portal_run':
      return { icon: 'rocket', text: l10n.t`Run of ${name.slice('portal_run '.length) || l10n.t('a job')}` };
    case 'portal_queue':
      return { icon: 'watch', text: l10n.t('Waits in the queue') };
    case 'portal_step':
      return { icon: 'checklist', text: l10n.t`Step ${name.slice('portal_step '.length)}` };
    case 'portal_session':
      return { icon: 'comment-discussion', text: l10n.t('Session') };
    case 'evaluate_rules':
      return { icon: 'law', text: decided(l10n.t`Rules about ${tool ?? l10n.t('a call')}`, span) };
    case 'gate':
      return { icon: 'shield', text: decided(l10n.t`Gate of ${provider ?? l10n.t('a provider')}`, span) };
    case undefined:
      return { icon: 'circle-small', text: service === undefined ? name : `${name} (${service})` };
  }
}

function runText(watch: string, run: number | undefined): string {
  return run === undefined ? l10n.t`Run of ${watch}` : l10n.t`Run ${run} of ${watch}`;
}

function linesText(watch: string, lines: number | undefined): string {
  if (lines === undefined) return l10n.t`Lines of ${watch}`;
  return l10n.plural(lines, l10n.t`${l10n.countText(lines)} line of ${watch}`, l10n.t`${l10n.countText(lines)} lines of ${watch}`);
}

/* eslint-disable texts/translated -- names of spans */
const kinds = [
  'emitter_run',
  'emitter_lines',
  'inject',
  'turn',
  'wait_for_user',
  'execute_tool',
  'call provider',
  'evaluate_rules',
  'gate',
  'portal_run',
  'portal_queue',
  'portal_step',
  'portal_session',
] as const;
/* eslint-enable texts/translated */
export type SpanKind = (typeof kinds)[number];

/** Undefined for a span of others. */
export function kindOf({ name, service }: Pick<ShownSpan, 'name' | 'service'>): SpanKind | undefined {
  return service === undefined ? kinds.find((kind) => name === kind || name.startsWith(`${kind} `)) : undefined;
}

const decisions: Readonly<Record<string, string>> = {
  allow: l10n.t({ message: 'allow', comment: 'a decision' }),
  deny: l10n.t({ message: 'deny', comment: 'a decision' }),
  context: l10n.t({ message: 'context', comment: 'a decision' }),
};

/** `decision`: a word of the gateway, such as `deny`, which another version may not know. */
function decided(what: string, { decision: word, provider, rule, name }: ShownSpan): string {
  if (word === undefined) return what;
  const decision = Object.hasOwn(decisions, word) ? (decisions[word] ?? word) : word;
  const by = kindOf({ name }) === 'gate' ? undefined : provider;
  if (rule === undefined) return by === undefined ? `${what}: ${decision}` : l10n.t`${what}: ${decision} by ${by}`;
  return by === undefined ? l10n.t`${what}: ${decision}, rule ${rule}` : l10n.t`${what}: ${decision} by ${by}, rule ${rule}`;
}

/** “12 ms”, “1.2 s”, “2 min 3 s” */
export function spanTime(ms: number): string {
  if (ms < 1) return l10n.t('less than 1 ms');
  if (ms < 1_000) return l10n.t`${l10n.countText(Math.round(ms))} ms`;
  if (ms >= 10_000) return durationText(ms);
  return l10n.t`${l10n.countText(ms / 1_000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
}

/** What a span is called, and the icon beside it. */
import { counted } from '../text/counted.ts';
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
      return { icon: 'eye', text: run === undefined ? `Run of ${emitter ?? 'a watch'}` : `Run ${run} of ${emitter ?? 'a watch'}` };
    case 'emitter_lines':
      return {
        icon: 'output',
        text: lines === undefined ? `Lines of ${emitter ?? 'a watch'}` : `${counted(lines, 'line')} of ${emitter ?? 'a watch'}`,
      };
    case 'inject':
      return { icon: 'inbox', text: `Waits for the agent${of === undefined ? '' : `: ${of}`}` };
    case 'turn':
      return { icon: 'comment', text: 'Turn' };
    case 'wait_for_user':
      return { icon: 'person', text: `Waits for you${tool === undefined ? '' : `: ${tool}`}` };
    case 'execute_tool':
      return { icon: 'tools', text: `Call of ${tool ?? 'a tool'}` };
    case 'call provider':
      return { icon: 'plug', text: provider ?? 'A provider' };
    case 'portal_run':
      return { icon: 'rocket', text: `Run of ${name.slice('portal_run '.length) || 'a job'}` };
    case 'portal_queue':
      return { icon: 'watch', text: 'Waits in the queue' };
    case 'portal_step':
      return { icon: 'checklist', text: `Step ${name.slice('portal_step '.length)}` };
    case 'portal_session':
      return { icon: 'comment-discussion', text: 'Session' };
    case 'evaluate_rules':
      return { icon: 'law', text: `Rules about ${tool ?? 'a call'}${decisionText(span)}` };
    case 'gate':
      return { icon: 'shield', text: `Gate of ${provider ?? 'a provider'}${decisionText(span)}` };
    case undefined:
      return { icon: 'circle-small', text: service === undefined ? name : `${name} (${service})` };
  }
}

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
export type SpanKind = (typeof kinds)[number];

/** Undefined for a span of others. */
export function kindOf({ name, service }: Pick<ShownSpan, 'name' | 'service'>): SpanKind | undefined {
  return service === undefined ? kinds.find((kind) => name === kind || name.startsWith(`${kind} `)) : undefined;
}

function decisionText({ decision, provider, rule, name }: ShownSpan): string {
  if (decision === undefined) return '';
  const by = provider === undefined || kindOf({ name }) === 'gate' ? '' : ` by ${provider}`;
  return `: ${decision}${by}${rule === undefined ? '' : `, rule ${rule}`}`;
}

/** “12 ms”, “1.2 s”, “2 min 3 s” */
export function spanTime(ms: number): string {
  if (ms < 1) return 'less than 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : durationText(ms);
}

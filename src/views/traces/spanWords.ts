/** What a span is called, and the icon beside it. */
import * as l10n from '@vscode/l10n';
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
      return {
        icon: 'eye',
        text: run === undefined ? l10n.t`Run of ${emitter ?? 'a watch'}` : `Run ${run} of ${emitter ?? l10n.t('a watch')}`,
      };
    case 'emitter_lines':
      return {
        icon: 'output',
        text:
          lines === undefined ? l10n.t`Lines of ${emitter ?? 'a watch'}` : `${counted(lines, 'line')} of ${emitter ?? l10n.t('a watch')}`,
      };
    case 'inject':
      return { icon: 'inbox', text: l10n.t`Waits for the agent${of === undefined ? '' : `: ${of}`}` };
    case 'turn':
      return { icon: 'comment', text: l10n.t('Turn') };
    case 'wait_for_user':
      return { icon: 'person', text: l10n.t`Waits for you${tool === undefined ? '' : `: ${tool}`}` };
    case 'execute_tool':
      return { icon: 'tools', text: l10n.t`Call of ${tool ?? 'a tool'}` };
    case 'call provider':
      return { icon: 'plug', text: provider ?? l10n.t('A provider') };
    case undefined:
      return { icon: 'circle-small', text: service === undefined ? name : `${name} (${service})` };
  }
}

const kinds = ['emitter_run', 'emitter_lines', 'inject', 'turn', 'wait_for_user', 'execute_tool', l10n.t('call provider')] as const;
export type SpanKind = (typeof kinds)[number];

/** Undefined for a span of others. */
export function kindOf({ name, service }: Pick<ShownSpan, 'name' | 'service'>): SpanKind | undefined {
  return service === undefined ? kinds.find((kind) => name === kind || name.startsWith(`${kind} `)) : undefined;
}

/** “12 ms”, “1.2 s”, “2 min 3 s” */
export function spanTime(ms: number): string {
  if (ms < 1) return l10n.t('less than 1 ms');
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : durationText(ms);
}

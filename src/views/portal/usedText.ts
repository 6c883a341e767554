/** What a step or a run has used, in one line: “12 model calls · 34,000 tokens · 3 min of work”. */
import * as l10n from '../../base/l10n.ts';
import { durationText } from '../text/time/duration.ts';
import type { Usage } from './answers/runAnswers.ts';

/** Undefined where nothing is known. */
export function usedText(used: Usage | undefined): string | undefined {
  if (!used) return undefined;
  const { modelCalls, toolCalls, inputTokens, outputTokens, ms } = used;
  const tokens = inputTokens + outputTokens;
  const parts = [
    ...(modelCalls > 0
      ? [l10n.plural(modelCalls, l10n.t`${l10n.countText(modelCalls)} model call`, l10n.t`${l10n.countText(modelCalls)} model calls`)]
      : []),
    ...(toolCalls > 0
      ? [l10n.plural(toolCalls, l10n.t`${l10n.countText(toolCalls)} tool call`, l10n.t`${l10n.countText(toolCalls)} tool calls`)]
      : []),
    ...(tokens > 0 ? [l10n.plural(tokens, l10n.t`${l10n.countText(tokens)} token`, l10n.t`${l10n.countText(tokens)} tokens`)] : []),
    ...(ms > 0 ? [l10n.t`${durationText(ms)} of work`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

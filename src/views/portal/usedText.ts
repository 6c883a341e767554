/** What a step or a run has used, in one line: “12 model calls · 34,000 tokens · 3 min of work”. */
import * as l10n from '@vscode/l10n';
import { counted } from '../text/counted.ts';
import { durationText } from '../text/time/duration.ts';
import type { Usage } from './answers/runAnswers.ts';

/** Undefined where nothing is known. */
export function usedText(used: Usage | undefined): string | undefined {
  if (!used) return undefined;
  const { modelCalls, toolCalls, inputTokens, outputTokens, ms } = used;
  const tokens = inputTokens + outputTokens;
  const parts = [
    ...(modelCalls > 0 ? [counted(modelCalls, l10n.t('model call'))] : []),
    ...(toolCalls > 0 ? [counted(toolCalls, l10n.t('tool call'))] : []),
    ...(tokens > 0 ? [counted(tokens, 'token')] : []),
    ...(ms > 0 ? [l10n.t`${durationText(ms)} of work`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

import * as l10n from '../../../base/l10n.ts';
import type { ConfirmationResult } from '../agent.ts';
import { markdownText, plain } from '../markdown.ts';

/** The answer to a call that a rule denies. */
export function ruleRefusal(message: string): string {
  return l10n.t`A rule of this session does not allow it: ${plain(message)}`;
}

/** The answer to a denied call: repeats the user's reason and suggestion. */
export function refusal(decision: Extract<ConfirmationResult, { approved: false }>): string {
  if (decision.byRule) return ruleRefusal(markdownText(decision.message ?? ''));
  return l10n.sentencesText([
    decision.reason === 'skipped' ? l10n.t('You did not allow it, it was skipped.') : l10n.t('You did not allow it.'),
    ...(decision.message === undefined ? [] : [l10n.t`Your reason: “${plain(markdownText(decision.message))}”.`]),
    ...(decision.suggestion ? [l10n.t`Your suggestion: “${plain(decision.suggestion.text)}”.`] : []),
  ]);
}

import type { ConfirmationResult } from '../agent.ts';
import { markdownText, plain } from '../markdown.ts';

/** The answer to a call that a rule denies. */
export function ruleRefusal(message: string): string {
  return `A rule of this session does not allow it: ${plain(message)}`;
}

/** The answer to a denied call: repeats the user's reason and suggestion. */
export function refusal(decision: Extract<ConfirmationResult, { approved: false }>): string {
  if (decision.byRule) return ruleRefusal(markdownText(decision.message ?? ''));
  const said = decision.message === undefined ? '' : ` Your reason: “${plain(markdownText(decision.message))}”.`;
  const suggested = decision.suggestion ? ` Your suggestion: “${plain(decision.suggestion.text)}”.` : '';
  return `You did not allow it${decision.reason === 'skipped' ? ', it was skipped' : ''}.${said}${suggested}`;
}

import type { ConfirmationResult } from '../agent.ts';
import { markdownText, plain } from '../markdown.ts';

/** What the agent understood when a call was not allowed: the person's reason and what they suggest instead. */
export function refusal(decision: Extract<ConfirmationResult, { approved: false }>): string {
  const said = decision.message === undefined ? '' : ` Your reason: “${plain(markdownText(decision.message))}”.`;
  const suggested = decision.suggestion ? ` Your suggestion: “${plain(decision.suggestion.text)}”.` : '';
  return `You did not allow it${decision.reason === 'skipped' ? ', it was skipped' : ''}.${said}${suggested}`;
}

/** Notes in the transcript about what the engine does when a conversation no longer fits into the model's context window. */
import type { SessionEvent } from '@github/copilot-sdk';
import { code } from '../../markdown.ts';

/** Undefined for all other events, and for those of subagents. */
export function contextNote(event: SessionEvent): string | undefined {
  if (event.agentId !== undefined) return undefined;
  if (event.type === 'session.truncation') {
    const { messagesRemovedDuringTruncation: count } = event.data;
    const what = count === 1 ? 'oldest message was' : `${count} oldest messages were`;
    return `The conversation is too large for the model: its ${what} left out.`;
  }
  if (event.type !== 'session.compaction_complete') return undefined;
  const { success, error, preCompactionTokens: before, postCompactionTokens: after } = event.data;
  if (!success) return `The conversation could not be compacted${error ? `: ${code(error)}` : ''}.`;
  const sizes = before !== undefined && after !== undefined ? ` from ${before} to ${after} tokens` : '';
  return `The conversation was compacted${sizes}: the model goes on with a summary of it.`;
}

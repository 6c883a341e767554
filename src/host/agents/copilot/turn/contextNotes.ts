/** How full the model's context window is, and what the engine does when a conversation no longer fits into it. */
import type { SessionEvent } from '@github/copilot-sdk';
import type { Message } from '../../../../ahp/channels/shapes/message.ts';
import type { ContextUse } from '../../../../ahp/contextUse.ts';
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

/** What the engine says of the window, as the protocol's extension says it. */
interface EngineWindow {
  currentTokens: number;
  tokenLimit: number;
  systemTokens?: number;
  toolDefinitionsTokens?: number;
  conversationTokens?: number;
}

export function contextUse(window: EngineWindow): ContextUse {
  const {
    currentTokens: used,
    tokenLimit: limit,
    systemTokens: system,
    toolDefinitionsTokens: tools,
    conversationTokens: conversation,
  } = window;
  return {
    used,
    limit,
    ...(system !== undefined && { system }),
    ...(tools !== undefined && { tools }),
    ...(conversation !== undefined && { conversation }),
    compact: COMPACT,
  };
}

/** A message that asks for a summary in place of the conversation, as in GitHub's own client. What follows says what to keep. */
const COMPACT = '/compact';

/** What a message wants kept of the conversation, which may be nothing in particular. Undefined when it is no request to compact. */
export function compactFocus({ text, attachments = [] }: Message): string | undefined {
  const [command, ...focus] = text.trim().split(/\s+/);
  return command === COMPACT && attachments.length === 0 ? focus.join(' ') : undefined;
}

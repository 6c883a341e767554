/** How full the model's context window is, and what the engine does when a conversation no longer fits into it. */
import type { SessionEvent } from '@github/copilot-sdk';
import type { Message } from '../../../../ahp/channels/shapes/message.ts';
import type { ContextUse } from '../../../../ahp/contextUse.ts';
import * as l10n from '../../../../base/l10n.ts';
import { code } from '../../markdown.ts';

/** Undefined for all other events, and for those of subagents. */
export function contextNote(event: SessionEvent): string | undefined {
  if (event.agentId !== undefined) return undefined;
  if (event.type === 'session.truncation') {
    const { messagesRemovedDuringTruncation: count } = event.data;
    return l10n.plural(
      count,
      l10n.t('The conversation is too large for the model: its oldest message was left out.'),
      l10n.t`The conversation is too large for the model: its ${l10n.countText(count)} oldest messages were left out.`,
    );
  }
  if (event.type !== 'session.compaction_complete') return undefined;
  const { success, error, preCompactionTokens: before, postCompactionTokens: after } = event.data;
  if (!success)
    return error ? l10n.t`The conversation could not be compacted: ${code(error)}.` : l10n.t('The conversation could not be compacted.');
  return before !== undefined && after !== undefined
    ? l10n.t`The conversation was compacted from ${l10n.countText(before)} to ${l10n.countText(after)} tokens: the model goes on with a summary of it.`
    : l10n.t('The conversation was compacted: the model goes on with a summary of it.');
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

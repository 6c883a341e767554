import type { RejectedMessage } from '../protocol.ts';

/** The newest refusal of an answer to this call or question. Other chats, such as those of subagents, may use the same ids. */
export function rejectionOf(
  rejections: readonly RejectedMessage[],
  chat: string,
  key: 'toolCallId' | 'requestId',
  id: string,
): RejectedMessage | undefined {
  return rejections.findLast(({ uri, action }) => uri === chat && (action as { toolCallId?: unknown; requestId?: unknown })[key] === id);
}

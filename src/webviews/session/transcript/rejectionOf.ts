import type { RejectedMessage } from '../protocol.ts';

/** The newest refusal of an answer to this call or question. Other chats may use the same ids, and other turns the same ids of calls. */
export function rejectionOf(
  rejections: readonly RejectedMessage[],
  chat: string,
  answered: { turnId: string; toolCallId: string } | { requestId: string },
): RejectedMessage | undefined {
  const ids = Object.entries(answered);
  return rejections.findLast(
    ({ uri, action }) => uri === chat && ids.every(([key, id]) => new Map(Object.entries(action)).get(key) === id),
  );
}

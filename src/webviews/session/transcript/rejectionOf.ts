import type { RejectedMessage } from '../protocol.ts';

/** The newest refusal of an answer to this call or question. Other sessions, such as those of subagents, may use the same ids. */
export function rejectionOf(
  rejections: readonly RejectedMessage[],
  session: string,
  key: 'toolCallId' | 'requestId',
  id: string,
): RejectedMessage | undefined {
  return rejections.findLast(({ action }) => {
    const named = action as { session?: unknown; toolCallId?: unknown; requestId?: unknown };
    return named.session === session && named[key] === id;
  });
}

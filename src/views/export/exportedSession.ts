/** What is exported of a session, and how much of it fits into a file. */
import type { ChatState } from '../../ahp/channels/chat/state.ts';

export interface ExportedChat {
  readonly title: string;
  readonly chat: ChatState;
  /** Turns are missing. */
  readonly isPart: boolean;
}
export interface ExportedSession {
  readonly title: string;
  readonly agent: string;
  readonly host: string;
  readonly folder?: string;
  /** As the host says it. */
  readonly createdAt?: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  readonly chats: readonly ExportedChat[];
  /** Titles of chats that the host did not give. */
  readonly missing: readonly string[];
}

/** The pieces as one text, up to `limit` characters. `pause` is awaited after each piece. */
export async function joined(
  pieces: Iterable<string>,
  limit: number,
  pause: () => Promise<void> | undefined,
): Promise<{ text: string; isCut: boolean }> {
  const kept: string[] = [];
  let size = 0;
  for (const piece of pieces) {
    await pause();
    if (size + piece.length > limit) return { text: kept.join(''), isCut: true };
    kept.push(piece);
    size += piece.length;
  }
  return { text: kept.join(''), isCut: false };
}

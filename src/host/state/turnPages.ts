/** Pages of the turns of a chat, and the cursors between them. */
import type { ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import { sizeOf } from './replayBuffer.ts';

/** Of a page, unless a client wishes fewer or more of them in its snapshot. */
export const PAGE_TURNS = 50;
/** Characters of the turns of a page. It has one turn at least. */
const PAGE_SIZE = 1024 * 1024;

/** Where a page ends that has at most so many turns before `end`. */
export function beginOfPage(turns: readonly Turn[], end: number, count: number, limit = PAGE_SIZE): number {
  const first = Math.max(0, end - Math.max(1, count));
  let size = 0;
  let begin = end;
  while (begin > first && (begin === end || size <= limit)) size += sizeOf(turns[--begin]);
  return size > limit && begin < end - 1 ? begin + 1 : begin;
}

/** It names the newest turn that is missing. */
export function cursorAt(turns: readonly Turn[], begin: number): { turnsNextCursor?: string } {
  const missing = turns[begin - 1];
  return missing ? { turnsNextCursor: `${begin}:${missing.id}` } : {};
}

/** The turns before this place are missing. Undefined where the chat has other turns now. */
export function placeOf(cursor: string, turns: readonly Turn[]): number | undefined {
  const [place = '', ...id] = cursor.split(':');
  const missing = /^\d{1,9}$/.test(place) ? turns[Number(place) - 1] : undefined;
  return missing?.id === id.join(':') ? Number(place) : undefined;
}

/** How many turns before those of the page are missing. */
export function beginOf({ turnsNextCursor }: ChatState): number {
  return turnsNextCursor === undefined ? 0 : Number.parseInt(turnsNextCursor);
}

/** The chat with the newest turns alone, and a cursor for those before. */
export function newestPage(chat: ChatState, begin = beginOfPage(chat.turns, chat.turns.length, PAGE_TURNS)): ChatState {
  return begin === 0 ? chat : { ...chat, turns: chat.turns.slice(begin), ...cursorAt(chat.turns, begin) };
}

/** How many turns the first picture of a chat needs: those that fill the window, as far as their texts tell. */
import type { ActiveTurn, ChatState, ResponsePart, Turn } from '../../../ahp/channels/chat/state.ts';

/** Pixels that a turn takes at least, a line and a character. They are less than what is drawn, so that the window is rather too full. */
const TURN = 60;
const LINE = 16;
const CHARACTER = 5;
/** Lines of a part that is folded, or shown by its name only. */
const FOLDED = 1;

interface Room {
  width: number;
  height: number;
}

/** From 1 to `most`. A window without a size is not on screen yet, and may have any. */
export function firstTurns({ turns, activeTurn }: Pick<ChatState, 'turns' | 'activeTurn'>, { width, height }: Room, most: number): number {
  if (width <= 0 || height <= 0) return most;
  let left = height - (activeTurn ? heightOf(activeTurn, width) : 0);
  let count = activeTurn ? 1 : 0;
  while (left > 0 && count < most) {
    const turn = turns.at(-1 - count + (activeTurn ? 1 : 0));
    if (!turn) break;
    left -= heightOf(turn, width);
    count++;
  }
  return Math.max(1, count);
}

function heightOf({ message, responseParts }: Turn | ActiveTurn, width: number): number {
  const perLine = Math.max(1, Math.floor(width / CHARACTER));
  const lines = (text: string) => Math.ceil(text.length / perLine);
  const ofPart = (part: ResponsePart) => (part.kind === 'markdown' && 'content' in part ? lines(part.content) : FOLDED);
  return TURN + LINE * responseParts.reduce((sum, part) => sum + ofPart(part), lines(message.text) - 1);
}

/** How many turns the first picture of a chat needs: those that fill the window, as far as their texts tell. */
import type { ActiveTurn, ChatState, ResponsePart, Turn } from '../../../ahp/channels/chat/state.ts';
import { excerpt } from '../../text/excerpt.ts';
import { MESSAGE_ROOM, messageView } from './messageView.ts';

/** Pixels that a turn takes at least, a line and a character. They are less than what is drawn, so that the window is rather too full. */
const TURN = 60;
const LINE = 16;
const CHARACTER = 5;
/** Lines of a part that is folded, or shown by its name only. */
const FOLDED = 1;
/** Lines of code, which scrolls when it is longer. */
const CODE = 22;
/** Characters of a Markdown text: of a longer one the end is drawn first. */
const MARKDOWN = 4_000;
const FENCE = /^ {0,3}(?:```|~~~)/;

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
  const ofPart = (part: ResponsePart, at: number) => {
    if (part.kind === 'markdown' && 'content' in part) return linesOfMarkdown(part.content.slice(-MARKDOWN), perLine);
    // Calls that follow each other may be one row.
    return part.kind === 'toolCall' && responseParts[at - 1]?.kind === 'toolCall' ? 0 : FOLDED;
  };
  const ofMessage = linesOf(excerpt(messageView(message).words.split('\n'), MESSAGE_ROOM), perLine);
  return TURN + LINE * responseParts.reduce((sum, part, at) => sum + ofPart(part, at), ofMessage - 1);
}

function linesOf(lines: readonly string[], perLine: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
}

/** The lines of a paragraph become one text, those of code do not. */
function linesOfMarkdown(text: string, perLine: number): number {
  let characters = 0;
  let lines = 0;
  let ofCode: number | undefined;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) ofCode = ofCode === undefined ? 0 : undefined;
    else if (ofCode === undefined) characters += line.length;
    else if (ofCode++ < CODE) lines++;
  }
  return lines + Math.ceil(characters / perLine);
}

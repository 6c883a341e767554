/** The first line of what a turn says at its end, for a notification. */
import type { ResponsePart, Turn } from '../../ahp/channels/chat/state.ts';
import { plainText } from '../text/inlineText.ts';
import { oneLine } from '../text/oneLine.ts';

/** In characters. A notification has room for a line or two. */
const LIMIT = 160;
/** Where the line is searched, in characters. Answers may be long. */
const SEARCHED = 2_000;

/** The marks of a heading, a quotation or a list. */
const BLOCK_MARKS = /^(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s/;
/** Lines that are marks only: fences and rules. */
const MARKS_ONLY = /^(?:```|~~~|---|\*\*\*|___|===)/;

/** Without markup. Of a turn that failed, that of the error. `''` where there is none. */
export function answerLine({ state, responseParts }: Pick<Turn, 'state' | 'responseParts'>): string {
  const error = responseParts.findLast((part) => part.kind === 'error');
  if (state === 'error') return error ? oneLine(error.error.message, LIMIT) : '';
  let line = '';
  for (const part of responseParts.toReversed()) {
    // What was said before the last call is about the way, not the result.
    if (line !== '' && isCall(part)) break;
    if (part.kind === 'markdown') line = firstLine(part.content) || line;
  }
  return line;
}

function isCall({ kind }: ResponsePart): boolean {
  return kind === 'toolCall' || kind === 'inputRequest';
}

function firstLine(markdown: string): string {
  for (const source of markdown.slice(0, SEARCHED).split('\n')) {
    let text = source.trim();
    if (MARKS_ONLY.test(text)) continue;
    while (BLOCK_MARKS.test(text)) text = text.replace(BLOCK_MARKS, '').trimStart();
    const plain = oneLine(plainText({ markdown: text }), LIMIT);
    if (plain !== '') return plain;
  }
  return '';
}

/** Places in a text as offsets in UTF-16 code units, which move when the text is edited. */
import type { Range } from '../../../openctx/protocol/messages.ts';

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** `text` has replaced `rangeLength` units at `rangeOffset` of the text before. The shape of VS Code’s changes. */
export interface Edit {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** Gives the place of a range that lies in the text. */
export function placesIn(content: string): (range: Range) => Place {
  const lines = [0];
  for (const { 0: end, index } of content.matchAll(/\r\n|\r|\n/g)) lines.push(index + end.length);
  const offset = ({ line, character }: Range['start']) => Math.min((lines[line] ?? content.length) + character, content.length);
  return ({ start, end }) => ({ start: offset(start), end: offset(end) });
}

/** After edits of one version of the text, which do not overlap each other. Undefined: an edit has cut through the place, or removed it. */
export function moved(place: Place, edits: readonly Edit[]): Place | undefined {
  let { start, end } = place;
  // The last one first, so that the offsets of the others stay as they are.
  for (const { rangeOffset, rangeLength, text } of [...edits].sort((a, b) => b.rangeOffset - a.rangeOffset)) {
    const editEnd = rangeOffset + rangeLength;
    const growth = text.length - rangeLength;
    if (editEnd <= start) {
      start += growth;
      end += growth;
    } else if (rangeOffset >= end) {
      continue;
    } else if (rangeOffset > start && editEnd < end) {
      end += growth;
    } else return undefined;
  }
  return { start, end };
}

/** The colours of a line of a diff, beside the marks of its words. */
import type { LinePart } from '../../../views/session/toolCall/markedWords.ts';
import type { CodeKind, CodePart } from '../../code/codeParts.ts';

export interface ColouredLinePart extends LinePart {
  code?: CodeKind;
}

/** The same text with the same marks. What is left of `colours` at the end belongs to a line break or to what was cut. */
export function colouredLine(parts: readonly LinePart[], colours: readonly CodePart[] = []): readonly ColouredLinePart[] {
  const line = parts.map(({ text }) => text).join('');
  const code = colours.map(({ text }) => text).join('');
  if (!code.startsWith(line)) return parts;
  const coloured: ColouredLinePart[] = [];
  let [colour, used] = [0, 0];
  for (const { text, ...mark } of parts) {
    for (let at = 0; at < text.length;) {
      const { text: piece = '', kind } = colours[colour] ?? {};
      const length = Math.min(text.length - at, piece.length - used);
      coloured.push({ text: text.slice(at, at + length), ...mark, ...(kind && { code: kind }) });
      at += length;
      used += length;
      if (used === piece.length) [colour, used] = [colour + 1, 0];
    }
  }
  return coloured.length > 0 ? coloured : parts;
}

/** Where a range of a text is after the text has changed. */
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import { type LineChanges, lineChanges } from '../../base/text/lineChanges.ts';

type Position = TextRange['start'];

/**
 * What is behind changed lines moves with them. What is inside stays in the lines that replace them, or at the nearest line where there are
 * none. Undefined where nothing moves, and where the texts are too different or too long to be compared.
 */
export function movedRange(range: TextRange, before: string, after: string): TextRange | undefined {
  return rangeMover(before, after)(range);
}

/** As {@link movedRange}, for any number of ranges: the texts are compared once. */
export function rangeMover(before: string, after: string): (range: TextRange) => TextRange | undefined {
  const compared = lineChanges(before, after);
  return (range) => (compared && compared.changes.length > 0 ? movedIn(compared, range) : undefined);
}

function movedIn(compared: LineChanges, range: TextRange): TextRange | undefined {
  const start = moved(range.start, compared);
  // A range of whole lines ends where the next line begins, which is not part of it.
  const isWhole = range.end.character === 0 && range.end.line > range.start.line;
  const end = isWhole ? endOfLines(range.end.line, compared) : moved(range.end, compared);
  const isSame = samePosition(start, range.start) && samePosition(end, range.end);
  if (isSame) return undefined;
  // A range may have begun behind the end of its line.
  return { start, end: end.line === start.line && end.character < start.character ? start : end };
}

function moved({ line, character }: Position, compared: LineChanges): Position {
  const place = placeOf(line, compared);
  if (place.isGone) return nearest(place.line, compared);
  if (!place.isChanged) return { line: place.line, character };
  return { line: place.line, character: Math.min(character, lengthOf(compared.after[place.line])) };
}

/** `line`: the one behind the last of them. */
function endOfLines(line: number, compared: LineChanges): Position {
  const last = placeOf(line - 1, compared);
  return last.isGone ? nearest(last.line, compared) : { line: last.line + 1, character: 0 };
}

function placeOf(line: number, { changes }: LineChanges): { line: number; isChanged: boolean; isGone: boolean } {
  let offset = 0;
  for (const { removed, added } of changes) {
    if (line < removed[0]) break;
    if (line < removed[1]) {
      const isGone = added[1] === added[0];
      return { line: Math.max(added[0], Math.min(added[0] + line - removed[0], added[1] - 1)), isChanged: true, isGone };
    }
    offset = added[1] - removed[1];
  }
  return { line: line + offset, isChanged: false, isGone: false };
}

/** Where lines were removed: the beginning of the line that has come up, or the end of the last one. */
function nearest(line: number, { after }: LineChanges): Position {
  if (line < after.length || after.length === 0) return { line, character: 0 };
  return { line: after.length - 1, character: lengthOf(after.at(-1)) };
}

function lengthOf(line = ''): number {
  return line.replace(/\r?\n$/, '').length;
}

function samePosition(a: Position, b: Position): boolean {
  return a.line === b.line && a.character === b.character;
}

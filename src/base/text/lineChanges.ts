/** Which lines differ between two texts. */
import { type Change, changesBetween, type Span } from './changes.ts';

/** Of one text. With both limits no two texts of a few megabytes take more than about 60 ms; two lines that differ in a thousand take 1 ms. */
const MAX_LINES = 50_000;
const MAX_EDITS = 400;

export interface LineChanges {
  /** Each with its line break. */
  before: readonly string[];
  after: readonly string[];
  changes: readonly Change[];
}

/** Undefined when they are too long, or differ in too much, to be compared without holding up everything else. */
export function lineChanges(before: string, after: string): LineChanges | undefined {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const changes = old && fresh && changesBetween(old, fresh, MAX_EDITS);
  return changes && { before: old, after: fresh, changes };
}

/** Undefined like `lineChanges`. */
export function lineCounts(before: string, after: string): { added: number; removed: number } | undefined {
  const changes = lineChanges(before, after)?.changes;
  return changes && { added: lengthOf(changes.map(({ added }) => added)), removed: lengthOf(changes.map(({ removed }) => removed)) };
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** Undefined when there are too many. */
function linesOf(text: string): string[] | undefined {
  const lines: string[] = [];
  for (let start = 0; start < text.length;) {
    if (lines.length === MAX_LINES) return undefined;
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

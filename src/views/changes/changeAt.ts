/** The change of a file that a line belongs to. */
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import { lineChanges } from '../../base/text/lineChanges.ts';

/**
 * Its lines in `after`: from the first one to the beginning of the line behind the last. Empty where lines were only removed. `line`: from 0, in the text of `side`; beside a
 * place where that text has no lines of the change, also the line above. Undefined where nothing has changed, or there is too much to compare.
 */
export function changeAt(before: string, after: string, line: number, side: 'before' | 'after'): TextRange | undefined {
  const found = lineChanges(before, after)?.changes.find((change) => {
    const [from, to] = side === 'after' ? change.added : change.removed;
    return from === to ? line === from || line === from - 1 : line >= from && line < to;
  });
  if (!found) return undefined;
  const [from, to] = found.added;
  return { start: { line: from, character: 0 }, end: { line: to, character: 0 } };
}

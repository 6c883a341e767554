/** The change of a file that a line belongs to. */
import * as l10n from '../../base/l10n.ts';
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import { lineChanges } from '../../base/text/lineChanges.ts';

export interface ChangedLines {
  /** The text that has them: `before` where lines were only removed. */
  readonly side: 'before' | 'after';
  /** From the first one to the beginning of the line behind the last. */
  readonly range: TextRange;
}

/**
 * Its lines. `line`: from 0, in the text of `side`; beside a place where that text has no lines of the change, also the line above. Undefined
 * where nothing has changed, or there is too much to compare.
 */
export function changeAt(before: string, after: string, line: number, side: 'before' | 'after'): ChangedLines | undefined {
  const found = lineChanges(before, after)?.changes.find((change) => {
    const [from, to] = side === 'after' ? change.added : change.removed;
    return from === to ? line === from || line === from - 1 : line >= from && line < to;
  });
  if (!found) return undefined;
  const isRemoval = found.added[0] === found.added[1];
  const [from, to] = isRemoval ? found.removed : found.added;
  return { side: isRemoval ? 'before' : 'after', range: { start: { line: from, character: 0 }, end: { line: to, character: 0 } } };
}

/** For a question. */
export function namedLines({ side, range: { start, end } }: ChangedLines): string {
  const isRemoval = side === 'before';
  const [first, last] = [start.line + 1, end.line];
  if (last - first < 1) return isRemoval ? l10n.t`removed line ${first}` : l10n.t`line ${first}`;
  return isRemoval ? l10n.t`removed lines ${first} to ${last}` : l10n.t`lines ${first} to ${last}`;
}

/** Patterns of a model on the lines of a file, in slices, so that everything else goes on meanwhile. */
import { setImmediate } from 'node:timers/promises';
import { bounded, isOutOfTime } from '../../base/node/bounded.ts';
import type { Pattern } from '../../base/node/patterns/linearPattern.ts';

const SLICE_CHARACTERS = 50_000;
const SLICE_MS = 50;

/** The time that all patterns of one call may take. */
export interface TimeLeft {
  ms: number;
}

/** The number of the first line that matches, from 0; -1 where there is none. */
export async function firstMatch(pattern: Pattern, lines: readonly string[], left: TimeLeft): Promise<number | 'too slow'> {
  for (let from = 0; from < lines.length;) {
    let to = from;
    for (let size = 0; to < lines.length && size < SLICE_CHARACTERS; to++) size += (lines[to]?.length ?? 0) + 1;
    const slice = lines.slice(from, to);
    if (left.ms < 1) return 'too slow';
    const started = performance.now();
    try {
      const at = bounded(() => slice.findIndex((line) => pattern.test(line)), Math.ceil(Math.min(left.ms, SLICE_MS)));
      if (at >= 0) return from + at;
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
      return 'too slow';
    } finally {
      left.ms -= performance.now() - started;
    }
    from = to;
    await setImmediate();
  }
  return -1;
}

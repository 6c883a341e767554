/** A small unified diff of two texts, for previews of edits. */

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
  /** The last line of a text that does not end with a line break. */
  unended?: true;
}
/** Changed lines with some context. Line numbers start at 1. */
export interface DiffHunk {
  beforeLine: number;
  afterLine: number;
  lines: readonly DiffLine[];
}

/** The number of cells above which the middle is shown as replaced and not compared, so that a preview does not block the page. */
const MAX_CELLS = 1_000_000;

/** Matches texts in which every line break is `\r\n`. */
const WINDOWS_LINES = /^(?:[^\r\n]*\r\n)*[^\r\n]*$/;

/** Empty when the texts are equal. A `\r` is shown unless all line breaks of both texts are `\r\n`. */
export function lineDiff(before: string, after: string, context = 3): DiffHunk[] {
  const both = [before, after].every((text) => WINDOWS_LINES.test(text));
  const [old, fresh] = [before, after].map((text) => linesOf(both ? text.replaceAll('\r\n', '\n') : text));
  return hunks(diffLines(old ?? [], fresh ?? []), context);
}

/** Each line keeps its line break. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffLine(kind: DiffLine['kind'], line: string): DiffLine {
  return line.endsWith('\n') ? { kind, text: line.slice(0, -1) } : { kind, text: line, unended: true };
}

function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (line: string) => diffLine('same', line);
  return [
    ...before.slice(0, head).map(same),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

/** Uses the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = (line: string) => diffLine('removed', line);
  const added = (line: string) => diffLine('added', line);
  if (before.length * after.length > MAX_CELLS) return [...before.map(removed), ...after.map(added)];

  const width = after.length + 1;
  // lengths[i * width + j]: longest common subsequence of before[i…] and after[j…].
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  for (;;) {
    const old = before[i];
    const fresh = after[j];
    if (old === undefined && fresh === undefined) return lines;
    if (old !== undefined && old === fresh) {
      lines.push(diffLine('same', old));
      i++;
      j++;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(old));
      i++;
    } else if (fresh !== undefined) {
      lines.push(added(fresh));
      j++;
    }
  }
}

function hunks(lines: readonly DiffLine[], context: number): DiffHunk[] {
  const result: { beforeLine: number; afterLine: number; lines: DiffLine[] }[] = [];
  const near = new Set<number>();
  lines.forEach((line, index) => {
    if (line.kind === 'same') return;
    for (let k = Math.max(0, index - context); k <= Math.min(lines.length - 1, index + context); k++) near.add(k);
  });
  let beforeLine = 1;
  let afterLine = 1;
  let open = false;
  lines.forEach((line, index) => {
    if (near.has(index)) {
      if (!open) result.push({ beforeLine, afterLine, lines: [] });
      result.at(-1)?.lines.push(line);
    }
    open = near.has(index);
    if (line.kind !== 'added') beforeLine++;
    if (line.kind !== 'removed') afterLine++;
  });
  return result;
}

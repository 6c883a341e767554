/** Up to this product of line counts the common lines are found exactly. */
const MAX_CELLS = 4_000_000;

/**
 * Counts the lines added and removed between two texts, by their longest common subsequence. In larger texts everything between the common
 * beginning and end counts as changed.
 */
export function lineCounts(before: string, after: string): { added: number; removed: number } {
  let [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  [a, b] = [a.slice(start), b.slice(start)];
  while (a.length > 0 && b.length > 0 && a.at(-1) === b.at(-1)) {
    a.pop();
    b.pop();
  }
  const common = a.length * b.length > MAX_CELLS ? 0 : commonLines(a, b);
  return { added: b.length - common, removed: a.length - common };
}

function commonLines(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const line of a) {
    const next = new Uint32Array(b.length + 1);
    b.forEach((other, index) => {
      next[index + 1] = line === other ? (row[index] ?? 0) + 1 : Math.max(next[index] ?? 0, row[index + 1] ?? 0);
    });
    row = next;
  }
  return row[b.length] ?? 0;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

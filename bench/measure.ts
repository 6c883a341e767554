/** How figures are measured and printed. They are ratios within one run, so that the speed of the machine cancels out. */

/** Milliseconds of one run of `work`: the fastest of many, because everything that disturbs a measurement makes it slower. */
export function fastest(work: () => unknown, budgetMs = 250): number {
  let best = Infinity;
  const end = performance.now() + budgetMs;
  do {
    const start = performance.now();
    for (let i = 0; i < 5; i++) work();
    best = Math.min(best, (performance.now() - start) / 5);
  } while (performance.now() < end);
  return best;
}

/** How many times as long one takes as the other. They alternate, so that both meet the same load of the machine, and the fastest of each counts. */
export function timesAsLong(one: () => unknown, other: () => unknown, budgetMs = 1_000): number {
  const best = [Infinity, Infinity];
  const works = [one, other];
  const counts = works.map((work) => {
    work();
    const start = performance.now();
    work();
    // Enough of them to be measured.
    return Math.max(1, Math.ceil(MIN_MS / (performance.now() - start)));
  });
  const end = performance.now() + budgetMs;
  do {
    for (const [at, work] of works.entries()) {
      const count = counts[at] as number;
      const start = performance.now();
      for (let left = count; left > 0; left--) work();
      best[at] = Math.min(best[at] as number, (performance.now() - start) / count);
    }
  } while (performance.now() < end);
  const [ofOne, ofOther] = best as [number, number];
  return ofOne / ofOther;
}
const MIN_MS = 2;

/** Milliseconds of the call in the middle of so many that are made one after the other. */
export async function medianOf(count: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(count / 2)] ?? NaN;
}

/** What a figure is to be. */
export type Target = { atMost: number } | { atLeast: number };

/** Prints a ratio of two times within this run as a JSON line, with its target beside it where there is one. */
export function report(name: string, ratio: number, target?: Target): void {
  console.log(JSON.stringify({ name, ratio: figure(ratio), ...target }));
}

/** Prints a size as a JSON line. */
export function reportSize(name: string, bytes: number): void {
  console.log(JSON.stringify({ name, KiB: figure(bytes / 1024) }));
}

const figure = (value: number) => Number(value.toPrecision(3));

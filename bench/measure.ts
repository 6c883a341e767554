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

/** Concurrency limits of providers. A lane runs a number of calls at once and lets a few wait in order. */
interface Lane {
  running: number;
  waiting: Set<() => void>;
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  constructor(private readonly maxWaiting: number) {}

  /**
   * Calls `start` at once or when a place is free. Its `release` frees the place; further calls of it do nothing. Returns undefined when
   * too many wait already, otherwise a function that withdraws a call that has not started.
   */
  enter(key: string, max: number, start: (release: () => void) => void): (() => void) | undefined {
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: new Set() };
    this.#lanes.set(key, lane);
    const run = () => {
      lane.running++;
      let released = false;
      start(() => {
        if (released) return;
        released = true;
        lane.running--;
        const [next] = lane.waiting;
        if (next) {
          lane.waiting.delete(next);
          next();
        } else if (lane.running === 0) {
          this.#lanes.delete(key);
        }
      });
    };
    if (lane.running < max) {
      run();
      return () => undefined;
    }
    if (lane.waiting.size >= this.maxWaiting) return undefined;
    lane.waiting.add(run);
    return () => lane.waiting.delete(run);
  }

  get waiting(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.waiting.size, 0);
  }
}

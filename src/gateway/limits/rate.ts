/** Allows at most `max` events in any window of `windowMs`. */
export class Rate {
  #times: number[] = [];

  constructor(
    private readonly max: number,
    private readonly windowMs: number,
  ) {}

  /** True when no event lies in the current window. */
  isUnused(now: number): boolean {
    return !this.#recent(now).length;
  }

  /** Counts an event if it is allowed, and says whether it is. */
  take(now: number): boolean {
    if (this.#recent(now).length >= this.max) return false;
    this.#times.push(now);
    return true;
  }

  #recent(now: number): readonly number[] {
    return (this.#times = this.#times.filter((time) => time > now - this.windowMs));
  }
}

/** At most `max` in any window of `windowMs`. */
export class Rate {
  #times: number[] = [];

  constructor(
    private readonly max: number,
    private readonly windowMs: number,
  ) {}

  /** As good as a new one. */
  isUnused(now: number): boolean {
    return !this.#recent(now).length;
  }

  /** Counts one if it is allowed. */
  take(now: number): boolean {
    if (this.#recent(now).length >= this.max) return false;
    this.#times.push(now);
    return true;
  }

  #recent(now: number): readonly number[] {
    return (this.#times = this.#times.filter((time) => time > now - this.windowMs));
  }
}

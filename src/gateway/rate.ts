/** At most `max` in any window of `windowMs`. */
export class Rate {
  #times: number[] = [];

  constructor(
    private readonly max: number,
    private readonly windowMs: number,
  ) {}

  /** Counts one if it is allowed. */
  take(now: number): boolean {
    this.#times = this.#times.filter((time) => time > now - this.windowMs);
    if (this.#times.length >= this.max) return false;
    this.#times.push(now);
    return true;
  }
}

/** A token bucket that refills at a steady rate. It may be overdrawn. */
export class Bucket {
  #level: number;
  #at = -Infinity;

  constructor(
    private readonly size: number,
    private readonly perSecond: number,
  ) {
    this.#level = size;
  }

  levelAt(now: number): number {
    this.#level = Math.min(this.size, this.#level + (Math.max(0, now - this.#at) * this.perSecond) / 1000);
    this.#at = now;
    return this.#level;
  }

  /** A negative amount gives back. */
  take(amount: number): void {
    this.#level -= amount;
  }
}

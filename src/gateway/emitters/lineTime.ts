/** The time that all emitters together may take for their lines. The rest of it is for calls, which are to be as fast as without emitters. */
const WINDOW_MS = 20;
const SHARE_MS = 8;

export class LineTime {
  #began = 0;
  #ends = 0;
  #spent = 0;
  #isCharging = false;

  /** `now`: of a clock with fractions of milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Then it is worth trying again. A window that was overrun lasts longer. */
  readonly windowMs = WINDOW_MS;

  /** False when no time is left in this window; then nothing is done. */
  spend(work: () => void): boolean {
    if (this.#spent >= SHARE_MS && this.now() < this.#ends) return false;
    this.charge(work);
    return true;
  }

  /** Does what cannot wait. What it takes is missing for the rest. */
  charge<T>(work: () => T): T {
    // It is part of something that is counted.
    if (this.#isCharging) return work();
    this.#isCharging = true;
    const began = this.now();
    if (began >= this.#ends) [this.#began, this.#ends, this.#spent] = [began, began + WINDOW_MS, 0];
    try {
      return work();
    } finally {
      this.#isCharging = false;
      this.#spent += this.now() - began;
      this.#ends = Math.max(this.#ends, this.#began + (this.#spent * WINDOW_MS) / SHARE_MS);
    }
  }
}

/** The time that all emitters together may take for their lines. The rest of it is for calls, which are to be as fast as without emitters. */
const WINDOW_MS = 20;
const SHARE_MS = 8;

export class LineTime {
  #windowEnds = 0;
  #spent = 0;

  /** `now`: of a clock with fractions of milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Then the next window is to be waited for. */
  readonly windowMs = WINDOW_MS;

  /** False when no time is left in this window; then nothing is done. */
  spend(work: () => void): boolean {
    const began = this.now();
    if (began >= this.#windowEnds) [this.#windowEnds, this.#spent] = [began + WINDOW_MS, 0];
    if (this.#spent >= SHARE_MS) return false;
    try {
      work();
    } finally {
      this.#spent += this.now() - began;
    }
    return true;
  }
}

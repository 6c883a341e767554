/**
 * How many invalid frames in a row are answered with an error. A peer that answers each error with another invalid frame would go on for
 * ever.
 */
export const MAX_REFUSALS_IN_A_ROW = 10;

export class Refusals {
  #inARow = 0;

  /** A valid frame has come. */
  reset(): void {
    this.#inARow = 0;
  }

  /** The error message for an invalid frame, or null when it is not answered. */
  next(problem: string): string | null {
    this.#inARow++;
    if (this.#inARow > MAX_REFUSALS_IN_A_ROW) return null;
    return this.#inARow < MAX_REFUSALS_IN_A_ROW ? problem : `${problem}; no more such frames are answered`;
  }
}

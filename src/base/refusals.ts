/** How often a peer is told that its frames cannot be read: one that answers each error with the next such frame would go on for ever. */
export const MAX_REFUSALS_IN_A_ROW = 10;

export class Refusals {
  #inARow = 0;

  /** A frame came that could be read. */
  reset(): void {
    this.#inARow = 0;
  }

  /** What to tell about a frame that could not be read; null for nothing. */
  next(problem: string): string | null {
    this.#inARow++;
    if (this.#inARow > MAX_REFUSALS_IN_A_ROW) return null;
    return this.#inARow < MAX_REFUSALS_IN_A_ROW ? problem : `${problem}; no more such frames are answered`;
  }
}

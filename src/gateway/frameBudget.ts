/**
 * How many frames a peer may send: a bucket that fills again. What is sent in spite of an empty one is not looked at and makes the debt
 * larger; who goes on is closed. Answers that the gateway has asked for are not counted.
 */
import { Limit } from '../tap/limits.ts';

/** Two seconds' worth at once. */
const BURST = Limit.framesPerSecond * 2;
/** A larger frame counts as several. */
const BYTES_PER_UNIT = 16 * 1024;

/** `over`: the first frame that is too many; `more`: another one; `end`: one too many of those. */
export type FrameVerdict = 'fine' | 'over' | 'more' | 'end';

export class FrameBudget {
  #level = BURST;
  #at = -Infinity;
  #lastCost = 0;

  take(now: number, bytes: number): FrameVerdict {
    const wasOver = this.#level < 0;
    this.#level = Math.min(BURST, this.#level + (Math.max(0, now - this.#at) * Limit.framesPerSecond) / 1000);
    this.#at = now;
    const isStillOver = wasOver && this.#level < 0;
    this.#lastCost = 1 + Math.floor(bytes / BYTES_PER_UNIT);
    this.#level -= this.#lastCost;
    if (this.#level >= 0) return 'fine';
    if (this.#level < -BURST) return 'end';
    return isStillOver ? 'more' : 'over';
  }

  /** The last one was an answer. */
  giveBack(): void {
    this.#level += this.#lastCost;
    this.#lastCost = 0;
  }
}

/**
 * Limits the frames of a peer with a bucket that refills. Frames beyond it are ignored and still counted, and a peer that goes on is
 * closed. Answers that the gateway has asked for are not counted.
 */
import { Limit } from '../../tap/wire/limits.ts';
import { Bucket } from '../limits/bucket.ts';

/** Two seconds' worth at once. */
const BURST = Limit.framesPerSecond * 2;
/** A larger frame counts as several. */
const BYTES_PER_UNIT = 16 * 1024;

/** `over`: the first frame beyond the limit; `more`: a further one; `end`: one too many of those. */
export type FrameVerdict = 'fine' | 'over' | 'more' | 'end';

export class FrameBudget {
  readonly #bucket = new Bucket(BURST, Limit.framesPerSecond);
  #lastCost = 0;

  take(now: number, bytes: number): FrameVerdict {
    const before = this.#bucket.levelAt(now);
    this.#lastCost = 1 + Math.floor(bytes / BYTES_PER_UNIT);
    this.#bucket.take(this.#lastCost);
    const level = before - this.#lastCost;
    if (level >= 0) return 'fine';
    if (level < -BURST) return 'end';
    return before < 0 ? 'more' : 'over';
  }

  /** Gives back the cost of the last frame, which was an answer. */
  giveBack(): void {
    this.#bucket.take(-this.#lastCost);
    this.#lastCost = 0;
  }
}

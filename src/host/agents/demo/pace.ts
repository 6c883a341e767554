/** The speed of the demo agent. */
import { setTimeout as delay } from 'node:timers/promises';

/** Waits, or rejects when the signal aborts. Tests pass one that does not wait. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const realWait: Wait = (ms, signal) => delay(ms, undefined, { signal });

export class Pace {
  constructor(
    private readonly wait: Wait,
    /** Milliseconds between two pieces of a stream. */
    private readonly pieceMs: number,
    private readonly signal: AbortSignal,
  ) {}

  /** The same pace for work with another signal. */
  until(signal: AbortSignal): Pace {
    return new Pace(this.wait, this.pieceMs, signal);
  }

  async pause(ms: number): Promise<void> {
    await this.wait(ms, this.signal);
  }

  /** Emits the text word by word. */
  async stream(text: string, give: (piece: string) => void): Promise<void> {
    for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
      give(piece);
      await this.wait(this.pieceMs, this.signal);
    }
  }
}

/** Finds out that a silent line is dead. */
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';

export const PING_AFTER_MS = 5_000;
export const DEAD_AFTER_MS = 20_000;

/**
 * After 5 s of silence it pings, then every 5 s; after 20 s of silence the line counts as dead. Dead is only a line that had its time to answer:
 * when this process slept (a closed lid), the timer comes late, and the first thing then is a ping, not an obituary.
 */
export class Liveness implements Disposable {
  #lastHeard: number;
  #firstPing: number | undefined;
  #timer: Disposable;

  constructor(
    private readonly clock: Clock,
    private readonly ping: () => void,
    private readonly onDead: () => void,
  ) {
    this.#lastHeard = clock.now();
    this.#timer = clock.setTimer(() => this.#check(), PING_AFTER_MS);
  }

  /** Something came from the other side. Cheap: called for every frame. */
  heard(): void {
    this.#lastHeard = this.clock.now();
    this.#firstPing = undefined;
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #check(): void {
    const now = this.clock.now();
    const silence = now - this.#lastHeard;
    if (silence < PING_AFTER_MS) {
      this.#timer = this.clock.setTimer(() => this.#check(), PING_AFTER_MS - silence);
      return;
    }
    if (this.#firstPing !== undefined && silence >= DEAD_AFTER_MS && now - this.#firstPing >= DEAD_AFTER_MS - PING_AFTER_MS) {
      this.onDead();
      return;
    }
    this.#firstPing ??= now;
    this.#timer = this.clock.setTimer(() => this.#check(), PING_AFTER_MS);
    this.ping();
  }
}

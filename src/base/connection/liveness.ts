/** Notices that a connection is dead though it was not closed. */
import type { Clock } from '../clock.ts';
import type { Disposable } from '../lifecycle.ts';

const PING_AFTER_MS = 5_000;
const DEAD_AFTER_MS = 20_000;

/**
 * Pings after 5 s of silence, and every 5 s after that. After 20 s of silence the connection counts as dead, provided that it had time to
 * answer. After a sleep of the machine the timer is late, and the first thing is a ping.
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

  /** Something has arrived. Called for every frame, and cheap. */
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

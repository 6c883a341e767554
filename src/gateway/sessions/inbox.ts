/** Injects of one session: they wait until the session is idle, and a provider that talks to itself is paused. */
import { Limit } from '../../tap/wire/limits.ts';
import { largestGroup } from '../limits/largestGroup.ts';
import { Rate } from '../limits/rate.ts';
import type { Session } from './session.ts';

const PUSH_WINDOW_MS = 1000;

export interface Inject {
  provider: string;
  stream: string;
  text: string;
  isPrompt: boolean;
}

export class Inbox {
  /** Of those who have pushed within the last second. */
  readonly #pushes = new Map<string, Rate>();
  readonly #allPushes = new Rate(Limit.sessionPushesPerSecond, PUSH_WINDOW_MS);
  /** Injects that were delivered since the user last spoke, by account. */
  readonly #cycles = new Map<string, number>();
  #queue: { account: string; inject: Inject }[] = [];
  #isIdle = true;
  dropped = 0;

  constructor(private readonly session: Session) {}

  get isIdle(): boolean {
    return this.#isIdle;
  }
  get queued(): number {
    return this.#queue.length;
  }

  /** False: the provider (`key`), or all of them together, push too fast. */
  takePush(key: string, now: number): boolean {
    for (const [other, rate] of this.#pushes) if (rate.isUnused(now)) this.#pushes.delete(other);
    const rate = this.#pushes.get(key) ?? new Rate(Limit.pushesPerSecond, PUSH_WINDOW_MS);
    this.#pushes.set(key, rate);
    return rate.take(now) && this.#allPushes.take(now);
  }

  isPaused(account: string): boolean {
    const all = [...this.#cycles.values()].reduce((sum, cycles) => sum + cycles, 0);
    return all >= Limit.sessionInjectCycles || (this.#cycles.get(account) ?? 0) >= Limit.injectCycles;
  }

  /** Delivered now or when the session is next idle. When too many wait, the oldest of who has most there is dropped and counted. */
  add(account: string, inject: Inject): void {
    if (this.isPaused(account)) {
      this.dropped++;
      return;
    }
    this.#queue.push({ account, inject });
    if (this.#queue.length > Limit.queuedInjects) {
      const [oldest] = largestGroup(this.#queue, (waiting) => waiting.account);
      this.#queue = this.#queue.filter((waiting) => waiting !== oldest);
      this.dropped++;
    }
    this.#deliver();
  }

  /** True when this is a change to idle. */
  setIdle(isIdle: boolean): boolean {
    const became = isIdle && !this.#isIdle;
    this.#isIdle = isIdle;
    this.#deliver();
    return became;
  }

  userSpoke(): void {
    this.#cycles.clear();
  }

  /** One at a time: an inject begins a turn, so the session is busy until its owner says otherwise. */
  #deliver(): void {
    while (this.#isIdle && !this.session.ending) {
      const next = this.#queue.shift();
      if (!next) return;
      if (this.isPaused(next.account)) {
        this.dropped++;
        continue;
      }
      this.#cycles.set(next.account, (this.#cycles.get(next.account) ?? 0) + 1);
      this.#isIdle = false;
      this.session.owner.notify('push/inject', { sessionId: this.session.id, ...next.inject });
    }
  }
}

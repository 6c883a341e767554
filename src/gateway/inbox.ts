/** Injects of one session: they wait until the session is idle, and a provider that talks to itself is paused. */
import { Limit } from '../tap/limits.ts';
import { Rate } from './rate.ts';
import type { Session } from './session.ts';

export interface Inject {
  provider: string;
  stream: string;
  text: string;
  isPrompt: boolean;
}
interface Budget {
  pushes: Rate;
  /** Delivered since the user last spoke. */
  cycles: number;
}

export class Inbox {
  readonly #budgets = new Map<string, Budget>();
  #queue: { key: string; inject: Inject }[] = [];
  #isIdle = true;
  dropped = 0;

  constructor(private readonly session: Session) {}

  get isIdle(): boolean {
    return this.#isIdle;
  }
  get queued(): number {
    return this.#queue.length;
  }

  /** False: the provider (`key`) pushes too fast. */
  takePush(key: string, now: number): boolean {
    return this.#budget(key).pushes.take(now);
  }

  isPaused(key: string): boolean {
    return this.#budget(key).cycles >= Limit.injectCycles;
  }

  /** Delivered now or when the session is next idle. When too many wait, the oldest is dropped and counted. */
  add(key: string, inject: Inject): void {
    if (this.isPaused(key)) {
      this.dropped++;
      return;
    }
    this.#queue.push({ key, inject });
    if (this.#queue.length > Limit.queuedInjects) {
      this.#queue.shift();
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
    for (const budget of this.#budgets.values()) budget.cycles = 0;
  }

  /** One at a time: an inject begins a turn, so the session is busy until its owner says otherwise. */
  #deliver(): void {
    while (this.#isIdle && !this.session.ending) {
      const next = this.#queue.shift();
      if (!next) return;
      if (this.isPaused(next.key)) {
        this.dropped++;
        continue;
      }
      this.#budget(next.key).cycles++;
      this.#isIdle = false;
      this.session.owner.notify('push/inject', { sessionId: this.session.id, ...next.inject });
    }
  }

  #budget(key: string): Budget {
    let budget = this.#budgets.get(key);
    if (!budget) this.#budgets.set(key, (budget = { pushes: new Rate(Limit.pushesPerSecond, 1000), cycles: 0 }));
    return budget;
  }
}

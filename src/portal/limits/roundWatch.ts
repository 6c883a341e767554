/** Watches one round of a task: how much it uses, whether that is too much, and whether anything happens in it. */
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { DEFAULT_LIMITS, limitDecision, type Limits } from './taskLimits.ts';
import { difference, isSame, noUsage, type Usage } from './usage.ts';

/** Time is counted so often. Of a longer pause the computer has slept. */
const TICK_MS = 5_000;
const MAX_COUNTED_MS = 2 * TICK_MS;
/** What was used is told at most so often, and where it is time alone, so often. */
const TELL_MS = 5_000;
const TELL_TIME_MS = 60_000;

/** A session that works. */
export interface Metered {
  /** Since it began. Its time is not counted there. */
  readonly used: Omit<Usage, 'ms'>;
  /** Something in it waits for a person. */
  readonly isWaiting: boolean;
  /** Something has happened in it, or in a subagent. */
  readonly onDidAct: Event<void>;
}

export interface RoundWatchOptions {
  limits: Limits | undefined;
  clock: Clock;
  session: Metered;
  /** What the round has used so far. */
  onUsed(used: Usage): void;
  /** Called once. */
  onLimit(decision: string): void;
  /** Nothing has happened since then, for so many minutes. */
  onStalled(since: number, minutes: number): void;
  /** Something happens again. */
  onResumed(): void;
}

export class RoundWatch implements Disposable {
  readonly #options: RoundWatchOptions;
  readonly #base: Usage;
  readonly #store = new DisposableStore();
  #timer: Disposable | undefined;
  #isOver = false;
  /** Up to when time is counted. */
  #countedTo: number;
  #wasWaiting: boolean;
  #ms = 0;
  #quietMs = 0;
  #lastAct: number;
  #isStalled = false;
  #told: { at: number; used: Usage };

  constructor(options: RoundWatchOptions) {
    const { session, clock } = options;
    this.#options = options;
    this.#base = { ...session.used, ms: 0 };
    this.#countedTo = this.#lastAct = clock.now();
    // The first use is told at once.
    this.#told = { at: clock.now() - TELL_MS, used: noUsage };
    this.#wasWaiting = session.isWaiting;
    this.#store.add(session.onDidAct(() => this.#acted()));
    this.#wait();
  }

  get used(): Usage {
    return difference({ ...this.#options.session.used, ms: this.#ms }, this.#base);
  }

  /** The round has ended. What it has used is told once more. */
  dispose(): void {
    if (this.#isOver) return;
    this.#count();
    this.#end();
    this.#tell(true);
  }

  /** It is about to be stopped: what is not told yet is told. */
  tellNow(): void {
    if (this.#isOver) return;
    this.#count();
    this.#tell(true);
  }

  #end(): void {
    this.#isOver = true;
    this.#timer?.dispose();
    this.#store.dispose();
    this.#resume();
  }

  #acted(): void {
    this.#count();
    this.#quietMs = 0;
    this.#lastAct = this.#countedTo;
    this.#resume();
    this.#look();
  }

  #resume(): void {
    if (!this.#isStalled) return;
    this.#isStalled = false;
    this.#options.onResumed();
  }

  #look(): void {
    if (this.#isOver) return;
    const { limits, onLimit, onStalled } = this.#options;
    const decision = limitDecision(limits, this.used);
    if (decision !== undefined) {
      this.#end();
      this.#tell(true);
      return onLimit(decision);
    }
    this.#tell(false);
    if (this.#isStalled || this.#quietMs < this.#quietLimit) return;
    this.#isStalled = true;
    onStalled(this.#lastAct, this.#quietLimit / 60_000);
  }

  #tell(isLast: boolean): void {
    const { clock, onUsed } = this.#options;
    const { used } = this;
    const { at, used: before } = this.#told;
    const isTimeAlone = isSame({ ...used, ms: before.ms }, before);
    const dueAt = at + (isLast ? 0 : isTimeAlone ? TELL_TIME_MS : TELL_MS);
    if (isSame(used, before) || clock.now() < dueAt) return;
    this.#told = { at: clock.now(), used };
    onUsed(used);
  }

  #count(): void {
    const { clock, session } = this.#options;
    const now = clock.now();
    const passed = Math.min(MAX_COUNTED_MS, Math.max(0, now - this.#countedTo));
    this.#countedTo = now;
    if (!this.#wasWaiting) {
      this.#ms += passed;
      this.#quietMs += passed;
    }
    this.#wasWaiting = session.isWaiting;
  }

  #wait(): void {
    if (this.#isOver) return;
    const { limits, clock } = this.#options;
    const left = [(limits?.minutes ?? DEFAULT_LIMITS.minutes) * 60_000 - this.#ms, this.#quietLimit - this.#quietMs].filter((ms) => ms > 0);
    this.#timer = clock.setTimer(
      () => {
        this.#count();
        this.#look();
        this.#wait();
      },
      Math.ceil(Math.min(TICK_MS, ...left)),
    );
  }

  get #quietLimit(): number {
    return (this.#options.limits?.quietMinutes ?? DEFAULT_LIMITS.quietMinutes) * 60_000;
  }
}

import { type Disposable, toDisposable } from './lifecycle.ts';

/** Time, injected so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs`; disposing the result cancels it. */
  setTimer(callback: () => void, delayMs: number): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};

/** Follows a value for a reader that may be slow: it gets the newest value and never a queue of old ones. */
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';

export interface NewestOptions {
  /** The value may be another one. */
  onDidChange: Event<void>;
  /** The value as a text. One that is the same as the last is not given again. */
  value(): string;
  clock: Clock;
  /** After so long without a value `undefined` is given, so that both sides learn when the other one has gone. */
  heartbeatMs: number;
  /** Ends the values. */
  signal: AbortSignal;
}

/** The value as it is now, at once, and then after each change. */
export async function* newest({ onDidChange, value, clock, heartbeatMs, signal }: NewestOptions): AsyncGenerator<string | undefined> {
  let given: string | undefined;
  let wake: (() => void) | undefined;
  let hasChanged = true;
  const look = () => {
    hasChanged = true;
    wake?.();
  };
  const end = () => wake?.();
  const listening = onDidChange(look);
  signal.addEventListener('abort', end);
  try {
    while (!signal.aborted) {
      if (hasChanged) {
        hasChanged = false;
        const now = value();
        if (now === given) continue;
        given = now;
        yield now;
        continue;
      }
      const isQuiet = await new Promise<boolean>((resolve) => {
        const timer = clock.setTimer(() => resolve(true), heartbeatMs);
        wake = () => (timer.dispose(), resolve(false));
      });
      wake = undefined;
      if (isQuiet && !signal.aborted) yield undefined;
    }
  } finally {
    listening.dispose();
    signal.removeEventListener('abort', end);
  }
}

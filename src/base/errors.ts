import { english, phrase, said, type Words } from './text/phrase.ts';

/** An error whose `message` is English, and that people read in their language by {@link messageOf}. */
export class WordedError extends Error {
  constructor(
    readonly words: Words,
    options?: ErrorOptions,
  ) {
    super(english(words), options);
  }
}

/** An error that is shown to the user. It says what happened, what that means and what the user can do. */
export class UserError extends WordedError {
  override readonly name = 'UserError';
}

/** A wait that took too long. `what` names it. */
export class TimeoutError extends WordedError {
  override readonly name = 'TimeoutError';
  constructor(
    readonly what: Words,
    readonly timeoutMs: number,
  ) {
    super(phrase`${what} did not finish within ${timeoutMs / 1000} s`);
  }
}

/** For people. */
export function messageOf(error: unknown): string {
  return said(wordsOf(error));
}

/** For logs, models and programs. What was put into people's language before stays in it. */
export function englishOf(error: unknown): string {
  return english(wordsOf(error));
}

/** To be put into other words. */
export function wordsOf(error: unknown): Words {
  if (error instanceof WordedError) return error.words;
  return error instanceof Error ? error.message : String(error);
}

/** Settles like `promise`, or rejects with a {@link TimeoutError} that names the wait. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, what: Words): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new TimeoutError(what, timeoutMs)), timeoutMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles like `promise`, which goes on, or rejects with its reason once `signal` is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => undefined as void;
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    stop = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    stop();
  }
}

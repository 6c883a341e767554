/** An error that is shown to the user. Its message says what happened, what that means and what the user can do. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** A wait that took too long. `what` names it. */
export class TimeoutError extends Error {
  /** What people read. Replaced where they have another language; `message` is English, for models and programs. */
  static words = englishTimeout;
  override readonly name = 'TimeoutError';
  constructor(
    readonly what: string,
    readonly timeoutMs: number,
  ) {
    super(englishTimeout(what, timeoutMs / 1000));
  }
}

function englishTimeout(what: string, seconds: number): string {
  return `${what} did not finish within ${seconds} s`;
}

/** For people. */
export function messageOf(error: unknown): string {
  if (error instanceof TimeoutError) return TimeoutError.words(error.what, error.timeoutMs / 1000);
  return error instanceof Error ? error.message : String(error);
}

/** Settles like `promise`, or rejects with a {@link TimeoutError} that names the wait. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, what: string): Promise<T> {
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

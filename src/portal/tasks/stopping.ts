/** The task or job was stopped. It is thrown inside only. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Settles like `promise`, or rejects with {@link Stopped} as soon as the signal is aborted. */
export function untilStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(new Stopped());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const done = () => signal.removeEventListener('abort', stop);
    promise.then(
      (value) => (done(), resolve(value)),
      (error: unknown) => (done(), reject(error)),
    );
  });
}

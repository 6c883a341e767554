/** Settles like `promise`, or rejects once `signal` is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => undefined as void;
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(new Error('The wait was ended.'));
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

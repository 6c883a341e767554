/** Starts a worker of a page. A webview has an origin of its own, from which nothing can be loaded: only a worker of a blob may run there. */
import * as l10n from '../../base/l10n.ts';

/** To load it and to compile it. */
const START_MS = 10_000;

/** `file`: beside all scripts of the page. Resolves when it has said something, and rejects with a sentence for the user. */
export async function startWorker(file: string): Promise<Worker> {
  const signal = AbortSignal.timeout(START_MS);
  const response = await fetch(import.meta.resolve(`./${file}`), { signal });
  if (!response.ok) throw new Error(l10n.t`Its file was not found: ${response.status}`);
  const url = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: 'text/javascript' }));
  const worker = new Worker(url);
  try {
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = (event) => reject(workerError(event));
      signal.onabort = () => reject(new Error(l10n.t`It did not start within ${START_MS / 1000} s`));
    });
    return worker;
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A worker that cannot be loaded says nothing about why. */
export function workerError({ message }: Partial<Pick<ErrorEvent, 'message'>>): Error {
  return new Error(message || l10n.t('It could not be loaded.'));
}

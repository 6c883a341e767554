/** Starts a worker of a page. A webview has an origin of its own, from which nothing can be loaded: only a worker of a blob may run there. */

import * as l10n from '@vscode/l10n';
import { TimeoutError } from '../../base/errors.ts';

/** To load it and to compile it. */
const START_MS = 10_000;

/** `file`: beside all scripts of the page. Resolves when it has said something. `what`: what it does, for the error. */
export async function startWorker(file: string, what: string): Promise<Worker> {
  const signal = AbortSignal.timeout(START_MS);
  const response = await fetch(import.meta.resolve(`./${file}`), { signal });
  if (!response.ok) throw new Error(l10n.t`The worker that ${what} was not found: ${response.status}`);
  const url = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: 'text/javascript' }));
  const worker = new Worker(url);
  try {
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = (event) => reject(workerError(event, what));
      signal.onabort = () => reject(new TimeoutError(l10n.t`starting the worker that ${what}`, START_MS));
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
export function workerError({ message }: Partial<Pick<ErrorEvent, 'message'>>, what: string): Error {
  return new Error(l10n.t`The worker that ${what} failed${message ? `: ${message}` : ''}`);
}

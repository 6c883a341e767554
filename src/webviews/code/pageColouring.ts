/** The worker of a page, which is loaded when the first code comes. */
import { Colouring, type ColourWorker } from './colouring.ts';

/** It stands beside all scripts of the page. */
const script = new URL('codeWorker.js', import.meta.url).href;
/** To load it and to compile it. */
const START_MS = 10_000;

export const pageColouring = new Colouring(startWorker);

/** A webview has an origin of its own, from which nothing can be loaded: only a worker of a blob may run there. */
async function startWorker(): Promise<ColourWorker> {
  const signal = AbortSignal.timeout(START_MS);
  const response = await fetch(script, { signal });
  if (!response.ok) throw new Error(`The worker that colours code was not found: ${response.status}`);
  const url = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: 'text/javascript' }));
  const worker = new Worker(url);
  try {
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = reject;
      signal.onabort = reject;
    });
    return worker;
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    URL.revokeObjectURL(url);
  }
}

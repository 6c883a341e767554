/**
 * Runs a provider that is a JavaScript module, in a worker of its own. The provider may throw, loop or end the process: only this worker ends
 * with it. Started with `{url}` as its data.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { ProviderSettings } from '../protocol/messages.ts';
import { importCompared } from './comparedImport.ts';

/** A request, and its answer as JSON. */
export interface WorkerRequest {
  id: number;
  method: string;
  params: object;
  settings: ProviderSettings;
}
export interface WorkerAnswer {
  id: number;
  /** A response message. Absent: it has more than `maxBytes`. */
  text?: string;
}
export interface WorkerStart {
  url: string;
  /** SHA-256 of the file, in hex. */
  digest?: string;
  maxBytes: number;
}

// Nobody reads what is printed, and it would pile up.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

type Provider = Readonly<Record<string, unknown>>;
const { url, digest, maxBytes } = workerData as WorkerStart;
const METHOD_NOT_FOUND = -32601;
const FAILED = -32000;

/** Compiled for CommonJS, the default export may stand in another one. */
async function load(): Promise<Provider> {
  const href = url.startsWith('file:') ? url : pathToFileURL(url).href;
  const module = (await (digest === undefined ? import(href) : importCompared(href, digest))) as { default?: { default?: unknown } };
  const provider = module.default && 'default' in module.default ? module.default.default : module.default;
  if (typeof provider !== 'object' && typeof provider !== 'function') throw new Error('its default export is no provider');
  return (provider ?? {}) as Provider;
}

const provider = load();
// It is said in the answer to each request.
provider.catch(() => undefined);

async function call({ method, params, settings }: WorkerRequest): Promise<object> {
  try {
    const loaded = await provider;
    const implementation = loaded[method];
    if (typeof implementation !== 'function') return { error: { code: METHOD_NOT_FOUND, message: `it has no ${method}` } };
    const result: unknown = await (implementation as (...args: unknown[]) => unknown).call(loaded, params, settings);
    return { result: result ?? [] };
  } catch (error) {
    return { error: { code: FAILED, message: error instanceof Error ? error.message : String(error) } };
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  void call(request).then((answer) => {
    let text: string;
    try {
      text = JSON.stringify(answer);
    } catch (error) {
      text = JSON.stringify({ error: { code: FAILED, message: `its result is no JSON: ${String(error)}` } });
    }
    const message: WorkerAnswer = { id: request.id, ...(Buffer.byteLength(text) <= maxBytes && { text }) };
    parentPort?.postMessage(message);
  });
});

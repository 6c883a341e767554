/** Providers that are JavaScript modules. They are code, and run only where the user has said so. */
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { messageOf } from '../../base/errors.ts';
import type { RequestMessage } from '../protocol/messages.ts';
import { resultOf } from './http.ts';
import type { WorkerRequest, WorkerStart } from './moduleWorker.ts';
import { cancelled, type OpenCtxLimits, ProviderFailure, type Transport } from './openCtxTransport.ts';

const MAX_HEAP_MB = 256;
const MAX_WAITING = 1_000;
/** `WorkerAnswer`. */
const workerAnswer = z.object({ id: z.number(), text: z.optional(z.string()) });

export interface ModuleTransportOptions {
  /** Of a file. */
  url: URL;
  /** `openctxWorker.js` of the build. */
  workerScript: URL | string;
  /** SHA-256 of the file, in hex. With another content it does not run. */
  digest?: string;
  limits: OpenCtxLimits;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: ProviderFailure): void;
  timer: ReturnType<typeof setTimeout>;
}

export class ModuleTransport implements Transport {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isDisposed = false;

  constructor(private readonly options: ModuleTransportOptions) {}

  request({ method, params = {}, settings = {} }: RequestMessage, signal?: AbortSignal): Promise<unknown> {
    if (this.#isDisposed) return Promise.reject(new ProviderFailure('The provider was switched off.', 'silent'));
    if (signal?.aborted) return Promise.reject(cancelled());
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new ProviderFailure('The provider has too much to do.', 'silent'));
    const { timeoutMs } = this.options.limits;
    const worker = (this.#worker ??= this.#start());
    const request: WorkerRequest = { id: ++this.#lastId, method, params, settings };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new ProviderFailure(`The provider did not answer within ${timeoutMs / 1000} s.`, 'silent'));
        this.#waiting.delete(request.id);
        // It may loop, and would answer nobody any more.
        this.#end(worker, 'The provider was ended, because it did not answer another request.');
      }, timeoutMs);
      this.#waiting.set(request.id, { resolve, reject, timer });
      // The timer stays: a provider that loops is ended also when nobody waits for its answer.
      signal?.addEventListener('abort', () => reject(cancelled()), { once: true });
      worker.postMessage(request);
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#worker) this.#end(this.#worker, 'The provider was switched off.');
  }

  #start(): Worker {
    const { url, workerScript, digest, limits } = this.options;
    const workerData: WorkerStart = { url: url.href, maxBytes: limits.maxBytes, ...(digest !== undefined && { digest }) };
    // What it prints belongs nowhere: a host may speak a protocol on its own output. The script of the worker drops it.
    const worker = new Worker(workerScript, {
      workerData,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on('message', (message: unknown) => this.#receive(message));
    worker.on('error', (error) => this.#end(worker, `The provider has failed: ${messageOf(error)}`));
    worker.on('exit', (code) => this.#end(worker, `The provider has ended by itself, with code ${code}.`));
    // A program that uses this is not kept from ending. Listeners would undo it.
    worker.unref();
    return worker;
  }

  /** A module may post anything itself. */
  #receive(message: unknown): void {
    const answer = workerAnswer.safeParse(message);
    const waiting = answer.success ? this.#waiting.get(answer.data.id) : undefined;
    if (!answer.success || !waiting) return;
    const { id, text } = answer.data;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    try {
      if (text === undefined || Buffer.byteLength(text) > this.options.limits.maxBytes)
        throw new ProviderFailure(`The provider’s answer has more than ${this.options.limits.maxBytes} bytes.`, 'broken');
      waiting.resolve(resultOf(text));
    } catch (error) {
      waiting.reject(error as ProviderFailure);
    }
  }

  /** The next request starts another worker. */
  #end(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new ProviderFailure(why, 'silent'));
    }
    this.#waiting.clear();
  }
}

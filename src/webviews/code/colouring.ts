/**
 * Colours code in a worker, a block at a time. The code is untrusted: a block for which the worker takes too long stays plain, and the worker is
 * ended. So the page itself is never held up, and a block costs at most a second of another thread.
 */
import { type CodePart, codeParts, type CodeRuns, type ColourRequest } from './codeParts.ts';

export type ColourWorker = Pick<Worker, 'onmessage' | 'onerror' | 'postMessage' | 'terminate'>;

/** For one block, from when the worker has it. An ordinary block of the largest size takes some 50 ms. */
export const DEADLINE_MS = 1000;
/** In UTF-16 code units. What is longer stays plain. */
export const MAX_CODE = 100_000;
/** A page in which so many workers were ended or failed colours no more code. */
export const MAX_FAILURES = 5;
/** In one block. Each is a node of the page. */
export const MAX_PARTS = 20_000;
/** Blocks that wait, and those whose colours are kept. */
const MAX_WAITING = 200;
const MAX_KEPT = 100;
/** Of all blocks that are kept, together. */
const MAX_KEPT_CODE = 1_000_000;

interface Job extends ColourRequest {
  key: string;
  done(parts: readonly CodePart[] | undefined): void;
}

export class Colouring {
  readonly #make: () => Promise<ColourWorker>;
  #worker: Promise<ColourWorker> | undefined;
  readonly #waiting: Job[] = [];
  #isBusy = false;
  #failures = 0;
  /** In the order in which they were found. */
  readonly #kept = new Map<string, readonly CodePart[] | undefined>();
  #keptCode = 0;

  /** `make` starts a worker that has said that it is ready. */
  constructor(make: () => Promise<ColourWorker>) {
    this.#make = make;
  }

  /** What is known already. Undefined: nothing, or that it stays plain. */
  known(request: ColourRequest): readonly CodePart[] | undefined {
    return this.#kept.get(keyOf(request));
  }

  /** Calls `done` once, unless the function that it returns is called first. Undefined: it stays plain. */
  colour(request: ColourRequest, done: Job['done']): () => void {
    const key = keyOf(request);
    const isHopeless = request.language === '' || request.code.length > MAX_CODE || this.#failures >= MAX_FAILURES;
    if (isHopeless || this.#kept.has(key)) {
      done(this.#kept.get(key));
      return () => {};
    }
    const job: Job = { ...request, key, done };
    this.#waiting.push(job);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()?.done(undefined);
    void this.#next();
    return () => {
      job.done = () => {};
      const at = this.#waiting.indexOf(job);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  async #next(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // The newest first: it is what the user looks at.
    try {
      for (let job = this.#waiting.pop(); job; job = this.#waiting.pop()) {
        if (!this.#kept.has(job.key)) this.#keep(job, await this.#parts(job));
        job.done(this.#kept.get(job.key));
      }
    } finally {
      this.#isBusy = false;
    }
  }

  /** Does not reject. */
  async #parts({ code, language }: Job): Promise<readonly CodePart[] | undefined> {
    if (this.#failures >= MAX_FAILURES) return undefined;
    let worker: ColourWorker | undefined;
    try {
      worker = await (this.#worker ??= this.#make());
      const runs = await answerOf(worker, { code, language });
      return runs && runs.length <= 2 * MAX_PARTS ? codeParts(code, runs) : undefined;
    } catch {
      this.#failures++;
      worker?.terminate();
      this.#worker = undefined;
      return undefined;
    }
  }

  #keep({ key, code }: Job, parts: readonly CodePart[] | undefined): void {
    this.#kept.set(key, parts);
    this.#keptCode += code.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT && this.#keptCode <= MAX_KEPT_CODE) break;
      this.#kept.delete(oldest);
      this.#keptCode -= oldest.length - oldest.indexOf('\n') - 1;
    }
  }
}

function keyOf({ code, language }: ColourRequest): string {
  return `${language}\n${code}`;
}

/** Rejects when the worker fails or is late. */
function answerOf(worker: ColourWorker, request: ColourRequest): Promise<CodeRuns | undefined> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Late')), DEADLINE_MS);
    worker.onmessage = ({ data }) => {
      clearTimeout(late);
      resolve(data as CodeRuns | undefined);
    };
    worker.onerror = () => {
      clearTimeout(late);
      reject(new Error('Failed'));
    };
    worker.postMessage(request);
  });
}

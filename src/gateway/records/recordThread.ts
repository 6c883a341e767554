/** The records of a gateway, in a file that a thread of its own writes. */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { messageOf, withTimeout } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import {
  type KeptRecord,
  type RecordInput,
  type RecordKind,
  RecordLimit,
  type RecordQuery,
  type RecordsStatus,
} from '../../tap/wire/records/record.ts';
import { fittedRecord } from '../limits/cleanText.ts';
import type { RecordBounds } from './recordFile.ts';
import { RecordQueue } from './recordQueue.ts';
import { type Records, RecordsRefused } from './records.ts';
import type { RecordsAnswer, RecordsRequest, RecordsStart } from './recordsWorker.ts';

const BOUNDS: RecordBounds = { maxBytes: 64 * 1024 * 1024, maxAgeMs: 90 * 24 * 60 * 60_000 };
/** Records, each of at most 16,000 characters. */
const MAX_WAITING = 2_000;
const MAX_BATCH = 500;
/** For one batch or question. A check of a large file comes before the first. */
const ANSWER_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;
/** Threads that are started after one another has failed. */
const MAX_STARTS = 3;
/** Characters of a string in a note. */
const TEXT_LENGTH = 1_000;

export interface RecordThreadOptions {
  /** The built `recordsWorker.ts`. */
  script: string;
  path: string;
  clock: Clock;
  logger: Logger;
  bounds?: RecordBounds;
}

type Answered = (answer: RecordsAnswer) => void;
type NewRequest = RecordsRequest extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never;

export class RecordThread implements Records {
  readonly #queue = new RecordQueue({ write: (records) => this.#write(records), maxWaiting: MAX_WAITING, maxBatch: MAX_BATCH });
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Answered>();
  #requests = 0;
  #starts = 0;
  #notes = 0;
  #dropped = 0;
  #bytes = 0;
  #problem: string | undefined;
  #aside: string | undefined;
  /** For good. */
  #isOff = false;
  #isClosing = false;
  /** Together with a number it is the id of a note. */
  readonly #startedAt: number;

  constructor(private readonly options: RecordThreadOptions) {
    this.#startedAt = options.clock.now();
  }

  /** Only for the one gateway of the user: it takes the file from any other. */
  open(): void {
    this.#worker ??= this.#start();
  }

  get status(): RecordsStatus {
    return {
      state: this.#isOff ? 'off' : 'on',
      bytes: this.#bytes,
      waiting: this.#queue.waiting,
      dropped: this.#dropped,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      ...(this.#aside !== undefined && { aside: this.#aside }),
    };
  }

  note(kind: RecordKind, data: Record<string, unknown>, sessionId?: string): void {
    if (this.#isClosing) return; // the next gateway may have the file by then
    const id = `${process.pid}.${this.#startedAt}.${++this.#notes}`;
    const record = {
      kind,
      id,
      at: this.options.clock.now(),
      sessionId,
      rank: 0,
      data: fittedRecord(data, TEXT_LENGTH, RecordLimit.dataLength),
    };
    this.add([record]).catch(() => undefined); // counted, and in the log
  }

  async add(records: readonly RecordInput[]): Promise<void> {
    try {
      if (this.#isClosing) throw new RecordsRefused('no records are kept: the gateway ends');
      this.#checkOn();
      await this.#queue.add(records);
    } catch (error) {
      this.#dropped += records.length;
      this.#say(messageOf(error));
      throw error;
    }
  }

  async query(query: RecordQuery): Promise<KeptRecord[]> {
    try {
      await withTimeout(this.#queue.whenWritten(), ANSWER_TIMEOUT_MS, 'writing the records before');
    } catch (error) {
      throw new RecordsRefused(messageOf(error));
    }
    return (await this.#ask({ kind: 'query', query })).found ?? [];
  }

  /** Writes what waits, and takes nothing more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await withTimeout(this.#queue.whenWritten(), CLOSE_TIMEOUT_MS, 'writing the last records').catch((error: unknown) =>
      this.#say(messageOf(error)),
    );
    if (!this.#isOff) await this.#ask({ kind: 'close' }, CLOSE_TIMEOUT_MS).catch((error: unknown) => this.#say(messageOf(error)));
    this.#isOff = true;
    await this.#worker?.terminate();
  }

  #checkOn(): void {
    if (this.#isOff) throw new RecordsRefused(`no records are kept: ${this.#problem ?? 'the gateway ends'}`);
  }

  async #write(records: RecordInput[]): Promise<void> {
    this.#bytes = (await this.#ask({ kind: 'add', records })).bytes ?? this.#bytes;
  }

  async #ask(asked: NewRequest, timeoutMs = ANSWER_TIMEOUT_MS): Promise<RecordsAnswer> {
    this.#checkOn();
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#requests;
    const answered = new Promise<RecordsAnswer>((resolve) => this.#waiting.set(id, resolve));
    worker.postMessage({ id, ...asked } as RecordsRequest);
    try {
      const answer = await withTimeout(answered, timeoutMs, 'the thread that keeps the records');
      if (answer.error !== undefined) throw new RecordsRefused(answer.error);
      return answer;
    } finally {
      this.#waiting.delete(id);
    }
  }

  #start(): Worker {
    this.#starts++;
    const { script, path, bounds = BOUNDS } = this.options;
    const worker = new Worker(script, { workerData: { path, bounds } satisfies RecordsStart });
    worker.unref();
    worker.on('message', (answer: RecordsAnswer) => this.#heard(answer));
    worker.once('error', (error) => this.#lost(worker, messageOf(error)));
    worker.once('exit', (code) => this.#lost(worker, `the thread that keeps the records has ended with code ${code}`));
    return worker;
  }

  #heard(answer: RecordsAnswer): void {
    const { id, aside, bytes } = answer;
    if (aside) {
      this.#aside = aside.path;
      this.#say(`the file of records was damaged (${aside.why}), so it was put aside as ${aside.path} and another one was begun`);
    }
    if (id === undefined) this.#bytes = bytes ?? this.#bytes;
    else this.#waiting.get(id)?.(answer);
    if (answer.isOver) this.#end(answer.error ?? '');
  }

  #lost(worker: Worker, why: string): void {
    if (this.#worker !== worker || this.#isOff) return;
    this.#worker = undefined;
    this.#fail(why);
    if (this.#starts >= MAX_STARTS) this.#end(why);
    else this.#say(why);
  }

  #end(why: string): void {
    this.#isOff = true;
    this.#say(why);
    this.#fail(why);
  }

  #fail(why: string): void {
    for (const answered of this.#waiting.values()) answered({ error: why });
  }

  /** Not again and again. */
  #say(problem: string): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.options.logger.warn(`Records: ${problem}`);
  }
}

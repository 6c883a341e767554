/** Writes records in batches, one after the other: what comes while one is written is in the next. */
import type { RecordInput } from '../../tap/wire/records/record.ts';
import { RecordsRefused } from './records.ts';

interface Waiting {
  readonly records: readonly RecordInput[];
  readonly written: () => void;
  readonly failed: (error: unknown) => void;
}

export interface RecordQueueOptions {
  /** Resolves when they are on the disk. */
  write(records: RecordInput[]): Promise<void>;
  /** Records that wait; more are refused. */
  maxWaiting: number;
  /** Records of one batch, if it has more than those that were added at once. */
  maxBatch: number;
}

export class RecordQueue {
  readonly #queue: Waiting[] = [];
  #waiting = 0;
  #isWriting = false;
  /** What was added last is written, or has failed. */
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly options: RecordQueueOptions) {}

  /** Records that are not on the disk. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when they are on the disk. */
  add(records: readonly RecordInput[]): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    if (this.#waiting + records.length > this.options.maxWaiting)
      return Promise.reject(new RecordsRefused('too many records wait to be written'));
    this.#waiting += records.length;
    const written = new Promise<void>((resolve, reject) => this.#queue.push({ records, written: resolve, failed: reject }));
    this.#last = written.catch(() => undefined); // who has added them hears of it
    if (!this.#isWriting) void this.#writeAll();
    return written;
  }

  /** Resolves when none of those waits that wait now. */
  whenWritten(): Promise<void> {
    return this.#last;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // What is going on is not held up, and what it adds is in the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length) await this.#writeBatch();
    this.#isWriting = false;
  }

  async #writeBatch(): Promise<void> {
    const batch: Waiting[] = [];
    const records: RecordInput[] = [];
    for (let next = this.#queue[0]; next && (!batch.length || records.length + next.records.length <= this.options.maxBatch);) {
      this.#queue.shift();
      batch.push(next);
      records.push(...next.records);
      next = this.#queue[0];
    }
    try {
      await this.options.write(records);
      this.#waiting -= records.length;
      for (const { written } of batch) written();
    } catch (error) {
      this.#waiting -= records.length;
      for (const { failed } of batch) failed(error);
    }
  }
}

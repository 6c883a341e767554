/** Spans that are over wait here for one place that they go to. It is bounded, sends one batch at a time, and holds nobody up. */
import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '../../../base/clock.ts';
import { messageOf, withTimeout } from '../../../base/errors.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { TracesStatus } from '../../../tap/wire/traces/tracesConfig.ts';

export interface SpanDestination {
  /** As the user is shown it. */
  readonly name: string;
  /** Resolves when they are there. */
  send(spans: readonly ReadableSpan[]): Promise<void>;
  close?(): Promise<void>;
}

export interface SpanQueueOptions {
  clock: Clock;
  /** Said when it is another problem than before. */
  onProblem(name: string, problem: string): void;
}

/** Spans that wait; what comes then is dropped. */
const MAX_WAITING = 2_000;
const MAX_BATCH = 200;
/** A batch begins this long after its first span, so that it is worth it. */
const DELAY_MS = 500;
const SEND_TIMEOUT_MS = 10_000;
/** Of all that waits at the end. */
const CLOSE_TIMEOUT_MS = 2_000;

export class SpanQueue implements SpanProcessor {
  #waiting: ReadableSpan[] = [];
  #timer: Disposable | undefined;
  #sending: Promise<void> | undefined;
  /** Spans of the batch that is being sent. */
  #leaving = 0;
  #sent = 0;
  #dropped = 0;
  #problem: string | undefined;
  #isClosed = false;

  constructor(
    private readonly destination: SpanDestination,
    private readonly options: SpanQueueOptions,
  ) {}

  get status(): TracesStatus['destinations'][number] {
    return {
      name: this.destination.name,
      sent: this.#sent,
      waiting: this.#waiting.length + this.#leaving,
      dropped: this.#dropped,
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  onStart(_span: Span, _parent: Context): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) return void this.#dropped++;
    this.#waiting.push(span);
    if (!this.#sending) this.#beginSoon();
  }

  async forceFlush(): Promise<void> {
    this.#begin();
    await this.#sending;
  }

  /** Within {@link CLOSE_TIMEOUT_MS}, whatever the destination does. */
  async shutdown(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const finish = this.forceFlush().then(() => this.destination.close?.());
    await withTimeout(finish, CLOSE_TIMEOUT_MS, 'sending the last spans').catch((error: unknown) => this.#say(messageOf(error)));
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
  }

  #beginSoon(): void {
    this.#timer ??= this.options.clock.setTimer(() => this.#begin(), DELAY_MS);
  }

  #begin(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length) this.#beginSoon();
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      this.#leaving = batch.length;
      const sending = this.destination.send(batch);
      try {
        await withTimeout(sending, SEND_TIMEOUT_MS, 'sending spans');
        this.#sent += batch.length;
      } catch (error) {
        this.#dropped += batch.length;
        this.#say(messageOf(error));
      }
      this.#leaving = 0;
      // What was given up may still be on its way, such as to a share that hangs. Each batch beside it would take another thread of the process.
      await sending.catch(() => undefined);
    }
  }

  #say(problem: string): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.options.onProblem(this.destination.name, problem);
  }
}

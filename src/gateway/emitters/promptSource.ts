/** A prompt that is sent when the session is idle. */
import type { Span } from '@opentelemetry/api';
import { Limit } from '../../tap/wire/limits.ts';
import type { Inject, InjectSource } from '../sessions/injectQueue.ts';

export interface PromptSourceOptions {
  readonly inject: Inject;
  /** Of a model's own prompt. Undefined: the user has asked for these turns, so they pause nothing. */
  readonly account: string | undefined;
  /** It is sent each time the session becomes idle, a number of times until the user speaks. */
  readonly whenIdle: boolean;
  /** It is being sent, in this span. */
  taken(): Span | undefined;
}

export class PromptSource implements InjectSource {
  readonly account: string | undefined;
  #isWanted = false;
  #idleRuns = 0;

  constructor(private readonly options: PromptSourceOptions) {
    this.account = options.account;
  }

  get isPaused(): boolean {
    return this.options.whenIdle && this.#idleRuns >= Limit.idleRuns;
  }

  /** At the next opportunity. */
  want(): void {
    this.#isWanted = true;
  }

  /** True when it was still wanted. */
  giveUp(): boolean {
    const was = this.#isWanted;
    this.#isWanted = false;
    return was;
  }

  becameIdle(): void {
    if (this.options.whenIdle) this.#isWanted = true;
  }

  userSpoke(): void {
    this.#idleRuns = 0;
  }

  take(): Inject | undefined {
    if (!this.#isWanted || this.isPaused) return undefined;
    this.#isWanted = false;
    if (this.options.whenIdle) this.#idleRuns++;
    const span = this.options.taken();
    return { ...this.options.inject, ...(span && { span }) };
  }
}

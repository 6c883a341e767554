/** Lines of one emitter that wait for the agent. When the session is idle a few of them are given to it at once, and the newest are kept. */
import type { Span } from '@opentelemetry/api';
import { Limit } from '../../tap/wire/limits.ts';
import type { Inject, InjectSource } from '../sessions/injectQueue.ts';

interface Line {
  readonly text: string;
  /** Of the lines that came with it. */
  readonly span: Span | undefined;
  readonly at: number;
  readonly run: number | undefined;
}

export class Injector implements InjectSource {
  #lines: Line[] = [];
  #left = 0;
  #isStopped = false;
  /** Lines for which there was no room, or that came too late. */
  dropped = 0;
  /** While it is not, lines wait. */
  isEnabled = true;

  constructor(
    readonly account: string,
    private readonly about: Pick<Inject, 'provider' | 'stream'>,
    /** Begins the span of lines that have waited since then, below the first of these. */
    private readonly begin?: (of: readonly [Span, ...Span[]], since: number) => Span,
  ) {}

  get waiting(): number {
    return this.#lines.length;
  }

  /** Nobody is to be interrupted by it any more: what waits is dropped, and so is what still comes. */
  stop(): void {
    this.#isStopped = true;
    this.dropped += this.#lines.length;
    this.#lines = [];
    this.#left = 0;
  }

  start(): void {
    this.#isStopped = false;
  }

  /** What was found in these runs is out of date, and is dropped where it still waits. Returns how many lines that are. */
  forget(isOutOfDate: (run: number) => boolean): number {
    const left = this.#lines.filter(({ run }) => run === undefined || !isOutOfDate(run));
    const count = this.#lines.length - left.length;
    this.#lines = left;
    this.dropped += count;
    if (left.length === 0) this.#left = 0;
    return count;
  }

  add(text: string, span?: Span, run?: number): void {
    if (this.#isStopped) return void this.dropped++;
    this.#lines.push({ text, span, at: span ? Date.now() : 0, run });
    if (this.#lines.length <= Limit.injectLines) return;
    this.#lines.shift();
    this.#left++;
    this.dropped++;
  }

  take(): Inject | undefined {
    if (!this.isEnabled || this.#lines.length === 0) return undefined;
    const lines = this.#lines.splice(0, Limit.injectBatch);
    const note = this.#left > 0 ? [`(${this.#left} earlier ${this.#left === 1 ? 'line was' : 'lines were'} left out)`] : [];
    this.#left = 0;
    const span = this.#spanOf(lines);
    return { ...this.about, text: [...note, ...lines.map(({ text }) => text)].join('\n'), isPrompt: false, ...(span && { span }) };
  }

  #spanOf(lines: readonly Line[]): Span | undefined {
    const traced = lines.find(({ span }) => span);
    const [first, ...others] = new Set(lines.flatMap(({ span }) => span ?? []));
    return traced && first && this.begin?.([first, ...others], traced.at);
  }
}

/** Injects of one session. They wait until the session is idle, and a provider that injects again and again is paused. */
import type { Span } from '@opentelemetry/api';
import type { Disposable } from '../../base/lifecycle.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { largestGroup } from '../limits/largestGroup.ts';
import { Rate } from '../limits/rate.ts';
import { endFailed } from '../traces/tracing.ts';

const PUSH_WINDOW_MS = 1000;
/** While a provider goes on to push too fast, the owner hears of it this often. */
const TELL_AGAIN_MS = 10_000;

export interface Inject {
  provider: string;
  stream: string;
  text: string;
  isPrompt: boolean;
  /** Of its wait. The inbox ends it. */
  span?: Span | undefined;
}

/** What is asked for an inject when the session is idle and no other waits. */
export interface InjectSource {
  /** Its injects are counted for this account, which is then paused. Undefined: the user has asked for each of them. */
  readonly account: string | undefined;
  /** Undefined: there is nothing at the moment. */
  take(): Inject | undefined;
  becameIdle?(): void;
  userSpoke?(): void;
}

export interface InjectQueueOptions {
  /** False while the session is ending or its owner is away; then nothing is delivered. */
  isOpen(): boolean;
  deliver(inject: Inject): void;
}

export class InjectQueue {
  /** Providers that have pushed within the last second. */
  readonly #pushes = new Map<string, Rate>();
  /** When the owner was told last that pushes of a provider are dropped. */
  readonly #told = new Map<string, number>();
  readonly #allPushes = new Rate(Limit.sessionPushesPerSecond, PUSH_WINDOW_MS);
  /** Injects delivered since the user's last message, by account. */
  readonly #cycles = new Map<string, number>();
  #queue: { account: string; inject: Inject }[] = [];
  /** The one that was asked longest ago comes first. */
  #sources: InjectSource[] = [];
  #isIdle = true;
  dropped = 0;

  constructor(private readonly options: InjectQueueOptions) {}

  get isIdle(): boolean {
    return this.#isIdle;
  }
  get queued(): number {
    return this.#queue.length;
  }

  /** False when the provider (`key`), or all providers together, push too fast. */
  takePush(key: string, now: number): boolean {
    for (const [other, rate] of this.#pushes) if (rate.isUnused(now)) this.#pushes.delete(other);
    const rate = this.#pushes.get(key) ?? new Rate(Limit.pushesPerSecond, PUSH_WINDOW_MS);
    this.#pushes.set(key, rate);
    return rate.take(now) && this.#allPushes.take(now);
  }

  /** True when the owner is to hear that pushes of the provider (`key`) are dropped. */
  shouldTell(key: string, now: number): boolean {
    for (const [other, at] of this.#told) if (now - at >= TELL_AGAIN_MS) this.#told.delete(other);
    if (this.#told.has(key)) return false;
    this.#told.set(key, now);
    return true;
  }

  isPaused(account: string): boolean {
    const all = [...this.#cycles.values()].reduce((sum, cycles) => sum + cycles, 0);
    return all >= Limit.sessionInjectCycles || (this.#cycles.get(account) ?? 0) >= Limit.injectCycles;
  }

  /** Delivered now or when the session is next idle. When too many wait, the oldest of the account with the most is dropped and counted. */
  add(account: string, inject: Inject): void {
    if (this.isPaused(account)) return this.#drop(inject);
    this.#queue.push({ account, inject });
    if (this.#queue.length > Limit.queuedInjects) {
      const [oldest] = largestGroup(this.#queue, (waiting) => waiting.account);
      this.#queue = this.#queue.filter((waiting) => waiting !== oldest);
      if (oldest) this.#drop(oldest.inject);
    }
    this.#deliver();
  }

  /** Disposing the result detaches it. */
  attach(source: InjectSource): Disposable {
    this.#sources.push(source);
    return { dispose: () => void (this.#sources = this.#sources.filter((other) => other !== source)) };
  }

  /** A source has something now. */
  poke(): void {
    this.#deliver();
  }

  /** True when the session has become idle. */
  setIdle(isIdle: boolean): boolean {
    const became = isIdle && !this.#isIdle;
    this.#isIdle = isIdle;
    if (became) for (const source of this.#sources) source.becameIdle?.();
    this.#deliver();
    return became;
  }

  userSpoke(): void {
    this.#cycles.clear();
    for (const source of this.#sources) source.userSpoke?.();
  }

  /** One at a time: an inject begins a turn, and the session counts as busy until its owner says that it is idle. */
  #deliver(): void {
    while (this.#isIdle && this.options.isOpen()) {
      const next = this.#queue.shift();
      if (!next) return this.#deliverOfSource();
      if (this.isPaused(next.account)) this.#drop(next.inject);
      else this.#deliverOne(next.inject, next.account);
    }
  }

  #deliverOfSource(): void {
    for (const source of this.#sources) {
      if (source.account !== undefined && this.isPaused(source.account)) continue;
      const inject = source.take();
      if (!inject) continue;
      if (this.#sources.includes(source)) this.#sources = [...this.#sources.filter((other) => other !== source), source];
      return this.#deliverOne(inject, source.account);
    }
  }

  #deliverOne(inject: Inject, account: string | undefined): void {
    if (account !== undefined) this.#cycles.set(account, (this.#cycles.get(account) ?? 0) + 1);
    this.#isIdle = false;
    this.options.deliver(inject);
    inject.span?.end();
  }

  #drop({ span }: Inject): void {
    this.dropped++;
    if (span) endFailed(span, 'dropped');
  }
}

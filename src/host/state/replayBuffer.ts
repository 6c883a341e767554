/** The newest envelopes of each channel, for clients that reconnect. */
import type { URI } from '../../ahp/common/shapes.ts';

export interface ReplayLimits {
  /** Envelopes of one channel. */
  replayLimit?: number | undefined;
  /** About how many characters of text the envelopes of all channels hold. */
  replaySizeLimit?: number | undefined;
}

const DEFAULT_LIMIT = 1000;
const DEFAULT_SIZE_LIMIT = 16 * 1024 * 1024;

export class ReplayBuffer<E extends { serverSeq: number }> {
  readonly #logs = new Map<URI, Log<E>>();
  /** The logs by about how much they hold, so that the largest one is found at once: those of index n hold less than 2^n. */
  readonly #bySize: Set<Log<E>>[] = [];
  readonly #limit: number;
  readonly #sizeLimit: number;
  #size = 0;

  /** `forgottenSeq`: nothing up to this number can be replayed. */
  constructor(
    private readonly forgottenSeq: number,
    { replayLimit, replaySizeLimit }: ReplayLimits = {},
  ) {
    this.#limit = replayLimit ?? DEFAULT_LIMIT;
    this.#sizeLimit = replaySizeLimit ?? DEFAULT_SIZE_LIMIT;
  }

  /** For a channel that exists: its log stays until it is dropped. */
  keep(channel: URI, envelope: E): void {
    let log = this.#logs.get(channel);
    if (!log) this.#logs.set(channel, (log = new Log(this.forgottenSeq)));
    this.#change(log, () => log.push(envelope, sizeOf(envelope)));
    if (log.count > this.#limit) this.#change(log, () => log.forgetOldest());
    // The largest one gives way, so that a fast channel does not take the few envelopes of a quiet one.
    for (let largest = this.#largest(); largest && this.#size > this.#sizeLimit; largest = this.#largest()) {
      const log = largest;
      this.#change(log, () => log.forgetOldest());
    }
  }

  /** The channel is gone. One that comes later with its name has another log. */
  drop(channel: URI): void {
    const log = this.#logs.get(channel);
    if (!log) return;
    this.#logs.delete(channel);
    this.#size -= log.size;
    this.#bySize[levelOf(log)]?.delete(log);
  }

  /** The envelopes of this channel after `since`. Undefined where its log does not reach back that far. */
  after(since: number, channel: URI): readonly E[] | undefined {
    const log = this.#logs.get(channel);
    if (since < (log?.forgottenSeq ?? this.forgottenSeq)) return undefined;
    return log?.after(since) ?? [];
  }

  #change(log: Log<E>, change: () => void): void {
    const [size, level] = [log.size, levelOf(log)];
    change();
    this.#size += log.size - size;
    const now = levelOf(log);
    if (now === level && this.#bySize[level]?.has(log)) return;
    this.#bySize[level]?.delete(log);
    if (log.count > 0) (this.#bySize[now] ??= new Set()).add(log);
  }

  /** One of which no other holds twice as much. */
  #largest(): Log<E> | undefined {
    while (this.#bySize.length > 0 && !this.#bySize.at(-1)?.size) this.#bySize.pop();
    return this.#bySize.at(-1)?.values().next().value;
  }
}

/** The envelopes of several logs in the order of their numbers. Undefined where one does not reach back far enough. */
export function inOrder<E extends { serverSeq: number }>(logs: readonly (readonly E[] | undefined)[]): E[] | undefined {
  const reaching = logs.filter((log) => log !== undefined);
  return reaching.length < logs.length ? undefined : reaching.flat().sort((one, other) => one.serverSeq - other.serverSeq);
}

class Log<E extends { serverSeq: number }> {
  readonly #entries: { envelope: E; size: number }[] = [];
  /** Those before it are forgotten, and removed many at once. */
  #first = 0;
  size = 0;

  constructor(public forgottenSeq: number) {}

  get count(): number {
    return this.#entries.length - this.#first;
  }

  push(envelope: E, size: number): void {
    this.#entries.push({ envelope, size });
    this.size += size;
  }

  forgetOldest(): void {
    const oldest = this.#entries[this.#first];
    if (!oldest) return;
    this.size -= oldest.size;
    this.forgottenSeq = oldest.envelope.serverSeq;
    this.#first++;
    if (this.#first * 2 < this.#entries.length) return;
    this.#entries.splice(0, this.#first);
    this.#first = 0;
  }

  after(since: number): E[] {
    return this.#entries.slice(this.#first).flatMap(({ envelope }) => (envelope.serverSeq > since ? [envelope] : []));
  }
}

function levelOf({ size }: { size: number }): number {
  return Math.ceil(Math.log2(size + 1));
}

/** The characters of text in it, plus something for each value. Approximates the memory that it needs. */
export function sizeOf(whole: unknown): number {
  let size = 0;
  // Without recursion, because it runs for every envelope.
  const open = [whole];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    size += typeof value === 'string' ? value.length + 8 : 8;
    if (typeof value !== 'object' || value === null) continue;
    // Not through a list of the keys, which would be most of the work.
    for (const key in value) {
      const inner: unknown = (value as Record<string, unknown>)[key];
      size += key.length;
      if (inner !== undefined) open.push(inner);
    }
  }
  return size;
}

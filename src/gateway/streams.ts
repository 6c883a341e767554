/** Event streams of one session: what providers pushed, newest last, each bounded. */
import { ProviderError } from '../tap/errorCodes.ts';
import { Limit } from '../tap/limits.ts';
import { Filter } from './filters.ts';

export interface StreamItem {
  ts: string;
  event: string;
  level: string;
  metadata?: Record<string, unknown>;
}
/** Whose a stream is; instances of one provider share theirs. */
export interface StreamOwner {
  readonly name: string;
  readonly trust: string;
}
interface OwnedStream {
  readonly owner: StreamOwner;
  readonly name: string;
  readonly items: StreamItem[];
  filter: Filter | undefined;
}

export class Streams {
  readonly #streams = new Map<string, OwnedStream>();

  filterOf(owner: StreamOwner, name: string): Filter | undefined {
    return this.#streams.get(keyOf(owner, name))?.filter;
  }

  /** No filter: the level of each push counts again. */
  setFilter(owner: StreamOwner, name: string, filter: Filter | undefined): void {
    this.#open(owner, name).filter = filter;
  }

  append(owner: StreamOwner, name: string, item: StreamItem): void {
    const { items } = this.#open(owner, name);
    items.push(item);
    if (items.length > Limit.streamEntries) items.shift();
  }

  /** Newest first, at most `last`. */
  read(owner: StreamOwner, name: string, last: number): StreamItem[] {
    return (this.#streams.get(keyOf(owner, name))?.items ?? []).slice(-last).reverse();
  }

  /** Streams of providers of this name, whatever their trust. */
  named(provider: string): StreamOwner[] {
    return [...this.#streams.values()].filter(({ owner }) => owner.name === provider).map(({ owner }) => owner);
  }

  all(): readonly Readonly<OwnedStream>[] {
    return [...this.#streams.values()];
  }

  #open(owner: StreamOwner, name: string): OwnedStream {
    const key = keyOf(owner, name);
    const existing = this.#streams.get(key);
    if (existing) return existing;
    const own = [...this.#streams.values()].filter((stream) => stream.owner.name === owner.name && stream.owner.trust === owner.trust);
    if (own.length >= Limit.streams) throw new ProviderError('PAYLOAD_TOO_LARGE', `a provider has at most ${Limit.streams} streams`);
    const stream: OwnedStream = { owner: { name: owner.name, trust: owner.trust }, name, items: [], filter: undefined };
    this.#streams.set(key, stream);
    return stream;
  }
}

const keyOf = (owner: StreamOwner, name: string) => JSON.stringify([owner.trust, owner.name, name]);

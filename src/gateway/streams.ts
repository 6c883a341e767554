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
/** Who writes to it. */
export interface StreamUser extends StreamOwner {
  /** Whose bytes and filters are counted together, whatever name they have. */
  readonly account: string;
  /** Whose streams are. */
  readonly budgetKey: string;
}
interface Entry {
  readonly item: StreamItem;
  readonly account: string;
  readonly bytes: number;
  /** Rises over all streams. */
  readonly order: number;
}
interface OwnedStream {
  readonly owner: StreamOwner;
  readonly name: string;
  readonly openedBy: string;
  readonly entries: Entry[];
  filter?: { readonly account: string; readonly filter: Filter };
}

export class Streams {
  readonly #streams = new Map<string, OwnedStream>();
  /** Bytes of entries, by account. */
  readonly #bytes = new Map<string, number>();
  #appended = 0;

  filterOf(owner: StreamOwner, name: string): Filter | undefined {
    return this.#streams.get(keyOf(owner, name))?.filter?.filter;
  }

  /** No filter: the level of each push counts again. Throws a {@link ProviderError} when the filters of this user together are too large. */
  setFilter(user: StreamUser, name: string, filter: Filter | undefined): void {
    const { account } = user;
    const replaced = this.#streams.get(keyOf(user, name));
    const others = [...this.#streams.values()].filter((stream) => stream !== replaced && stream.filter?.account === account);
    if (sum(others.map((stream) => stream.filter?.filter.size ?? 0)) + (filter?.size ?? 0) > Limit.filterStates)
      throw new ProviderError('PAYLOAD_TOO_LARGE', `the patterns of all filters together may have ${Limit.filterStates} states`);
    this.#open(user, name).filter = filter && { account, filter };
  }

  append(user: StreamUser, name: string, item: StreamItem): void {
    const { account } = user;
    const { entries } = this.#open(user, name);
    const bytes = Buffer.byteLength(JSON.stringify(item));
    entries.push({ item, account, bytes, order: this.#appended++ });
    this.#bytes.set(account, this.#bytesOf(account) + bytes);
    if (entries.length > Limit.streamEntries) this.#forget(entries, 0);
    while (this.#bytesOf(account) > Limit.streamBytes) this.#forgetOldest(account);
    while (sum(this.#bytes.values()) > Limit.sessionStreamBytes) this.#forgetOldest(this.#largest());
  }

  /** Newest first, at most `last`. */
  read(owner: StreamOwner, name: string, last: number): StreamItem[] {
    const entries = this.#streams.get(keyOf(owner, name))?.entries ?? [];
    return entries
      .slice(-last)
      .reverse()
      .map(({ item }) => item);
  }

  /** Streams of providers of this name, whatever their trust. */
  named(provider: string): StreamOwner[] {
    return [...this.#streams.values()].filter(({ owner }) => owner.name === provider).map(({ owner }) => owner);
  }

  all(): { owner: StreamOwner; name: string; items: StreamItem[] }[] {
    return [...this.#streams.values()].map(({ owner, name, entries }) => ({ owner, name, items: entries.map(({ item }) => item) }));
  }

  #open(user: StreamUser, name: string): OwnedStream {
    const key = keyOf(user, name);
    const existing = this.#streams.get(key);
    if (existing) return existing;
    const own = [...this.#streams.values()].filter(({ openedBy }) => openedBy === user.budgetKey);
    if (own.length >= Limit.streams) throw new ProviderError('PAYLOAD_TOO_LARGE', `a provider has at most ${Limit.streams} streams`);
    if (this.#streams.size >= Limit.sessionStreams)
      throw new ProviderError('PAYLOAD_TOO_LARGE', `a session has at most ${Limit.sessionStreams} streams`);
    const stream: OwnedStream = { owner: { name: user.name, trust: user.trust }, name, openedBy: user.budgetKey, entries: [] };
    this.#streams.set(key, stream);
    return stream;
  }

  #bytesOf(account: string): number {
    return this.#bytes.get(account) ?? 0;
  }

  #largest(): string {
    return [...this.#bytes].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
  }

  #forgetOldest(account: string): void {
    let oldest: { entries: Entry[]; at: number; order: number } | undefined;
    for (const { entries } of this.#streams.values()) {
      const at = entries.findIndex((entry) => entry.account === account);
      const order = entries[at]?.order ?? Infinity;
      if (order < (oldest?.order ?? Infinity)) oldest = { entries, at, order };
    }
    if (oldest) this.#forget(oldest.entries, oldest.at);
  }

  #forget(entries: Entry[], at: number): void {
    const [{ account, bytes }] = entries.splice(at, 1) as [Entry];
    const left = this.#bytesOf(account) - bytes;
    if (left > 0) this.#bytes.set(account, left);
    else this.#bytes.delete(account);
  }
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, each) => all + each, 0);
const keyOf = (owner: StreamOwner, name: string) => JSON.stringify([owner.trust, owner.name, name]);

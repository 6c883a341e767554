/** Event streams of one session: the events that providers pushed, newest last, with a limit for each. */
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { Filter } from './filters.ts';

export interface StreamItem {
  ts: string;
  event: string;
  level: string;
  metadata?: Record<string, unknown>;
}
/** The owner of a stream. Instances of one provider share their streams; a provider of the same name with another token has its own. */
export interface StreamOwner {
  readonly name: string;
  /** Bytes and filters are counted by account, whatever the name. */
  readonly account: string;
  /** Streams are counted by this key. */
  readonly budgetKey: string;
}
/** Where the events of one owner are kept. */
export interface KeepsEvents {
  readonly owner: StreamOwner;
  /** `item`: its JSON. `soon`: not at once. */
  append(stream: string, item: string, soon: boolean): void;
  flush(): void;
}
interface Entry {
  readonly item: StreamItem;
  readonly bytes: number;
  /** Increases over all streams. */
  readonly order: number;
}
interface OwnedStream {
  readonly owner: StreamOwner;
  readonly name: string;
  readonly entries: Entry[];
  filter: Filter | undefined;
  /** Older entries were forgotten. */
  isCut: boolean;
}

export class Streams {
  readonly #streams = new Map<string, OwnedStream>();
  /** Bytes of entries, by account. */
  readonly #bytes = new Map<string, number>();
  #appended = 0;
  #keeps: KeepsEvents | undefined;

  /** All events from now on are kept before they can be read. */
  keepIn(keeps: KeepsEvents): void {
    this.#keeps = keeps;
  }

  filterOf(owner: StreamOwner, name: string): Filter | undefined {
    return this.#streams.get(keyOf(owner, name))?.filter;
  }

  /** Without a filter the level of each push counts. Throws a {@link ProviderError} when the owner's filters together are too large. */
  setFilter(owner: StreamOwner, name: string, filter: Filter | undefined): void {
    const replaced = this.#streams.get(keyOf(owner, name));
    const others = [...this.#streams.values()].filter((stream) => stream !== replaced && stream.owner.account === owner.account);
    if (sum(others.map((stream) => stream.filter?.size ?? 0)) + (filter?.size ?? 0) > Limit.filterStates)
      throw new ProviderError(ErrorCode.PayloadTooLarge, `the patterns of all filters together may have ${Limit.filterStates} states`);
    this.#open(owner, name).filter = filter;
  }

  /**
   * Makes sure that there is such a stream. Where its owner has as many as it may have, the one that was written to longest ago makes room, unless
   * it is in use. Throws a {@link ProviderError} when there is no room.
   */
  open(owner: StreamOwner, name: string, isInUse: (name: string) => boolean): void {
    if (this.#streams.has(keyOf(owner, name))) return;
    const own = [...this.#streams.values()].filter((stream) => stream.owner.budgetKey === owner.budgetKey);
    const [unused] = own.filter((stream) => !isInUse(stream.name)).sort((a, b) => lastOrderOf(a) - lastOrderOf(b));
    if (own.length >= Limit.streams && unused) {
      while (unused.entries.length) this.#forgetFirst(unused);
      this.#streams.delete(keyOf(unused.owner, unused.name));
    }
    this.#open(owner, name);
  }

  /** `soon`: it is one of many, and nobody is told of it. */
  append(owner: StreamOwner, name: string, item: StreamItem, soon = false): void {
    const { account } = owner;
    const stream = this.#open(owner, name);
    const json = JSON.stringify(item);
    const bytes = Buffer.byteLength(json);
    stream.entries.push({ item, bytes, order: this.#appended++ });
    this.#bytes.set(account, this.#bytesOf(account) + bytes);
    if (stream.entries.length > Limit.streamEntries) this.#forgetFirst(stream);
    while (this.#bytesOf(account) > Limit.streamBytes) this.#forgetOldest(account);
    while (sum(this.#bytes.values()) > Limit.sessionStreamBytes) this.#forgetOldest(this.#largest());
    if (this.#keeps?.owner.account === account && this.#keeps.owner.name === owner.name) this.#keeps.append(name, json, soon);
  }

  /** Older events of it were forgotten. */
  cut(owner: StreamOwner, name: string): void {
    const stream = this.#streams.get(keyOf(owner, name));
    if (stream) stream.isCut = true;
  }

  /** Newest first, at most `last`. */
  read(owner: StreamOwner, name: string, last: number): StreamItem[] {
    this.#keeps?.flush();
    return newest([this.#streams.get(keyOf(owner, name))], last);
  }

  /** Like {@link read}, for all providers of this name together; undefined when none has such a stream. */
  readNamed(provider: string, name: string, last: number): StreamItem[] | undefined {
    this.#keeps?.flush();
    const found = [...this.#streams.values()].filter((stream) => stream.owner.name === provider && stream.name === name);
    return found.length ? newest(found, last) : undefined;
  }

  all(): { owner: StreamOwner; name: string; items: StreamItem[]; isCut: boolean }[] {
    this.#keeps?.flush();
    return [...this.#streams.values()].map(({ owner, name, entries, isCut }) => ({
      owner,
      name,
      items: entries.map(({ item }) => item),
      isCut,
    }));
  }

  #open({ name: provider, account, budgetKey }: StreamOwner, name: string): OwnedStream {
    const owner = { name: provider, account, budgetKey };
    const key = keyOf(owner, name);
    const existing = this.#streams.get(key);
    if (existing) return existing;
    const own = [...this.#streams.values()].filter((stream) => stream.owner.budgetKey === budgetKey);
    if (own.length >= Limit.streams) throw new ProviderError(ErrorCode.PayloadTooLarge, `a provider has at most ${Limit.streams} streams`);
    if (this.#streams.size >= Limit.sessionStreams)
      throw new ProviderError(ErrorCode.PayloadTooLarge, `a session has at most ${Limit.sessionStreams} streams`);
    const stream: OwnedStream = { owner, name, entries: [], filter: undefined, isCut: false };
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
    const own = [...this.#streams.values()].filter(({ owner, entries }) => owner.account === account && entries.length);
    this.#forgetFirst(own.reduce((oldest, stream) => (orderOf(stream) < orderOf(oldest) ? stream : oldest)));
  }

  #forgetFirst(stream: OwnedStream): void {
    const { owner, entries } = stream;
    const { account } = owner;
    stream.isCut = true;
    const left = this.#bytesOf(account) - (entries.shift()?.bytes ?? 0);
    if (left > 0) this.#bytes.set(account, left);
    else this.#bytes.delete(account);
  }
}

const lastOrderOf = ({ entries }: OwnedStream) => entries.at(-1)?.order ?? -1;
const orderOf = ({ entries }: OwnedStream) => entries[0]?.order ?? Infinity;
const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, each) => all + each, 0);
const keyOf = ({ account, name }: StreamOwner, stream: string) => JSON.stringify([account, name, stream]);

function newest(streams: readonly (OwnedStream | undefined)[], last: number): StreamItem[] {
  return streams
    .flatMap((stream) => stream?.entries.slice(-last) ?? [])
    .sort((a, b) => b.order - a.order)
    .slice(0, last)
    .map(({ item }) => item);
}

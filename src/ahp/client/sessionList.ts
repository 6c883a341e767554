/**
 * The sessions of a host: its listing, kept up to date by notifications. A session is one entry, by its URI, wherever it was heard of.
 *
 * A listing may leave out what the host has (VS Code 1.117 lists a session only when its first turn is under way). Such a session stays if the
 * host has announced it or given its state on this connection, until it is removed.
 */
import { Emitter } from '../../base/event.ts';
import { isRecord } from '../../base/isRecord.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { SessionSummary as ModelSummary } from '../channels/shapes/summaries.ts';
import type { ActionLike } from '../common/reducers/reducer.ts';
import type { URI } from '../common/shapes.ts';
import type { Dialect, HostNotification } from '../dialects/dialect.ts';
import { describeHostError } from './connection/hostError.ts';
import type { Listing } from './listing.ts';
import type { SubscriptionSource } from './resources/subscription.ts';
import { type Listed, parseSummary } from './connection/wireChecks.ts';

/** Why the host gave no list; `code` is absent when it gave no answer. The last known items stay. */
export interface SessionListError {
  code?: number;
  message: string;
}
export type SessionListState = 'loading' | 'ready' | { readonly error: SessionListError };

/** Notifications that are kept while a listing is under way. */
const MAX_HEARD = 10_000;

export class SessionList implements Disposable {
  #byUri = new Map<URI, Listed>();
  #summaries: readonly ModelSummary[] | undefined;
  #state: SessionListState = 'loading';
  #isCut = false;
  /** Number of the newest listing. Results of older ones are dropped. */
  #asked = 0;
  /**
   * Notifications that came while a listing was under way, because the host may have made the list before them. Undefined at other times.
   */
  #heardMeanwhile: HostNotification[] | undefined;
  /** Sessions that the host has announced or given the state of, and has not listed since, and whether that was on this connection. */
  readonly #unlisted = new Map<URI, 'here' | 'earlier'>();
  /** The host has listed its sessions on this connection. */
  #listedHere = false;
  #scheduled = false;
  readonly #change = new Emitter<void>();

  constructor(
    private readonly fetch: () => Promise<Listing>,
    private readonly schedule: (callback: () => void) => void,
    /** The sessions that have subscriptions. */
    private readonly held: () => readonly Pick<SubscriptionSource<object, ActionLike>, 'uri' | 'status' | 'confirmed'>[],
    private readonly dialect: () => Dialect | undefined,
  ) {}

  /** At most once per tick, for changes of `summaries` and of `state`. */
  readonly onDidChange = this.#change.event;

  get state(): SessionListState {
    return this.#state;
  }

  /** The host has more sessions than it could list in time, or than are kept. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** As the host lists them. */
  get listed(): readonly object[] {
    return [...this.#byUri.values()];
  }

  /** In the shapes of the newest dialect, well formed, in no particular order. The same array until something changes. */
  get summaries(): readonly ModelSummary[] {
    const dialect = this.dialect();
    if (!dialect) return [];
    return (this.#summaries ??= [...this.#byUri.values()].flatMap((summary) => dialect.upgradeSummary(summary) ?? []));
  }

  /** In the shapes of the newest dialect, well formed. */
  summary(uri: URI): ModelSummary | undefined {
    const listed = this.#byUri.get(uri);
    return listed && this.dialect()?.upgradeSummary(listed);
  }

  /** Lists again, because notifications are not replayed on a new connection. Never rejects: `state` has the outcome. */
  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    this.#heardMeanwhile = [];
    if (this.#state !== 'ready') this.#update('loading');
    try {
      const { items, isCut } = await this.fetch();
      if (asked !== this.#asked) return;
      const listed = items.map(parseSummary).filter((summary) => summary !== undefined);
      const before = this.#byUri;
      this.#byUri = new Map(listed.map((summary) => [summary.resource, summary]));
      for (const uri of [...this.#unlisted.keys()]) {
        const known = before.get(uri);
        if (known && !this.#byUri.has(uri)) this.#byUri.set(uri, known);
        else this.#unlisted.delete(uri);
      }
      this.#isCut = isCut;
      this.#listedHere = true;
      for (const notification of this.#heardMeanwhile ?? []) this.#apply(notification, 'keepListed');
      this.#heardMeanwhile = undefined;
      this.#reviewUnlisted();
      this.#update('ready');
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#heardMeanwhile = undefined;
      this.#update({ error: describeHostError(error) });
    }
  }

  receive(notification: HostNotification): void {
    // Notifications were dropped. A listing that is requested now has what they said.
    if (this.#heardMeanwhile?.length === MAX_HEARD) void this.refresh();
    this.#heardMeanwhile?.push(notification);
    if (this.#apply(notification)) this.#update(this.#state);
  }

  /** An announcement counts for its own connection only. */
  connectionLost(): void {
    for (const uri of this.#unlisted.keys()) this.#unlisted.set(uri, 'earlier');
    this.#listedHere = false;
  }

  /** The subscriptions, or their status, have changed. */
  heldChanged(): void {
    if (this.#reviewUnlisted()) this.#update(this.#state);
  }

  dispose(): void {
    this.#asked++;
    this.#change.dispose();
  }

  /** False when it changed nothing. `keepListed`: a listed session is newer than an announcement of it. */
  #apply(notification: HostNotification, mode?: 'keepListed'): boolean {
    switch (notification.type) {
      case 'notify/sessionAdded': {
        const summary = parseSummary(notification.summary);
        if (!summary || (mode && this.#byUri.has(summary.resource))) return false;
        this.#byUri.set(summary.resource, summary);
        this.#unlisted.set(summary.resource, 'here');
        return true;
      }
      case 'notify/sessionRemoved':
        return this.#byUri.delete(notification.session);
      case 'notify/sessionSummaryChanged': {
        const known = this.#byUri.get(notification.session);
        if (!known || !isRecord(notification.changes)) return false;
        this.#byUri.set(notification.session, { ...known, ...notification.changes, resource: known.resource });
        return true;
      }
      default:
        return false;
    }
  }

  /**
   * Adds sessions that are subscribed to and live, and drops those that only an earlier connection told of, unless the host may still give
   * their state. False when it changed nothing. Before the first listing of a connection everything stays as it was.
   */
  #reviewUnlisted(): boolean {
    if (!this.#listedHere) return false;
    const held = this.held();
    const mayBeThere = new Set(held.filter(({ status }) => status.kind !== 'failed' && status.kind !== 'removed').map(({ uri }) => uri));
    let changed = false;
    for (const [uri, told] of [...this.#unlisted]) {
      if (told === 'here' || mayBeThere.has(uri)) continue;
      this.#unlisted.delete(uri);
      this.#byUri.delete(uri);
      changed = true;
    }
    for (const session of held) {
      const { uri } = session;
      if (session.status.kind !== 'live') continue;
      if (this.#unlisted.has(uri)) this.#unlisted.set(uri, 'here');
      const summary = session.confirmed && this.dialect()?.summaryIn(uri, session.confirmed);
      if (this.#byUri.has(uri) || !summary) continue;
      this.#byUri.set(uri, { ...summary, resource: uri });
      this.#unlisted.set(uri, 'here');
      changed = true;
    }
    return changed;
  }

  #update(state: SessionListState): void {
    this.#state = state;
    this.#summaries = undefined;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.schedule(() => {
      this.#scheduled = false;
      this.#change.fire();
    });
  }
}

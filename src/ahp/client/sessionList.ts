/** The sessions of a host: its listing, kept up to date by notifications. A session is one entry, by its URI, wherever it was heard of. */
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { URI } from '../v1/common.ts';
import type { ProtocolNotification } from '../v1/notifications.ts';
import type { SessionSummary } from '../v1/session.ts';
import { describeHostError } from './hostError.ts';
import { isObject, parseSummary } from './wireChecks.ts';

/** Why the host gave no list; `code` is absent when it gave no answer. The last known items stay. */
export interface SessionListError {
  code?: number;
  message: string;
}
export type SessionListState = 'loading' | 'ready' | { readonly error: SessionListError };

/** Notifications that are kept while a listing is under way. */
const MAX_HEARD = 10_000;

export class SessionList implements Disposable {
  #byUri = new Map<URI, SessionSummary>();
  #items: readonly SessionSummary[] | undefined;
  #state: SessionListState = 'loading';
  /** The newest listing that was asked for; older answers are dropped. */
  #asked = 0;
  /** What was heard while a listing was under way (otherwise undefined): the host may have put the list together before. */
  #heardMeanwhile: ProtocolNotification[] | undefined;
  #scheduled = false;
  readonly #change = new Emitter<void>();

  constructor(
    private readonly fetch: () => Promise<unknown>,
    private readonly schedule: (callback: () => void) => void,
  ) {}

  /** At most once per tick, for changes of `items` and of `state`. */
  readonly onDidChange = this.#change.event;

  get state(): SessionListState {
    return this.#state;
  }

  /** In no particular order; the same array until something changes. */
  get items(): readonly SessionSummary[] {
    return (this.#items ??= [...this.#byUri.values()]);
  }

  get(uri: URI): SessionSummary | undefined {
    return this.#byUri.get(uri);
  }

  /** Lists anew (notifications are not replayed after a lost line). Never rejects: `state` tells the outcome. */
  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    this.#heardMeanwhile = [];
    if (this.#state !== 'ready') this.#update('loading');
    try {
      const result = await this.fetch();
      if (asked !== this.#asked) return;
      const items = isObject(result) ? result['items'] : undefined;
      if (!Array.isArray(items)) throw new Error('the host’s list of sessions cannot be read');
      const listed = items.map(parseSummary).filter((summary) => summary !== undefined);
      this.#byUri = new Map(listed.map((summary) => [summary.resource, summary]));
      for (const notification of this.#heardMeanwhile ?? []) this.#apply(notification, 'keepListed');
      this.#heardMeanwhile = undefined;
      this.#update('ready');
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#heardMeanwhile = undefined;
      this.#update({ error: describeHostError(error) });
    }
  }

  receive(notification: ProtocolNotification): void {
    // What was heard too long ago to be kept is in a listing that is asked for now.
    if (this.#heardMeanwhile?.length === MAX_HEARD) void this.refresh();
    this.#heardMeanwhile?.push(notification);
    if (this.#apply(notification)) this.#update(this.#state);
  }

  dispose(): void {
    this.#asked++;
    this.#change.dispose();
  }

  /** False when it changed nothing. `keepListed`: the listing knows better than an announcement of the same session. */
  #apply(notification: ProtocolNotification, mode?: 'keepListed'): boolean {
    switch (notification.type) {
      case 'notify/sessionAdded': {
        const summary = parseSummary(notification.summary);
        if (!summary || (mode && this.#byUri.has(summary.resource))) return false;
        this.#byUri.set(summary.resource, summary);
        return true;
      }
      case 'notify/sessionRemoved':
        return this.#byUri.delete(notification.session);
      case 'notify/sessionSummaryChanged': {
        const known = this.#byUri.get(notification.session);
        if (!known || !isObject(notification.changes)) return false;
        this.#byUri.set(notification.session, { ...known, ...notification.changes, resource: known.resource });
        return true;
      }
      default:
        return false;
    }
  }

  #update(state: SessionListState): void {
    this.#state = state;
    this.#items = undefined;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.schedule(() => {
      this.#scheduled = false;
      this.#change.fire();
    });
  }
}

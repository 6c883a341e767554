/**
 * What waits for the user in a window: in the sessions of its hosts, and what the window itself asks. VS Code takes a notification away after a
 * while; what it asked stays here until it is answered.
 */
import * as l10n from '../../base/l10n.ts';
import type { Clock } from '../../base/clock.ts';
import { dropOldest } from '../../base/dropOldest.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { Attention } from '../../views/attention/attention.ts';
import type { WindowItem } from '../../views/attention/attentionItems.ts';
import { keep, type Storage } from '../bridge/storage/storage.ts';

/** Ids of reviews. */
const PUT_OFF_KEY = 'tapline.putOffReviews';
/** With more, the user is reminded of the oldest again. */
const MAX_PUT_OFF = 100;

/** Something that is off until the user has seen it and said what they want. */
export interface OpenReview {
  /** The same for as long as the same thing waits; another one for another content. */
  readonly id: string;
  /** What it is, and that it waits for what: a line each. */
  readonly title: string;
  readonly what: string;
  /** Shows all of it, with the answers. */
  review(): unknown;
}

export interface Reviews {
  /** Those that the user was asked about and has not answered. */
  readonly open: readonly OpenReview[];
  readonly onDidChange: Event<unknown>;
}

export class WindowAttention implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #reviews: Reviews[] = [];
  readonly #putOff: Set<string>;
  #items: readonly WindowItem[];

  constructor(
    private readonly sessions: Pick<Attention, 'items' | 'onDidChange' | 'look'>,
    private readonly storage: Storage,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    const kept = storage.get(PUT_OFF_KEY);
    this.#putOff = new Set(Array.isArray(kept) ? kept.map(String) : []);
    this.#items = sessions.items;
    this.#store.add(sessions.onDidChange(() => this.#update()));
  }

  /** First those of the sessions. The same array until something changes. */
  get items(): readonly WindowItem[] {
    return this.#items;
  }

  /** Brings `items` up to what the clients know now. */
  look(): void {
    this.sessions.look();
  }

  add(reviews: Reviews): void {
    this.#reviews.push(reviews);
    this.#store.add(reviews.onDidChange(() => this.#update()));
    this.#update();
  }

  /** Shows what an item of the kind `review` asks about. */
  review(id: string): unknown {
    const open = this.#open().find((one) => one.id === id);
    if (!open) throw new UserError(l10n.t('This has gone or was answered meanwhile.'));
    return open.review();
  }

  /** The user does not want to be reminded of it in this workspace. */
  putOff(id: string): void {
    this.#putOff.add(id);
    dropOldest(this.#putOff, MAX_PUT_OFF);
    keep(this.storage, PUT_OFF_KEY, [...this.#putOff], this.logger);
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #open(): OpenReview[] {
    return this.#reviews.flatMap(({ open }) => open).filter(({ id }) => !this.#putOff.has(id));
  }

  #update(): void {
    const since = new Map(this.#items.map((item) => [item.id, item.since]));
    const reviews = this.#open().map(({ id, title, what }): WindowItem => {
      return { id, hostId: '', hostLabel: '', kind: 'review', title, what, since: since.get(id) ?? this.clock.now() };
    });
    const items = [...this.sessions.items, ...reviews];
    if (sameJson(items, this.#items)) return;
    this.#items = items;
    this.#onDidChange.fire();
  }
}

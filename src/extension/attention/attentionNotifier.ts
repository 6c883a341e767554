/**
 * Shows one notification for each thing that starts to wait, or has finished, and is not on screen, and closes it when the thing is settled
 * anywhere or comes on screen. What the user was notified of is remembered for all windows, and over a reload. Of several windows, the one that had the focus last
 * notifies. Another one does when it gets the focus, or a moment later: the first one may be closed, or have other hosts.
 */
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { sameJson } from '../../base/sameJson.ts';
import { type Notifiable, remembered, unnotified } from '../../views/attention/unnotified.ts';
import { keep, type Storage } from '../bridge/storage/storage.ts';

/** Ids of items that the user was notified of. */
const NOTIFIED_KEY = 'tapline.notifiedItems';
/** The `windowId` of the window that had the focus last. */
const WINDOW_KEY = 'tapline.lastFocusedWindow';
/** How long the other windows leave it to the window that had the focus last. What that one writes is with them by then. */
export const HEAD_START_MS = 5_000;

export interface NotifierOptions<T extends Notifiable> {
  attention: { readonly items: readonly T[]; readonly onDidChange: Event<unknown> };
  /** Shared by all windows. What another window writes may come a moment later. */
  storage: Storage;
  window: { readonly state: { readonly focused: boolean }; readonly onDidChangeWindowState: Event<unknown> };
  windowId: string;
  isOn(): boolean;
  /** What the user sees anyway. */
  screen: { has(item: T): boolean; readonly onDidChange: Event<unknown> };
  /** Disposing the result closes the notification. */
  show(item: T): Disposable;
  clock: Clock;
  logger: Logger;
}

export class AttentionNotifier<T extends Notifiable> implements Disposable {
  readonly #store = new DisposableStore();
  readonly #open = new Map<string, Disposable>();
  #before: readonly T[] = [];
  /** When this window notifies of what is left to another one, by id. */
  #due: ReadonlyMap<string, number> = new Map();
  #timer: Disposable | undefined;

  constructor(private readonly options: NotifierOptions<T>) {
    const { attention, window, screen } = options;
    this.#store.add(attention.onDidChange(() => this.#look()));
    this.#store.add(window.onDidChangeWindowState(() => this.#look()));
    this.#store.add(screen.onDidChange(() => this.#closeSettled()));
    this.#look();
  }

  dispose(): void {
    for (const open of this.#open.values()) open.dispose();
    this.#open.clear();
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #look(): void {
    const { attention, storage, screen, logger } = this.options;
    const notified = (storage.get(NOTIFIED_KEY) ?? []) as readonly string[];
    const { fresh, known } = unnotified(this.#before, attention.items, notified);
    this.#before = attention.items;
    this.#closeSettled();
    const ours = this.#isTurn() ? fresh : this.#overdue(fresh);
    this.#leaveToOthers(fresh.filter((item) => !ours.includes(item)));
    const kept = remembered(known, ours);
    if (!sameJson(kept, notified)) keep(storage, NOTIFIED_KEY, kept, logger);
    if (!this.options.isOn()) return;
    for (const item of ours) if (!screen.has(item)) this.#open.set(item.id, this.options.show(item));
  }

  #overdue(items: readonly T[]): readonly T[] {
    const now = this.options.clock.now();
    return items.filter(({ id }) => (this.#due.get(id) ?? Infinity) <= now);
  }

  /** For a while. */
  #leaveToOthers(items: readonly T[]): void {
    const { clock } = this.options;
    const now = clock.now();
    this.#due = new Map(items.map(({ id }) => [id, this.#due.get(id) ?? now + HEAD_START_MS]));
    this.#timer?.dispose();
    this.#timer = items.length === 0 ? undefined : clock.setTimer(() => this.#look(), Math.min(...this.#due.values()) - now);
  }

  #isTurn(): boolean {
    const { window, windowId, storage, logger } = this.options;
    const last = storage.get(WINDOW_KEY);
    if (window.state.focused && last !== windowId) keep(storage, WINDOW_KEY, windowId, logger);
    return window.state.focused || last === windowId;
  }

  #closeSettled(): void {
    const { attention, screen } = this.options;
    const needed = new Set(attention.items.filter((item) => !screen.has(item)).map(({ id }) => id));
    for (const [id, open] of this.#open) {
      if (needed.has(id)) continue;
      this.#open.delete(id);
      open.dispose();
    }
  }
}

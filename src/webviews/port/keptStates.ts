/** What pages of the portal keep in their browser, which has little room, and tells nobody that a page is not used any more. */

const PREFIX = 'tapline-page ';
/** The oldest are forgotten. */
export const MAX_KEPT = 100;

export type Store = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

export class KeptStates {
  readonly #store: Store;
  readonly #key: string;

  /** `page`: which one it is, however it was opened. */
  constructor(store: Store, page: string) {
    this.#store = store;
    this.#key = PREFIX + page;
  }

  read(): unknown {
    return entryOf(this.#store.getItem(this.#key)).state;
  }

  /** Throws where there is no room, although nothing else is kept. */
  write(state: unknown, now: number): void {
    const text = JSON.stringify({ at: now, state });
    // Written at each key that is typed, so what others keep is looked at only where that matters.
    if (this.#store.getItem(this.#key) === null) for (const oldest of this.#others().slice(0, 1 - MAX_KEPT)) this.#store.removeItem(oldest);
    for (;;) {
      try {
        return this.#store.setItem(this.#key, text);
      } catch (error) {
        const [oldest] = this.#others();
        if (oldest === undefined) throw error;
        this.#store.removeItem(oldest);
      }
    }
  }

  /** Keys, oldest first. */
  #others(): string[] {
    const keys = Array.from({ length: this.#store.length }, (_, at) => this.#store.key(at) ?? '');
    return keys
      .filter((key) => key.startsWith(PREFIX) && key !== this.#key)
      .map((key) => ({ key, at: entryOf(this.#store.getItem(key)).at }))
      .sort((one, other) => one.at - other.at)
      .map(({ key }) => key);
  }
}

function entryOf(text: string | null): { at: number; state?: unknown } {
  try {
    const { at, state } = (JSON.parse(text ?? '{}') ?? {}) as { at?: unknown; state?: unknown };
    return { at: typeof at === 'number' ? at : 0, state };
  } catch {
    // Nobody can read it, so it goes first.
    return { at: 0 };
  }
}

/** What providers know of one document: asked again after edits, moved with the text until then, and gone when the document is. */
import type * as vscode from 'vscode';
import { Emitter } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { OpenCtxClientCore } from '../../../openctx/client.ts';
import { type Edit, moved, placesIn } from './textPlaces.ts';
import { type ShownItem, shownItem } from './shownItem.ts';

/** In UTF-16 code units. */
export const MAX_CONTENT = 1024 * 1024;
/** Of one file. Providers together may say more; it is left out. */
const MAX_ITEMS = 5_000;
/** Without an edit. */
const REST_MS = 500;

/** Larger files are not, nor binary ones that are shown as text. */
export function isSent(content: string): boolean {
  return content.length <= MAX_CONTENT && !content.includes('\0');
}

export class DocumentItems implements Disposable {
  #items: readonly ShownItem[] = [];
  #asking: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The version that the items are of, moved or not. */
  #askedVersion: number | undefined;
  readonly #onDidChange = new Emitter<void>();
  /** There are other items, or fewer. Not called when they only move. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(
    readonly document: vscode.TextDocument,
    private readonly client: () => OpenCtxClientCore | undefined,
  ) {}

  /** Those of one provider stand together, and each provider's in the order of their places. */
  get items(): readonly ShownItem[] {
    return this.#items;
  }

  /** The text has been edited. */
  edited(edits: readonly Edit[]): void {
    if (edits.length === 0) return;
    this.#cancel();
    const before = this.#items.length;
    this.#items = this.#items.flatMap((item) => {
      const place = item.place && moved(item.place, edits);
      return item.place && !place ? [] : [{ ...item, ...(place && { place }) }];
    });
    if (this.#items.length < before) this.#onDidChange.fire();
    this.#timer = setTimeout(() => void this.ask(), REST_MS);
  }

  /** Asks if the document has changed since, and resolves when the items are those of the document. */
  async ask(): Promise<void> {
    if (this.#askedVersion === this.document.version) return;
    clearTimeout(this.#timer);
    if (!this.#asking) {
      const stop = new AbortController();
      this.#asking = { stop, done: this.#ask(stop.signal) };
    }
    await this.#asking.done;
  }

  /** What is known does not count any more. */
  forget(): void {
    this.#cancel();
    this.#askedVersion = undefined;
    this.#set([]);
  }

  dispose(): void {
    this.forget();
    this.#onDidChange.dispose();
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { version, uri } = this.document;
    const content = this.document.getText();
    const client = this.client();
    const { results } =
      client && isSent(content) ? await client.annotations({ uri: uri.toString(), content }, { signal }) : { results: [] };
    // An edit and the end of the document have cancelled it.
    if (signal.aborted) return;
    const placeOf = placesIn(content);
    this.#asking = undefined;
    this.#askedVersion = version;
    const ofThis = results.filter((result) => isSameUri(result.uri, uri)).slice(0, MAX_ITEMS);
    this.#set(ofThis.map((result) => shownItem(result, result.range && placeOf(result.range))));
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#asking?.stop.abort();
    this.#asking = undefined;
  }

  #set(items: readonly ShownItem[]): void {
    if (items.length === 0 && this.#items.length === 0) return;
    this.#items = items;
    this.#onDidChange.fire();
  }
}

/** Providers may encode it in another way. */
function isSameUri(said: string, uri: vscode.Uri): boolean {
  if (said === uri.toString()) return true;
  try {
    const { protocol, pathname } = new URL(said);
    return protocol === `${uri.scheme}:` && decodeURIComponent(pathname) === uri.path;
  } catch {
    return false;
  }
}

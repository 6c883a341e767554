/**
 * Which page has the keyboard focus, and what in it. The pages report it; nothing else guesses it.
 *
 * A page (a session in the sidebar or in an editor, the list of what waits) registers with {@link Focus.add}, and reports each change of its
 * focus with {@link FocusHandle.report}. At most one page has the focus. A page that reports it takes it from the others, and what it reports
 * later as lost is not taken from the page that has it by then. A page posts its focus only when it has changed.
 *
 * An answer key goes to the page that has the focus ({@link Focus.answer}), and only while a waiting card has it there. The page looks again
 * where its focus is when the command arrives, so that a key never answers something else.
 */
import { Emitter } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { FocusPlace } from '../webviews/focus/focusPlace.ts';
import type { FocusHandle, FocusPage, PageFocus } from '../pages/pageFocus.ts';

export class Focus implements PageFocus, Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  /** The page that had the focus last comes first. */
  #pages: readonly FocusPage[] = [];
  #current: { readonly page: FocusPage; readonly place: FocusPlace } | undefined;

  add(page: FocusPage): FocusHandle {
    this.#pages = [...this.#pages, page];
    return {
      report: (place) => this.#report(page, place),
      cameToFront: () => this.#toFront(page),
      dispose: () => this.#remove(page),
    };
  }

  /** The page that has the keyboard focus. */
  get page(): FocusPage | undefined {
    return this.#current?.page;
  }
  /** What has the focus in {@link page}; `none` when no page has it. */
  get place(): FocusPlace {
    return this.#current?.place ?? 'none';
  }
  /** Also while the focus is elsewhere, such as in the palette: the page that had it last comes first. */
  get byRecency(): readonly FocusPage[] {
    return this.#pages;
  }

  /** For the answer keys. Does nothing unless a waiting card has the focus. */
  answer(how: 'approve' | 'deny'): void {
    if (this.place === 'card') this.page?.answer(how);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  #report(page: FocusPage, place: FocusPlace): void {
    if (!this.#pages.includes(page)) return;
    if (place === 'none') {
      // Another page may have the focus by now.
      if (this.#current?.page !== page) return;
      this.#current = undefined;
    } else {
      if (this.#current?.page === page && this.#current.place === place) return;
      this.#current = { page, place };
      this.#pages = [page, ...this.#pages.filter((other) => other !== page)];
    }
    this.#onDidChange.fire();
  }

  #toFront(page: FocusPage): void {
    if (!this.#pages.includes(page) || this.#pages[0] === page) return;
    this.#pages = [page, ...this.#pages.filter((other) => other !== page)];
    this.#onDidChange.fire();
  }

  #remove(page: FocusPage): void {
    this.#pages = this.#pages.filter((other) => other !== page);
    if (this.#current?.page === page) this.#current = undefined;
    this.#onDidChange.fire();
  }
}

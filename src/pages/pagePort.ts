/** What a page host gets of the shell that the page is shown in: VS Code's webviews, a browser at the portal, a test. */
import type { Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';

/** The way to one page. */
export interface PagePort<Out> {
  /** Settles once the page has them, or rejects. Until then nothing else is posted, so that a slow page gets fewer and longer lists. */
  post(messages: Out[]): PromiseLike<unknown>;
  /** What the page sends is not trusted: the page host checks it. */
  onMessage(listener: (value: unknown) => void): Disposable;
}

/** What every shell does for its pages. */
export interface PageShell {
  readonly logger: Logger;
  /** Shows the user a text, which may hold words of hosts. */
  showError(text: string): void;
  copy(text: string): PromiseLike<unknown>;
  /** `url`: of a protocol that pages may open. */
  openExternal(url: string): PromiseLike<unknown>;
}

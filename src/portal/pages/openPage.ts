/** How the server shows a page: it gives a port to it, and the page lasts as long as that. */
import type { Disposable } from '../../base/lifecycle.ts';
import type { ToPage } from '../../views/portal/wire/pageWire.ts';

/** As the hosts of pages take it. */
export interface SocketPagePort {
  /** Resolves when they are written. Rejects when the page is gone. */
  post(messages: readonly unknown[]): Promise<void>;
  /** What is not for the page, but for the port in its browser. */
  tell(told: Pick<ToPage, 'problem' | 'open'>): void;
  /** There is nothing to show any more. The page says so, and asks again from time to time. */
  end(reason: string): void;
  onMessage(listener: (value: unknown) => void): Disposable;
}

/** Makes the host of a page. It is disposed when the page goes. Undefined: there is no such page. */
export type OpenPage = (query: URLSearchParams, port: SocketPagePort) => Disposable | undefined;

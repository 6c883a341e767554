/** A WebSocket that has to wait for something before it can be made. */
import { messageOf } from '../../base/errors.ts';
import type { Socket } from './socketPort.ts';

type Listener = (event: { data: unknown; code?: number }) => void;

const CONNECTING = 0;
const CLOSED = 3;

export class LateSocket implements Socket {
  readonly #listeners: { type: 'open' | 'close' | 'message'; listener: Listener }[] = [];
  #made: Socket | undefined;
  #isClosed = false;

  /** A rejection closes it. */
  constructor(making: Promise<Socket>) {
    making.then(
      (made) => {
        this.#made = made;
        for (const { type, listener } of this.#listeners) made.addEventListener(type as 'message', listener);
        if (this.#isClosed) made.close();
      },
      (error: unknown) => {
        console.warn(`The page has no session: ${messageOf(error)}`);
        this.#isClosed = true;
        for (const { type, listener } of this.#listeners) if (type === 'close') listener({ data: undefined });
      },
    );
  }

  get readyState(): number {
    return this.#made?.readyState ?? (this.#isClosed ? CLOSED : CONNECTING);
  }

  send(text: string): void {
    this.#made?.send(text);
  }

  close(): void {
    this.#isClosed = true;
    this.#made?.close();
  }

  addEventListener(type: 'open' | 'close' | 'message', listener: Listener | (() => void)): void {
    if (this.#made) this.#made.addEventListener(type as 'message', listener);
    else this.#listeners.push({ type, listener });
  }
}

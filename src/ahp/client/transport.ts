/** What the client needs from a WebSocket. The core knows no more of it, so that it runs in a browser, in Node, and in a test without a socket. */
import type { Event } from '../../base/event.ts';

export interface Transport {
  /** Sends one text frame. Never throws; what cannot be sent is lost with the connection, and `onClose` says so. */
  send(text: string): void;
  /** Closes in an orderly way, and within a bounded time also when the other side is silent. */
  close(code?: number, reason?: string): void;
  /** A WebSocket ping; absent where the platform has none (browsers). */
  ping?(): void;
  /** Stops reading from the connection; absent where the platform cannot (browsers). */
  pause?(): void;
  resume?(): void;
  readonly onMessage: Event<string>;
  /** Fires once. */
  readonly onClose: Event<{ code: number; reason: string }>;
  readonly onPong?: Event<void>;
  /** Bytes that wait to be sent. */
  readonly bufferedAmount: number;
}

/** Opens a connection; rejects with a {@link TransportError}, also when `signal` aborts, or with a `UserError` that says what to do. The URL holds the connection token: never put it in a text. */
export type TransportFactory = (url: string, signal: AbortSignal) => Promise<Transport>;

export type TransportErrorKind =
  /** Nobody answers, or not in time, or a proxy says that nobody is there. */
  | 'unreachable'
  /** The upgrade was refused for want of a (good) connection token. */
  | 'token'
  /** Something answers that is no agent host. */
  | 'notAgentHost';

/** Why no connection came about. `message` is one clause without the URL, `brief` the same in two to four words. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  constructor(
    readonly kind: TransportErrorKind,
    message: string,
    readonly brief = 'cannot be reached',
  ) {
    super(message);
  }
}

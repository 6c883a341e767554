/** What the client needs from a WebSocket, so that it runs in browsers, in Node, and in tests without a socket. */
import { WordedError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { phrase, type Words } from '../../base/text/phrase.ts';

export interface Transport {
  /** Sends one text frame. Never throws. What cannot be sent is lost with the connection, and `onClose` reports that. */
  send(text: string): void;
  /** Closes in an orderly way, within a bounded time even when the peer does not answer. */
  close(code?: number, reason?: string): void;
  /** A WebSocket ping; absent where the platform has none (browsers). */
  ping?(): void;
  /** Stops reading from the connection. Absent where the platform cannot (browsers). */
  pause?(): void;
  resume?(): void;
  readonly onMessage: Event<string>;
  /** Fires once. */
  readonly onClose: Event<{ code: number; reason: Words }>;
  readonly onPong?: Event<void>;
}

/**
 * Opens a connection. Rejects with a {@link TransportError}, also when `signal` aborts, or with a `UserError` that says what to do. The URL
 * holds the connection token and must not appear in a message.
 */
export type TransportFactory = (url: string, signal: AbortSignal) => Promise<Transport>;

export type TransportErrorKind =
  /** Nothing answers, or not in time, or a proxy cannot reach it. */
  | 'unreachable'
  /** The connection token is missing or wrong. */
  | 'token'
  /** The host does not answer to the name by which it was reached. */
  | 'name'
  /** What answers is not an agent host. */
  | 'notAgentHost';

/** Why there is no connection. `message` is one clause without the URL, `brief` the same in two to four words. */
export class TransportError extends WordedError {
  override readonly name = 'TransportError';
  constructor(
    readonly kind: TransportErrorKind,
    message: Words,
    readonly brief: Words = phrase`cannot be reached`,
  ) {
    super(message);
  }
}

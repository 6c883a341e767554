/** The state of a connection, and why it failed, in words for the user. */
import { WordedError } from '../../../base/errors.ts';
import { english, type Words } from '../../../base/text/phrase.ts';
import type { URI } from '../../v1/common.ts';

export type ConnectionFailureKind =
  /** No host can have this URL. */
  | 'address'
  /** The host speaks another version of the protocol. */
  | 'version'
  /** The connection token is missing or wrong. */
  | 'token'
  /** Something answers at the address, but it is not an agent host. */
  | 'notAgentHost'
  /** Nobody answers. */
  | 'unreachable'
  /** The connection opened, but the host did not complete the handshake. */
  | 'handshake'
  /** An established connection ended. */
  | 'lost'
  /** Another connection uses our client id. Taking it back would end that one. */
  | 'replaced'
  /** The host has restarted and does not know this client any more. */
  | 'restarted';

export interface ConnectionFailure {
  readonly kind: ConnectionFailureKind;
  /** Complete sentences in English: what happened, and what to change. Never holds the token. */
  readonly message: string;
  /** What happened in two to four words of English, such as `connection refused`. */
  readonly brief: string;
  /** Both, for people of any language. */
  readonly words: { readonly message: Words; readonly brief: Words };
  /** For a `version`: which side must be updated, where that is known. */
  readonly outdated?: 'client' | 'host';
}

export function connectionFailure(
  kind: ConnectionFailureKind,
  message: Words,
  brief: Words,
  more?: Pick<ConnectionFailure, 'outdated'>,
): ConnectionFailure {
  return { kind, message: english(message), brief: english(brief), words: { message, brief }, ...more };
}

/** Times are milliseconds since the epoch. */
export type ConnectionState =
  | { readonly kind: 'connecting'; readonly attempt: number }
  /** `serverSeq`: that of the host at the handshake. */
  | { readonly kind: 'connected'; readonly since: number; readonly serverSeq: number; readonly defaultDirectory?: URI }
  /** `attempt`: the one that begins at `nextAttemptAt`, or is under way after that. `since`: when the connection was lost. */
  | {
      readonly kind: 'reconnecting';
      readonly attempt: number;
      readonly nextAttemptAt: number;
      readonly reason: ConnectionFailure;
      readonly since: number;
    }
  /** Trying again would not help. */
  | { readonly kind: 'failed'; readonly reason: ConnectionFailure; readonly since: number }
  | { readonly kind: 'closed' };

/** False where another attempt cannot help until the user changes something. */
export function canHeal({ kind }: ConnectionFailure): boolean {
  switch (kind) {
    case 'address':
    case 'version':
    case 'token':
    case 'notAgentHost':
    case 'replaced':
      return false;
    default:
      return true;
  }
}

/** A {@link ConnectionFailure} as an error. `connect` rejects with it, and so do requests when their connection is lost. */
export class ConnectionError extends WordedError {
  override readonly name = 'ConnectionError';
  constructor(readonly failure: ConnectionFailure) {
    super(failure.words.message);
  }
}

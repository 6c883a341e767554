/** What a connection is doing, and why it is not doing what it should, in words for a person. */
import type { URI } from '../../v1/common.ts';

export type ConnectionFailureKind =
  /** The URL is none that a host could have. */
  | 'address'
  /** The host speaks another version of the protocol. */
  | 'version'
  /** The connection token is missing or wrong. */
  | 'token'
  /** Something answers at the address, but no agent host. */
  | 'notAgentHost'
  /** Nobody answers. */
  | 'unreachable'
  /** The line opened, but the host did not complete the handshake. */
  | 'handshake'
  /** An established connection ended. */
  | 'lost'
  /** The host has started again and forgotten this client. */
  | 'restarted';

export interface ConnectionFailure {
  readonly kind: ConnectionFailureKind;
  /** Complete sentences for a person: what happened, and which side to change. Never holds the token. */
  readonly message: string;
  /** What happened in two to four words, for where there is little room: `connection refused`. */
  readonly brief: string;
  /** Of a `version`: which side has to be updated, where that is known. */
  readonly outdated?: 'client' | 'host';
}

/** Times are milliseconds since the epoch. */
export type ConnectionState =
  | { readonly kind: 'connecting'; readonly attempt: number }
  /** `serverSeq`: the host's at the handshake. */
  | { readonly kind: 'connected'; readonly since: number; readonly serverSeq: number; readonly defaultDirectory?: URI }
  /** `attempt`: the one that comes at `nextAttemptAt`, or is under way when that has passed; `since`: when the trouble began. */
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

/** False where only a person can change something: then trying again stops at once. */
export function canHeal({ kind }: ConnectionFailure): boolean {
  switch (kind) {
    case 'address':
    case 'version':
    case 'token':
    case 'notAgentHost':
      return false;
    default:
      return true;
  }
}

/** A failure as an error: what `connect` rejects with, and what requests reject with when the line is lost under them. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  constructor(readonly failure: ConnectionFailure) {
    super(failure.message);
  }
}

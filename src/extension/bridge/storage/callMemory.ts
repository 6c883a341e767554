/**
 * The calls that were handed to the gateway and are not settled at the host, so that a window that is loaded again in the middle of one
 * neither makes it twice nor leaves it open.
 */
import type { ToolCallResult } from '../../../ahp/common/tools.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { KeptMap, type KeptIn } from './keptMap.ts';
import { readMap, type Storage } from './storage.ts';

const STORAGE_KEY = 'tapline.clientToolCalls';
/** More than can be open at a time. */
const MAX_CALLS = 500;
/** Results above this are not kept: the window's storage is read as a whole at each start. */
const MAX_RESULT_CHARACTERS = 200_000;
/** Of all results together. */
const MAX_ALL_CHARACTERS = 2_000_000;

export interface CallId {
  /** Of the session in this window. */
  readonly session: string;
  /** Undefined where a session is its only chat. */
  readonly chat: string | undefined;
  readonly turnId: string;
  readonly callId: string;
}

/** `sent`: the gateway was asked, and no answer is known. `answered`: without a result where it was too large to be kept. */
export type RememberedCall = { kind: 'sent' } | { kind: 'answered'; result?: ToolCallResult };

/** The sessions with calls that the window before has left. */
export function sessionsWithCalls(storage: Storage): Set<string> {
  return sessionsIn(readMap(storage, STORAGE_KEY, isRemembered));
}

export class CallMemory implements Disposable {
  readonly #calls: KeptMap<RememberedCall>;

  constructor(kept: KeptIn) {
    this.#calls = new KeptMap(kept, { key: STORAGE_KEY, limit: MAX_CALLS, is: isRemembered });
  }

  get(call: CallId): RememberedCall | undefined {
    return this.#calls.entries.get(keyOf(call));
  }

  /** The sessions with calls that are remembered. */
  get sessions(): Set<string> {
    return sessionsIn(this.#calls.entries);
  }

  /** The calls of a session, as they are remembered now. */
  of(session: string): CallId[] {
    return [...this.#calls.entries.keys()].flatMap((key) => {
      const [owner, turnId, callId, chat] = JSON.parse(key) as [string, string, string, string?];
      return owner === session ? [{ session, chat, turnId, callId }] : [];
    });
  }

  /** Resolves when it is kept: only then may the call be made. */
  sent(call: CallId): PromiseLike<void> {
    this.#calls.put(keyOf(call), { kind: 'sent' });
    return this.#calls.write();
  }

  /** Written at once: the next window must neither make the call nor wait for an answer of the gateway, which may have none. */
  answered(call: CallId, result: ToolCallResult): void {
    const isSmall = JSON.stringify(result).length <= MAX_RESULT_CHARACTERS;
    this.#calls.put(keyOf(call), { kind: 'answered', ...(isSmall && { result }) });
    this.#dropOldResults();
    this.#calls.writeNow();
  }

  /** It is settled at the host, from which the next window learns it where this was not written. */
  forget(call: CallId): void {
    if (this.#calls.entries.delete(keyOf(call))) this.#calls.writeSoon();
  }

  dispose(): void {
    this.#calls.dispose();
  }

  /** The call stays known as one that was answered. */
  #dropOldResults(): void {
    let left = MAX_ALL_CHARACTERS;
    for (const [key, remembered] of [...this.#calls.entries].reverse()) {
      if (remembered.kind !== 'answered' || !remembered.result) continue;
      left -= JSON.stringify(remembered.result).length;
      if (left < 0) this.#calls.entries.set(key, { kind: 'answered' });
    }
  }
}

function sessionsIn(calls: ReadonlyMap<string, RememberedCall>): Set<string> {
  return new Set([...calls.keys()].map((key) => (JSON.parse(key) as [string])[0]));
}

function keyOf({ session, chat, turnId, callId }: CallId): string {
  return JSON.stringify([session, turnId, callId, ...(chat === undefined ? [] : [chat])]);
}

function isRemembered(value: unknown): value is RememberedCall {
  const { kind } = (value ?? {}) as Partial<RememberedCall>;
  return kind === 'sent' || kind === 'answered';
}

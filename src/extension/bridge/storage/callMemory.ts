/**
 * The calls that were handed to the gateway and are not settled at the host, so that a window that is loaded again in the middle of one
 * neither makes it twice nor leaves it open.
 */
import type { ToolCallResult } from '../../../ahp/common/tools.ts';
import { dropOldest } from '../../../base/dropOldest.ts';
import { readMap, type Storage } from './storage.ts';

const STORAGE_KEY = 'tapline.clientToolCalls';
/** More than can be open at a time; the oldest go first. */
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

export class CallMemory {
  readonly #calls: Map<string, RememberedCall>;

  constructor(private readonly storage: Storage) {
    this.#calls = readMap(storage, STORAGE_KEY, isRemembered);
  }

  get(call: CallId): RememberedCall | undefined {
    return this.#calls.get(keyOf(call));
  }

  /** The sessions with calls that are remembered. */
  get sessions(): Set<string> {
    return new Set([...this.#calls.keys()].map((key) => (JSON.parse(key) as [string])[0]));
  }

  /** The calls of a session, as they are remembered now. */
  of(session: string): CallId[] {
    return [...this.#calls.keys()].flatMap((key) => {
      const [owner, turnId, callId, chat] = JSON.parse(key) as [string, string, string, string?];
      return owner === session ? [{ session, chat, turnId, callId }] : [];
    });
  }

  /** Resolves when it is kept: only then may the call be made. */
  sent(call: CallId): PromiseLike<void> {
    return this.#set(call, { kind: 'sent' });
  }

  answered(call: CallId, result: ToolCallResult): PromiseLike<void> {
    const isSmall = JSON.stringify(result).length <= MAX_RESULT_CHARACTERS;
    return this.#set(call, { kind: 'answered', ...(isSmall && { result }) });
  }

  /** It is settled at the host. */
  forget(call: CallId): PromiseLike<void> {
    return this.#calls.delete(keyOf(call)) ? this.#write() : Promise.resolve();
  }

  #set(call: CallId, remembered: RememberedCall): PromiseLike<void> {
    this.#calls.delete(keyOf(call));
    this.#calls.set(keyOf(call), remembered);
    dropOldest(this.#calls, MAX_CALLS);
    this.#dropOldResults();
    return this.#write();
  }

  /** The call stays known as one that was answered. */
  #dropOldResults(): void {
    let left = MAX_ALL_CHARACTERS;
    for (const [key, remembered] of [...this.#calls].reverse()) {
      if (remembered.kind !== 'answered' || !remembered.result) continue;
      left -= JSON.stringify(remembered.result).length;
      if (left < 0) this.#calls.set(key, { kind: 'answered' });
    }
  }

  #write(): PromiseLike<void> {
    return this.storage.update(STORAGE_KEY, Object.fromEntries(this.#calls));
  }
}

function keyOf({ session, chat, turnId, callId }: CallId): string {
  return JSON.stringify([session, turnId, callId, ...(chat === undefined ? [] : [chat])]);
}

function isRemembered(value: unknown): value is RememberedCall {
  const { kind } = (value ?? {}) as Partial<RememberedCall>;
  return kind === 'sent' || kind === 'answered';
}

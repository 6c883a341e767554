/**
 * Which provider was named for each open call. After a reload of the window, and for a call that was approved before it, the call runs there or
 * not at all.
 */
import { dropOldest } from '../../../base/dropOldest.ts';
import { isRecord } from '../../../base/isRecord.ts';
import type { ProviderIdentity } from '../../../tap/wire/trust.ts';
import { readMap, type Storage } from './storage.ts';

const STORAGE_KEY = 'tapline.callProviders';
/** More than can be open at a time; the oldest go first. */
const MAX_CALLS = 500;

export class ProviderMemory {
  readonly #named: Map<string, ProviderIdentity>;

  /** `onError`: it could not be kept. */
  constructor(
    private readonly storage: Storage,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#named = readMap(storage, STORAGE_KEY, isIdentity);
  }

  /** `call`: its key in the session. */
  get(session: string, call: string): ProviderIdentity | undefined {
    return this.#named.get(keyOf(session, call));
  }

  /** The open calls of a session, by key. Those before that may still be open, by `mayBeOpen`, stay too. */
  keep(session: string, calls: ReadonlyMap<string, ProviderIdentity>, mayBeOpen: (call: string) => boolean = () => false): void {
    const before = [...this.#named.keys()].filter((key) => {
      const [owner, call] = JSON.parse(key) as [string, string];
      return owner === session && (calls.has(call) || !mayBeOpen(call));
    });
    const now = new Map(
      [...calls].map(([call, { provider, trust, origin, spawned }]) => {
        return [keyOf(session, call), { provider, trust, ...(origin !== undefined && { origin }), ...(spawned && { spawned }) }];
      }),
    );
    if (before.length === now.size && before.every((key) => now.has(key))) return;
    for (const key of before) if (!now.has(key)) this.#named.delete(key);
    for (const [key, identity] of now) if (!this.#named.has(key)) this.#named.set(key, identity);
    dropOldest(this.#named, MAX_CALLS);
    this.storage.update(STORAGE_KEY, Object.fromEntries(this.#named)).then(undefined, this.onError);
  }
}

function keyOf(session: string, call: string): string {
  return JSON.stringify([session, call]);
}

function isIdentity(value: unknown): value is ProviderIdentity {
  if (!isRecord(value)) return false;
  const { provider, trust, origin, spawned } = value;
  const isKnownTrust = trust === 'internal' || trust === 'project' || trust === 'external';
  return (
    typeof provider === 'string' &&
    isKnownTrust &&
    (origin === undefined || typeof origin === 'string') &&
    (spawned === undefined || spawned === true)
  );
}

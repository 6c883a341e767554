/**
 * Which provider was named for each open call. After a reload of the window, and for a call that was approved before it, the call runs there or
 * not at all.
 */
import { isRecord } from '../../../base/isRecord.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { ProviderIdentity } from '../../../tap/wire/trust.ts';
import { KeptMap, type KeptIn } from './keptMap.ts';

const STORAGE_KEY = 'tapline.callProviders';
/** More than can be open at a time. */
const MAX_CALLS = 500;

export class ProviderMemory implements Disposable {
  readonly #named: KeptMap<ProviderIdentity>;

  constructor(kept: KeptIn) {
    this.#named = new KeptMap(kept, { key: STORAGE_KEY, limit: MAX_CALLS, is: isIdentity });
  }

  /** `call`: its key in the session. */
  get(session: string, call: string): ProviderIdentity | undefined {
    return this.#named.entries.get(keyOf(session, call));
  }

  /** The open calls of a session, by key. Those before that may still be open, by `mayBeOpen`, stay too. */
  keep(session: string, calls: ReadonlyMap<string, ProviderIdentity>, mayBeOpen: (call: string) => boolean = () => false): void {
    const { entries } = this.#named;
    const before = [...entries.keys()].filter((key) => {
      const [owner, call] = JSON.parse(key) as [string, string];
      return owner === session && (calls.has(call) || !mayBeOpen(call));
    });
    const now = new Map(
      [...calls].map(([call, { provider, trust, origin, spawned }]) => {
        return [keyOf(session, call), { provider, trust, ...(origin !== undefined && { origin }), ...(spawned && { spawned }) }];
      }),
    );
    const over = before.filter((key) => !now.has(key));
    const added = [...now].filter(([key]) => !entries.has(key));
    for (const key of over) entries.delete(key);
    for (const one of added) this.#named.put(...one);
    if (added.length > 0) this.#named.writeNow();
    else if (over.length > 0) this.#named.writeSoon();
  }

  dispose(): void {
    this.#named.dispose();
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

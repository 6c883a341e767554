/**
 * The hosts that may get a GitHub token, and with which scopes. A host may ask for other scopes later. Without this check VS Code would give
 * it, without a question, a token that the user allowed for something else.
 */
import { isRecord } from '../../base/isRecord.ts';

/** The part of VS Code's `Memento` that is used. */
export interface ConsentStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'tapline.gitHubHosts';

export class GitHubConsents {
  constructor(private readonly storage: ConsentStorage) {}

  /** True when the user agreed to exactly these scopes for the host. */
  cover(hostId: string, scopes: readonly string[]): boolean {
    const agreed = this.#all().get(hostId);
    return agreed !== undefined && wordOf(agreed) === wordOf(scopes);
  }

  /** Replaces the earlier consent for the host. */
  async add(hostId: string, scopes: readonly string[]): Promise<void> {
    await this.storage.update(KEY, Object.fromEntries(this.#all().set(hostId, scopes)));
  }

  /** Removes the consents for all other hosts. */
  async keepOnly(hostIds: Iterable<string>): Promise<void> {
    const listed = new Set(hostIds);
    const all = [...this.#all()];
    const kept = all.filter(([hostId]) => listed.has(hostId));
    if (kept.length < all.length) await this.storage.update(KEY, Object.fromEntries(kept));
  }

  /** Consents of earlier versions name no scopes and are ignored. */
  #all(): Map<string, readonly string[]> {
    const kept = this.storage.get(KEY);
    if (!isRecord(kept)) return new Map();
    return new Map(Object.entries(kept).filter((entry): entry is [string, string[]] => isScopes(entry[1])));
  }
}

function isScopes(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((scope) => typeof scope === 'string');
}

/** Does not depend on the order of the scopes. */
function wordOf(scopes: readonly string[]): string {
  return JSON.stringify([...new Set(scopes)].sort());
}

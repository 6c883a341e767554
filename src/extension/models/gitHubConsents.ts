/**
 * For which hosts the user agreed to give a GitHub token, and with which scopes. A host names the scopes that it wants and may name others
 * the next time: VS Code would then hand out, without a question, a token that the user once allowed for something else.
 */

/** As much of a VS Code `Memento` as is needed. */
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

  /** In the place of what was agreed for the host before. */
  async add(hostId: string, scopes: readonly string[]): Promise<void> {
    await this.storage.update(KEY, Object.fromEntries(this.#all().set(hostId, scopes)));
  }

  /** Forgets what was agreed for any other host. */
  async keepOnly(hostIds: Iterable<string>): Promise<void> {
    const listed = new Set(hostIds);
    const all = [...this.#all()];
    const kept = all.filter(([hostId]) => listed.has(hostId));
    if (kept.length < all.length) await this.storage.update(KEY, Object.fromEntries(kept));
  }

  /** What an earlier version has kept names no scopes: it is asked again. */
  #all(): Map<string, readonly string[]> {
    const kept = this.storage.get(KEY);
    if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return new Map();
    return new Map(Object.entries(kept).filter((entry): entry is [string, string[]] => isScopes(entry[1])));
  }
}

function isScopes(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((scope) => typeof scope === 'string');
}

/** The same for the same scopes in any order. */
function wordOf(scopes: readonly string[]): string {
  return JSON.stringify([...new Set(scopes)].sort());
}

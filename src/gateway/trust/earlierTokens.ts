/** Programs that hold the token of an earlier gateway. Each is refused until the user lets it in, by its name. */
import { keyOf } from '../../base/server/challenge.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { GatewayStatus } from '../../tap/wire/owner/ownerMessages.ts';
import type { Grant, Grants, LetIn } from './tokenGrants.ts';
import type { TokenHistory } from './tokenHistory.ts';

type Waiting = NonNullable<GatewayStatus['earlierTokens']>[number];

export class EarlierTokens {
  /** By the hash of the token. */
  readonly #waiting = new Map<string, Waiting>();
  #count = 0;

  constructor(
    private readonly history: TokenHistory,
    private readonly grants: Grants,
  ) {}

  /** Those that were refused since this gateway has started. */
  get waiting(): Waiting[] {
    return [...this.#waiting.values()];
  }

  /** True for a token of an earlier gateway: the user can let its holder in. A token that never was one leaves no trace. */
  refused(token: string): boolean {
    const known = this.history.find(keyOf(token));
    if (known) this.#wait(known.digest, known.names);
    return known !== undefined;
  }

  /** False when the user has let in the holder of this token under another name. */
  mayBind(grant: Grant, name: string): boolean {
    const names = grant.letInFor;
    if (!names || names.size === 0 || names.has(name)) return true;
    const digest = this.grants.digestOf(grant);
    if (digest !== undefined) this.#wait(digest, [name]);
    return false;
  }

  /** `gone`: nothing waits under this id and name. Without a name, which is for a token that nobody is known to have used, the first one counts. */
  letIn(id: string, name: string | undefined): LetIn {
    const [digest, waiting] = [...this.#waiting].find(([, one]) => one.id === id) ?? [];
    if (digest === undefined || !waiting) return 'gone';
    if (name === undefined ? waiting.names.length > 0 : !waiting.names.includes(name)) return 'gone';
    const done = this.grants.letIn(digest, name === undefined ? [] : [name]);
    if (done === 'letIn') this.#waiting.delete(digest);
    return done;
  }

  #wait(digest: string, names: readonly string[]): void {
    const before = this.#waiting.get(digest);
    const all = [...new Set([...(before?.names ?? []), ...names])].slice(0, Limit.earlierNames);
    this.#waiting.set(digest, { id: before?.id ?? `earlier-${++this.#count}`, names: all });
  }
}

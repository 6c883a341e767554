/** Who a peer is by the token that it showed, and which sessions it may use. */
import { randomBytes } from 'node:crypto';
import { keyOf } from '../../base/challenge.ts';

export type Trust = 'internal' | 'project' | 'external';

export interface Grant {
  readonly kind: 'local' | 'owner' | 'spawn' | 'file' | 'paired';
  readonly trust: Trust;
  /** Tells tokens apart without being one. */
  readonly key: string;
  /** Whose limits its holder uses up, whatever name it takes; the same for each run of a provider that a session keeps running. */
  readonly account: string;
  /** The one session of a spawn token; for a paired peer the one that it chose, as long as that lives. */
  sessionId?: string;
  /** The one name that its holder may have; undefined: any. */
  readonly providerName?: string;
  /** A paired peer's token works from here alone; undefined is a program, which sends no origin. */
  readonly origin?: string;
}

/** Many programs of this user may hold it: it says what they may do, and not which of them it is. */
export function isShared({ kind }: Grant): boolean {
  return kind === 'file' || kind === 'owner' || kind === 'local';
}

const newToken = (prefix: string) => `${prefix}-${randomBytes(32).toString('base64url')}`;

export class Grants {
  readonly fileToken = newToken('ptk');
  readonly ownerSecret = newToken('own');
  /** Tokens are kept and looked up as digests: neither a dump nor the time of a comparison tells one. */
  readonly #grants = new Map<string, Grant>();
  #issued = 0;

  constructor() {
    this.#add(this.fileToken, { kind: 'file', trust: 'project', key: 'file', account: 'file' });
    this.#add(this.ownerSecret, { kind: 'owner', trust: 'internal', key: 'owner', account: 'owner' });
  }

  /** For one provider that a session starts. */
  issueSpawnToken(sessionId: string, providerName?: string): string {
    const account = providerName === undefined ? undefined : `run-${JSON.stringify([sessionId, providerName])}`;
    return this.#issue('ptk', { kind: 'spawn', trust: 'project', sessionId, providerName }, account);
  }

  /** For a peer that the user has paired. */
  issuePairedToken(origin: string | undefined): { token: string; grant: Grant } {
    const token = this.#issue('ext', { kind: 'paired', trust: 'external', origin });
    return { token, grant: this.#grants.get(keyOf(token)) as Grant };
  }

  /** `origin`: of a web page that is not the gateway's own. Such a page can use nothing but the token of its own pairing. */
  find(token: string, origin: string | undefined): Grant | undefined {
    const grant = this.#grants.get(keyOf(token));
    if (!grant) return undefined;
    const fits = grant.kind === 'paired' ? grant.origin === origin : origin === undefined;
    return fits ? grant : undefined;
  }

  /** The key that begins so, of a token that was issued and not taken back: its holder asks for a proof that this is the gateway. */
  readonly findKey = (id: string): string | undefined => [...this.#grants.keys()].find((key) => key.startsWith(id));

  isOwner(secret: string): boolean {
    return this.#grants.get(keyOf(secret))?.kind === 'owner';
  }

  /** It was issued and not taken back. */
  holds(grant: Grant): boolean {
    return [...this.#grants.values()].includes(grant);
  }

  revoke(isMeant: (grant: Grant) => boolean): void {
    for (const [key, grant] of this.#grants) if (isMeant(grant)) this.#grants.delete(key);
  }

  #issue(prefix: string, grant: Omit<Grant, 'key' | 'account'>, account?: string): string {
    const token = newToken(prefix);
    const key = `${grant.kind}-${++this.#issued}`;
    this.#add(token, { ...grant, key, account: account ?? key });
    return token;
  }

  #add(token: string, grant: Grant): void {
    this.#grants.set(keyOf(token), grant);
  }
}

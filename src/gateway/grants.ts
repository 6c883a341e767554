/** Who a peer is by the token that it showed, and which sessions it may use. */
import { createHash, randomBytes } from 'node:crypto';

export type Trust = 'internal' | 'project' | 'external';

export interface Grant {
  readonly kind: 'local' | 'owner' | 'spawn' | 'file' | 'paired';
  readonly trust: Trust;
  /** Tells tokens apart without being one. */
  readonly key: string;
  /** The one session of a spawn token; for a paired peer the one that it chose, as long as that lives. */
  sessionId?: string;
  /** The one name that its holder may have; undefined: any. */
  readonly providerName?: string;
  /** A paired peer's token works from here alone; undefined is a program, which sends no origin. */
  readonly origin?: string;
}

/** What {@link Grants.fileToken} looks like. */
export const fileTokenShape = /^ptk-[\w-]{43}$/;
const newToken = (prefix: string) => `${prefix}-${randomBytes(32).toString('base64url')}`;
/** Tokens are kept and looked up as digests: neither a dump nor the time of a comparison tells one. */
const digest = (token: string) => createHash('sha256').update(token).digest('hex');

export class Grants {
  readonly fileToken: string;
  readonly ownerSecret = newToken('own');
  readonly #grants = new Map<string, Grant>();
  #issued = 0;

  /** `fileToken`: one that a killed gateway has left to this one; else a new one. */
  constructor(fileToken = newToken('ptk')) {
    this.fileToken = fileToken;
    this.#add(this.fileToken, { kind: 'file', trust: 'project', key: 'file' });
    this.#add(this.ownerSecret, { kind: 'owner', trust: 'internal', key: 'owner' });
  }

  /** For one provider that a session starts. */
  issueSpawnToken(sessionId: string, providerName?: string): string {
    return this.#issue('ptk', { kind: 'spawn', trust: 'project', sessionId, providerName });
  }

  /** For a peer that the user has paired. */
  issuePairedToken(origin: string | undefined): { token: string; grant: Grant } {
    const token = this.#issue('ext', { kind: 'paired', trust: 'external', origin });
    return { token, grant: this.#grants.get(digest(token)) as Grant };
  }

  /** `origin`: of a web page that is not the gateway's own. Such a page can use nothing but the token of its own pairing. */
  find(token: string, origin: string | undefined): Grant | undefined {
    const grant = this.#grants.get(digest(token));
    if (!grant) return undefined;
    const fits = grant.kind === 'paired' ? grant.origin === origin : origin === undefined;
    return fits ? grant : undefined;
  }

  isOwner(secret: string): boolean {
    return this.#grants.get(digest(secret))?.kind === 'owner';
  }

  /** It was issued and not taken back. */
  holds(grant: Grant): boolean {
    return [...this.#grants.values()].includes(grant);
  }

  revoke(isMeant: (grant: Grant) => boolean): void {
    for (const [key, grant] of this.#grants) if (isMeant(grant)) this.#grants.delete(key);
  }

  #issue(prefix: string, grant: Omit<Grant, 'key'>): string {
    const token = newToken(prefix);
    this.#add(token, { ...grant, key: `${grant.kind}-${++this.#issued}` });
    return token;
  }

  #add(token: string, grant: Grant): void {
    this.#grants.set(digest(token), grant);
  }
}

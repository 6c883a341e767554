/** What a token grants: the identity of its holder, and the sessions that it may use. */
import { randomBytes } from 'node:crypto';
import { keyOf } from '../../base/server/challenge.ts';

export type Trust = 'internal' | 'project' | 'external';

export interface Grant {
  readonly kind: 'local' | 'owner' | 'spawn' | 'file' | 'paired';
  readonly trust: Trust;
  /** Identifies the token without revealing it. */
  readonly key: string;
  /** The account for limits, whatever name the holder takes. It is the same for each run of a provider that a session keeps running. */
  readonly account: string;
  /** For a spawn token its one session. For a paired peer the session that it has chosen last. */
  sessionId?: string;
  /** The name that a paired peer has given last. */
  heldBy?: string;
  /** The only name that its holder may use; undefined allows any. */
  readonly providerName?: string;
  /** A paired peer's token is valid from this origin alone; undefined for a program, which sends no origin. */
  readonly origin?: string;
}

/** Several programs of the user may hold the token, so it does not identify one of them. */
export function isShared({ kind }: Grant): boolean {
  return kind === 'file' || kind === 'owner' || kind === 'local';
}

const newToken = (prefix: string) => `${prefix}-${randomBytes(32).toString('base64url')}`;

export class Grants {
  readonly fileToken = newToken('ptk');
  readonly ownerSecret = newToken('own');
  /** By digest of the token: a memory dump reveals no token, and the time of a comparison does not either. */
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

  /** For a provider that is part of the session's owner. */
  issueInternalToken(sessionId: string): string {
    return this.#issue('ptk', { kind: 'spawn', trust: 'internal', sessionId });
  }

  /** For a peer that the user has paired. */
  issuePairedToken(origin: string | undefined): { token: string; grant: Grant } {
    const token = this.#issue('ext', { kind: 'paired', trust: 'external', origin });
    return { token, grant: this.#grants.get(keyOf(token)) as Grant };
  }

  get paired(): Grant[] {
    return [...this.#grants.values()].filter(({ kind }) => kind === 'paired');
  }

  /** `origin`: of a web page that is not the gateway's own. Such a page can use nothing but the token of its own pairing. */
  find(token: string, origin: string | undefined): Grant | undefined {
    const grant = this.#grants.get(keyOf(token));
    if (!grant) return undefined;
    const fits = grant.kind === 'paired' ? grant.origin === origin : origin === undefined;
    return fits ? grant : undefined;
  }

  /** The key of a valid token that begins with `id`. The holder of the token asks for a proof that this is the gateway. */
  readonly findKey = (id: string): string | undefined => [...this.#grants.keys()].find((key) => key.startsWith(id));

  isOwner(secret: string): boolean {
    return this.#grants.get(keyOf(secret))?.kind === 'owner';
  }

  /** Whether the grant was issued and not revoked. */
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

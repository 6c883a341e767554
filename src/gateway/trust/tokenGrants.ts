/** What a token grants: the identity of its holder, and the sessions that it may use. */
import { randomBytes } from 'node:crypto';
import { Emitter } from '../../base/event.ts';
import { keyOf } from '../../base/server/challenge.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { TrustRecord } from '../../tap/wire/owner/ownerMessages.ts';

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
  /** The names for which the user has let in the token of an earlier gateway; none: the first that its holder takes. */
  readonly letInFor?: Set<string>;
  /** A paired peer's token is valid from this origin alone; undefined for a program, which sends no origin. */
  readonly origin?: string;
}

/** Several programs of the user may hold the token, so it does not identify one of them. */
export function isShared({ kind }: Grant): boolean {
  return kind === 'file' || kind === 'owner' || kind === 'local';
}

const newToken = (prefix: string) => `${prefix}-${randomBytes(32).toString('base64url')}`;
/** The format of the token in the gateway's file. */
export const fileTokenShape = /^ptk-[\w-]{43}$/;
/** An origin that is longer is not passed on. */
const ORIGIN_LENGTH = 500;

export function isPairedToken(token: string): boolean {
  return token.startsWith('ext-');
}

/** `gone`: the token is valid without. `full`: it is let in for as many names as can be. */
export type LetIn = 'letIn' | 'gone' | 'full';

export class Grants {
  readonly ownerSecret = newToken('own');
  /** By digest of the token: a memory dump reveals no token, and the time of a comparison does not either. */
  readonly #grants = new Map<string, Grant>();
  readonly #file: Grant = { kind: 'file', trust: 'project', key: 'file', account: 'file' };
  #issued = 0;
  #fileToken: string;
  readonly #didChange = new Emitter<void>();
  /** The {@link record} has changed. */
  readonly onDidChange = this.#didChange.event;

  /** `fileToken`: one that was kept; otherwise it is new. */
  constructor(fileToken = newToken('ptk')) {
    this.#fileToken = fileToken;
    this.#add(fileToken, this.#file);
    this.#add(this.ownerSecret, { kind: 'owner', trust: 'internal', key: 'owner', account: 'owner' });
  }

  get fileToken(): string {
    return this.#fileToken;
  }

  /** What another gateway takes over with {@link takeOver}. */
  get record(): TrustRecord {
    const paired = [...this.#grants].filter(([, { kind, origin = '' }]) => kind === 'paired' && origin.length <= ORIGIN_LENGTH);
    return {
      token: this.#fileToken,
      pairings: paired.slice(-Limit.passedOn).map(([digest, { origin, heldBy, sessionId }]) => ({
        digest,
        ...(origin !== undefined && { origin }),
        ...(heldBy !== undefined && { name: heldBy }),
        ...(sessionId !== undefined && { sessionId }),
      })),
      letIn: [...this.#grants]
        .flatMap(([digest, { letInFor }]) => (letInFor ? [{ digest, names: [...letInFor] }] : []))
        .slice(-Limit.earlierTokens),
    };
  }

  /** The token that this gateway began with stays valid, because somebody may have read it. */
  takeOver({ token, pairings, letIn }: TrustRecord): void {
    this.#fileToken = token;
    this.#add(token, this.#file);
    for (const { digest, origin, name, sessionId } of pairings) {
      if (this.#grants.has(digest)) continue;
      const key = this.#newKey('paired');
      this.#grants.set(digest, { kind: 'paired', trust: 'external', key, account: key, origin, heldBy: name, sessionId });
    }
    for (const { digest, names } of letIn) this.letIn(digest, names);
    this.#didChange.fire();
  }

  /** Lets in the token of an earlier gateway for these names, beside those that it is let in for. */
  letIn(digest: string, names: readonly string[]): LetIn {
    const before = this.#grants.get(digest);
    if (!before) {
      const key = this.#newKey('file');
      this.#grants.set(digest, { kind: 'file', trust: 'project', key, account: key, letInFor: new Set(names) });
    } else {
      if (!before.letInFor) return 'gone';
      if (before.letInFor.size + names.length > Limit.earlierNames) return 'full';
      for (const name of names) before.letInFor.add(name);
    }
    this.#didChange.fire();
    return 'letIn';
  }

  /** Undefined for a grant that was revoked. */
  digestOf(grant: Grant): string | undefined {
    return [...this.#grants].find(([, other]) => other === grant)?.[0];
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
    this.#didChange.fire();
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
    const meant = [...this.#grants].filter(([, grant]) => isMeant(grant));
    for (const [key] of meant) this.#grants.delete(key);
    if (meant.some(([, { kind }]) => kind !== 'spawn')) this.#didChange.fire();
  }

  /** Its holder has bound itself. */
  bound(grant: Grant, name: string, sessionId: string | undefined): void {
    if (grant.kind === 'paired') {
      if (grant.heldBy === name && grant.sessionId === sessionId) return;
      grant.heldBy = name;
      grant.sessionId = sessionId;
    } else if (grant.letInFor?.size === 0) grant.letInFor.add(name);
    else return;
    this.#didChange.fire();
  }

  #issue(prefix: string, grant: Omit<Grant, 'key' | 'account'>, account?: string): string {
    const token = newToken(prefix);
    const key = this.#newKey(grant.kind);
    this.#add(token, { ...grant, key, account: account ?? key });
    return token;
  }

  #newKey(kind: Grant['kind']): string {
    return `${kind}-${++this.#issued}`;
  }

  #add(token: string, grant: Grant): void {
    this.#grants.set(keyOf(token), grant);
  }
}

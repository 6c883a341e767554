/** Reconnect tokens. A peer that shows one in time takes over the identity and the bindings of the provider that it was issued to. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { Time } from '../../tap/wire/limits.ts';
import type { ProviderLink } from './providerLink.ts';
import type { Provider } from './session.ts';
import type { Trust } from '../trust/tokenGrants.ts';

interface Entry {
  readonly provider: Provider;
  readonly sessionIds: () => readonly string[];
  timer?: Disposable;
}
export interface Identity {
  name: string;
  instance: string | undefined;
}
/** The provider that a token was issued to. */
export interface Claim {
  readonly provider: Provider;
  readonly sessionIds: readonly string[];
}

export class Reconnects implements Disposable {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly clock: Clock) {}

  issue(provider: Provider): string {
    this.#forget(provider.id);
    const token = `tok-${randomBytes(32).toString('base64url')}`;
    this.#entries.set(sha256(token), { provider, sessionIds: () => [...provider.bindings.keys()] });
    return token;
  }

  /** Called when a connection has ended, before its bindings are removed. From now on the token is valid for 30 s. */
  disconnected(link: ProviderLink): void {
    for (const [key, entry] of this.#entries) {
      const { provider } = entry;
      if (provider.link !== link) continue;
      const sessionIds = entry.sessionIds();
      const timer = this.clock.setTimer(() => this.#entries.delete(key), Time.reconnectMs);
      this.#entries.set(key, { provider, sessionIds: () => sessionIds, timer });
    }
  }

  /**
   * Undefined for a token that is unknown, expired, used, or issued to another provider. Without `trust` the token itself authenticates.
   */
  find(token: string, { name, instance }: Identity, trust: Trust | undefined): Claim | undefined {
    const entry = this.#entries.get(sha256(token));
    if (!entry) return undefined;
    const { provider } = entry;
    if (provider.name !== name || provider.instance !== instance || (trust && provider.trust !== trust)) return undefined;
    return { provider, sessionIds: entry.sessionIds() };
  }

  /** A token can be used once. */
  use(token: string): void {
    const key = sha256(token);
    this.#entries.get(key)?.timer?.dispose();
    this.#entries.delete(key);
  }

  dispose(): void {
    for (const { timer } of this.#entries.values()) timer?.dispose();
    this.#entries.clear();
  }

  #forget(providerId: string): void {
    for (const [key, entry] of this.#entries) {
      if (entry.provider.id !== providerId) continue;
      entry.timer?.dispose();
      this.#entries.delete(key);
    }
  }
}

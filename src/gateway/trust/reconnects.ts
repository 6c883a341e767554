/** Reconnect tokens: who shows one in time takes over the identity and the bindings that it was issued for. */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Time } from '../../tap/wire/limits.ts';
import type { Trust } from './grants.ts';
import type { Provider } from '../sessions/provider.ts';
import type { ProviderLink } from '../sessions/providerLink.ts';

interface Entry {
  readonly provider: Provider;
  readonly sessionIds: () => readonly string[];
  timer?: Disposable;
}
export interface Identity {
  name: string;
  instance: string | undefined;
}
/** What a token stood for. */
export interface Claim {
  readonly provider: Provider;
  readonly sessionIds: readonly string[];
}

export class Reconnects {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly clock: Clock) {}

  issue(provider: Provider): string {
    this.#forget(provider.id);
    const token = `tok-${randomBytes(32).toString('base64url')}`;
    this.#entries.set(digest(token), { provider, sessionIds: () => [...provider.bindings.keys()] });
    return token;
  }

  /** The connection has ended, bound or not; from now on its token lives 30 s. Called before the bindings are removed. */
  disconnected(link: ProviderLink): void {
    for (const [key, entry] of this.#entries) {
      const { provider } = entry;
      if (provider.link !== link) continue;
      const sessionIds = entry.sessionIds();
      const timer = this.clock.setTimer(() => this.#entries.delete(key), Time.reconnectMs);
      this.#entries.set(key, { provider, sessionIds: () => sessionIds, timer });
    }
  }

  /** Undefined: unknown, expired, used, or of somebody else. `trust` undefined: the token itself is what authenticates. */
  find(token: string, { name, instance }: Identity, trust: Trust | undefined): Claim | undefined {
    const entry = this.#entries.get(digest(token));
    if (!entry) return undefined;
    const { provider } = entry;
    if (provider.name !== name || provider.instance !== instance || (trust && provider.trust !== trust)) return undefined;
    return { provider, sessionIds: entry.sessionIds() };
  }

  /** A token works once. */
  use(token: string): void {
    const key = digest(token);
    this.#entries.get(key)?.timer?.dispose();
    this.#entries.delete(key);
  }

  #forget(providerId: string): void {
    for (const [key, entry] of this.#entries) {
      if (entry.provider.id !== providerId) continue;
      entry.timer?.dispose();
      this.#entries.delete(key);
    }
  }
}

const digest = (token: string) => createHash('sha256').update(token).digest('hex');

/** Pairing of peers without a token. The code reaches them through the user alone. */
import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import { Limit, Time } from '../../tap/wire/limits.ts';
import type { OwnerEvents } from '../../tap/wire/owner/ownerMessages.ts';
import { OPAQUE, siteOf } from './site.ts';

type Outcome = OwnerEvents['pairing/ended']['outcome'];
export type PairingAnnouncement = OwnerEvents['pairing/started'];

export interface Pairing {
  readonly id: string;
  readonly origin: string | undefined;
  readonly code: string;
  readonly expiresAt: number;
  triesLeft: number;
  /** Called when the pairing ends without success. Undefined while the peer is disconnected; it may come again. */
  failed: ((why: Outcome) => void) | undefined;
  readonly timer: Disposable;
}

interface Request {
  at: number;
  /** Undefined for a program. */
  site: string | undefined;
}

export interface PairingsOptions {
  clock: Clock;
  started(pairing: PairingAnnouncement): void;
  ended(pairingId: string, outcome: Outcome): void;
}

export class Pairings {
  readonly #pending = new Map<string, Pairing>();
  /** Requests of the last minute. */
  #requests: Request[] = [];

  constructor(private readonly options: PairingsOptions) {}

  /** A new request from the same origin gets the same code, with the tries that are left. Throws RATE_LIMITED. */
  request(origin: string | undefined, failed: Pairing['failed']): Pairing {
    const { clock } = this.options;
    const left = [...this.#pending.values()].findLast((pairing) => pairing.origin === origin && !pairing.failed);
    if (left) {
      left.failed = failed;
      return left;
    }
    this.#count(origin === undefined ? undefined : siteOf(origin));
    const id = randomUUID();
    const pairing: Pairing = {
      id,
      origin,
      code: String(randomInt(1_000_000)).padStart(6, '0'),
      expiresAt: clock.now() + Time.pairingMs,
      triesLeft: Limit.pairingTries,
      failed,
      timer: clock.setTimer(() => this.#end(pairing, 'expired'), Time.pairingMs),
    };
    this.#pending.set(id, pairing);
    this.options.started(this.#announce(pairing));
    return pairing;
  }

  /** `wrong`: the peer may try again. `failed`: the pairing has ended and its peer was told. */
  confirm(pairing: Pairing, code: string): 'paired' | 'wrong' | 'failed' {
    if (!this.#pending.has(pairing.id)) return 'failed';
    const given = Buffer.from(code.trim().padEnd(6).slice(0, 64));
    const expected = Buffer.from(pairing.code);
    if (given.length === expected.length && timingSafeEqual(given, expected)) {
      this.#remove(pairing, 'paired');
      return 'paired';
    }
    if (--pairing.triesLeft > 0) return 'wrong';
    this.#end(pairing, 'failed');
    return 'failed';
  }

  /** Called when the user denies the pairing. */
  deny(id: string): boolean {
    const pairing = this.#pending.get(id);
    if (pairing) this.#end(pairing, 'denied');
    return pairing !== undefined;
  }

  /**
   * Called when the peer has disconnected. The code stays valid until it expires, because a page may be loaded again, or come back after a
   * wrong code.
   */
  abandon(pairing: Pairing): void {
    pairing.failed = undefined;
  }

  /** For an owner that connects while codes are pending. */
  announcements(): PairingAnnouncement[] {
    return [...this.#pending.values()].map((pairing) => this.#announce(pairing));
  }

  #announce({ id, code, origin, expiresAt }: Pairing): PairingAnnouncement {
    return { pairingId: id, code, origin, expiresInMs: expiresAt - this.options.clock.now() };
  }

  /** The limit holds for the whole gateway, but neither programs, nor pages, nor one site can use it up. */
  #count(site: string | undefined): void {
    const now = this.options.clock.now();
    this.#requests = this.#requests.filter(({ at }) => at > now - 60_000);
    const ofKind = this.#requests.filter((request) => (request.site === undefined) === (site === undefined));
    const ofSite = ofKind.filter((request) => site !== undefined && request.site === site);
    const isTooMany =
      this.#requests.length >= Limit.pairingsPerMinute ||
      ofKind.length >= Limit.pairingsOfKindPerMinute ||
      ofSite.length >= (site === OPAQUE ? 1 : Limit.pairingsOfSitePerMinute);
    if (isTooMany) throw new ProviderError(ErrorCode.RateLimited, 'too many pairing requests; try again in a minute');
    this.#requests.push({ at: now, site });
  }

  #end(pairing: Pairing, outcome: Outcome): void {
    if (this.#remove(pairing, outcome)) pairing.failed?.(outcome);
  }

  #remove(pairing: Pairing, outcome: Outcome): boolean {
    if (!this.#pending.delete(pairing.id)) return false;
    pairing.timer.dispose();
    this.options.ended(pairing.id, outcome);
    return true;
  }
}

/** Pairing of peers that have no token: a code that travels through the user alone. */
import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ProviderError } from '../../tap/wire/errorCodes.ts';
import { Limit, Time } from '../../tap/wire/limits.ts';
import type { OwnerEvents } from '../../tap/wire/ownerMessages.ts';
import { OPAQUE, siteOf } from '../connections/site.ts';

type Outcome = OwnerEvents['pairing/ended']['outcome'];
export type PairingAnnouncement = OwnerEvents['pairing/started'];

export interface Pairing {
  readonly id: string;
  readonly origin: string | undefined;
  readonly code: string;
  readonly expiresAt: number;
  triesLeft: number;
  /** Called when it ends without success. Undefined: its peer has gone, and may come again. */
  failed: ((why: Outcome) => void) | undefined;
  readonly timer: Disposable;
}

interface Request {
  at: number;
  /** Undefined: of a program. */
  site: string | undefined;
}

export interface PairingsOptions {
  clock: Clock;
  started(pairing: PairingAnnouncement): void;
  ended(pairingId: string, outcome: Outcome): void;
}

export class Pairings {
  readonly #pending = new Map<string, Pairing>();
  /** Of the last minute. */
  #requests: Request[] = [];

  constructor(private readonly options: PairingsOptions) {}

  /** Whoever asks again from the same origin has the same code, with the tries that are left. Throws RATE_LIMITED. */
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

  /** `wrong`: it may be tried again. After `failed` the pairing is over and its peer has been told. */
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

  /** By the user. */
  deny(id: string): boolean {
    const pairing = this.#pending.get(id);
    if (pairing) this.#end(pairing, 'denied');
    return pairing !== undefined;
  }

  /** The peer has gone. The code is good for as long as it was to be: a page may be loaded again, or come back after a wrong one. */
  abandon(pairing: Pairing): void {
    pairing.failed = undefined;
  }

  /** For an owner that attaches while codes are pending. */
  announcements(): PairingAnnouncement[] {
    return [...this.#pending.values()].map((pairing) => this.#announce(pairing));
  }

  #announce({ id, code, origin, expiresAt }: Pairing): PairingAnnouncement {
    return { pairingId: id, code, origin, expiresInMs: expiresAt - this.options.clock.now() };
  }

  /** The rate is that of the whole gateway, but neither programs nor pages nor one site can use it up. */
  #count(site: string | undefined): void {
    const now = this.options.clock.now();
    this.#requests = this.#requests.filter(({ at }) => at > now - 60_000);
    const ofKind = this.#requests.filter((request) => (request.site === undefined) === (site === undefined));
    const ofSite = ofKind.filter((request) => site !== undefined && request.site === site);
    const isTooMany =
      this.#requests.length >= Limit.pairingsPerMinute ||
      ofKind.length >= Limit.pairingsOfKindPerMinute ||
      ofSite.length >= (site === OPAQUE ? 1 : Limit.pairingsOfSitePerMinute);
    if (isTooMany) throw new ProviderError('RATE_LIMITED', 'too many pairing requests; try again in a minute');
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

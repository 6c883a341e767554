/** Pairing of peers that have no token: a code that travels through the user alone. */
import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { ProviderError } from '../tap/errorCodes.ts';
import { Limit, Time } from '../tap/limits.ts';
import type { OwnerEvents } from '../tap/ownerMessages.ts';
import { Rate } from './rate.ts';

type Outcome = OwnerEvents['pairing/ended']['outcome'];
export type PairingAnnouncement = OwnerEvents['pairing/started'];

export interface Pairing {
  readonly id: string;
  readonly origin: string | undefined;
  readonly code: string;
  readonly expiresAt: number;
  triesLeft: number;
  /** Called when it ends without success. */
  readonly failed: (why: Outcome) => void;
  readonly timer: Disposable;
}

export interface PairingsOptions {
  clock: Clock;
  started(pairing: PairingAnnouncement): void;
  ended(pairingId: string, outcome: Outcome): void;
}

export class Pairings {
  readonly #pending = new Map<string, Pairing>();
  readonly #requests = new Rate(Limit.pairingsPerMinute, 60_000);

  constructor(private readonly options: PairingsOptions) {}

  /** Throws RATE_LIMITED: the rate is that of the whole gateway. */
  request(origin: string | undefined, failed: Pairing['failed']): Pairing {
    const { clock } = this.options;
    if (!this.#requests.take(clock.now()))
      throw new ProviderError('RATE_LIMITED', `at most ${Limit.pairingsPerMinute} pairing requests a minute`);
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

  /** `wrong`: it may be tried again. After `failed` the pairing is over and its `failed` has been called. */
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

  /** The peer has gone. */
  abandon(pairing: Pairing): void {
    this.#remove(pairing, 'gone');
  }

  /** For an owner that attaches while codes are pending. */
  announcements(): PairingAnnouncement[] {
    return [...this.#pending.values()].map((pairing) => this.#announce(pairing));
  }

  #announce({ id, code, origin, expiresAt }: Pairing): PairingAnnouncement {
    return { pairingId: id, code, origin, expiresInMs: expiresAt - this.options.clock.now() };
  }

  #end(pairing: Pairing, outcome: Outcome): void {
    if (this.#remove(pairing, outcome)) pairing.failed(outcome);
  }

  #remove(pairing: Pairing, outcome: Outcome): boolean {
    if (!this.#pending.delete(pairing.id)) return false;
    pairing.timer.dispose();
    this.options.ended(pairing.id, outcome);
    return true;
  }
}

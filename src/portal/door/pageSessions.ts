/**
 * The sessions of pages that were opened with the token. Whoever has such a session can use this run of the portal for a while, and nothing after it.
 * Nothing is kept of each, so nobody can fill a table: the portal knows its own HMAC again.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { dropOldest } from '../../base/dropOldest.ts';
import { isSame } from '../../base/server/challenge.ts';
import { claimText, proofText, sessionPattern } from '../../views/portal/wire/pageSessionWire.ts';

/** A page asks for the next one in time, and after a refusal. */
export const SESSION_MS = 60 * 60_000;
/** Until the page that was opened asks for its key. */
export const OPENING_MS = 60_000;
/** Each needs the token. */
const MAX_OPENINGS = 32;
const MAX_HOSTS = 32;

export class PageSessions {
  readonly #token: string;
  readonly #clock: Clock;
  readonly #run = made();
  /** Codes that are good for a key, and until when. */
  readonly #openings = new Map<string, number>();
  /** Where pages were opened in this run, beside the portal's own address: a connection may be forwarded. */
  readonly #hosts = new Set<string>();

  constructor(token: string, clock: Clock) {
    this.#token = token;
    this.#clock = clock;
  }

  /** For the address of a page whose browser has shown the token. */
  offer(): string {
    const code = made();
    dropOldest(this.#openings, MAX_OPENINGS - 1);
    this.#openings.set(code, this.#clock.now() + OPENING_MS);
    return code;
  }

  /** The key of pages at that host, in base64url. Undefined: the code is none, was used, or is too old. */
  keyFor(code: string, host: string): string | undefined {
    const until = this.#openings.get(code);
    this.#openings.delete(code);
    if (until === undefined || this.#clock.now() > until) return undefined;
    dropOldest(this.#hosts, MAX_HOSTS - 1);
    this.#hosts.add(host);
    return this.#keyOf(host).toString('base64url');
  }

  /** For a page at that host. `own`: the host of the portal itself. Undefined: no page was opened there. */
  answer(nonce: string, host: string, own: string) {
    if (!this.#knows(host, own)) return undefined;
    const said = { run: this.#run, until: this.#clock.now() + SESSION_MS };
    return { ...said, proof: this.#hmac(host, proofText({ nonce, ...said })) };
  }

  isSession(given: string, host: string, own: string): boolean {
    const [, nonce, until, claim] = sessionPattern.exec(given) ?? [];
    if (nonce === undefined || claim === undefined || !this.#knows(host, own)) return false;
    const ends = Number(until);
    const expected = this.#hmac(host, claimText({ nonce, run: this.#run, until: ends }));
    return isSame(claim, expected) && this.#clock.now() <= ends;
  }

  /**
   * A program that has got the address of last time, and passes on what a page there says, is told nothing: the portal has another address now, and each
   * address has a key of its own.
   */
  #knows(host: string, own: string): boolean {
    return host === own || this.#hosts.has(host);
  }

  #hmac(host: string, text: string): string {
    return createHmac('sha256', this.#keyOf(host)).update(text).digest('base64url');
  }

  /** It is made of the token, so pages live over a restart, and not over a new token. */
  #keyOf(host: string): Buffer {
    return createHmac('sha256', this.#token).update(`key of pages at ${host}`).digest();
  }
}

const made = () => randomBytes(32).toString('base64url');

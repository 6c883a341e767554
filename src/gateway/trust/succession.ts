/**
 * What the user has let in stays when a gateway was killed and is there again: programs and pages keep the token that they started with. A session
 * owner, which has proved the secret of this gateway, passes it on. It is taken once, soon after the start, and only with the token that the
 * gateway before this one had on the same port.
 */
import { keyOf } from '../../base/server/challenge.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { Time } from '../../tap/wire/limits.ts';
import type { TrustRecord } from '../../tap/wire/owner/ownerMessages.ts';
import { isPairedToken } from './tokenGrants.ts';
import type { TokenHistory } from './tokenHistory.ts';

export interface SuccessionOptions {
  readonly clock: Clock;
  readonly history: TokenHistory;
  /** Where this gateway listens. */
  readonly port: number | undefined;
  take(record: TrustRecord): void;
}

export class Succession implements Disposable {
  /** The token of the gateway before this one, as a hash. Undefined: nothing is taken, or not any more. */
  #expected: string | undefined;
  readonly #timer: Disposable | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly options: SuccessionOptions) {
    const { clock, history, port } = options;
    const { last } = history;
    if (!last || last.port !== port) return;
    this.#expected = last.digest;
    this.#timer = clock.setTimer(() => this.#settle(), Time.passOnMs);
  }

  /** An owner that was connected to the gateway before this one passes on what that has told it. */
  passOn(record: TrustRecord): void {
    if (keyOf(record.token) !== this.#expected) return;
    this.options.take(record);
    this.#settle();
  }

  /**
   * For a token that may be valid in a moment; undefined for any other. `settled` is called when that is decided: to many programs a refusal is the
   * end.
   */
  awaits(token: string, settled: () => void): Disposable | undefined {
    if (this.#expected === undefined || !(isPairedToken(token) || this.options.history.find(keyOf(token)))) return undefined;
    this.#waiting.add(settled);
    return toDisposable(() => this.#waiting.delete(settled));
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #settle(): void {
    this.#expected = undefined;
    this.#timer?.dispose();
    for (const settled of this.#waiting) settled();
    this.#waiting.clear();
  }
}

/**
 * How much a peer may have compiled, patterns and schemas alike. What something takes is told from its text, and paid for before any of it is
 * compiled. One unit is a state of a pattern: some ten microseconds.
 */
import { ProviderError } from '../../tap/wire/errorCodes.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { Bucket } from './bucket.ts';
import { type Grant, isShared } from '../trust/grants.ts';
import type { ProviderLink } from '../sessions/providerLink.ts';

export class CompileBudget {
  readonly #bucket = new Bucket(Limit.compileWork, Limit.compileWorkPerSecond);

  constructor(private readonly now: () => number) {}

  /** Throws a {@link ProviderError} when that is too much, for now or for good; then nothing is taken. */
  spend(work: number): void {
    if (work > Limit.compileWork) {
      throw new ProviderError(
        'PAYLOAD_TOO_LARGE',
        `the patterns and schemas of one message may take ${Limit.compileWork} units of work to compile, and these take more`,
      );
    }
    const missing = work - this.#bucket.levelAt(this.now());
    if (missing > 0) {
      const seconds = Math.ceil(missing / Limit.compileWorkPerSecond);
      throw new ProviderError('RATE_LIMITED', `too many patterns and schemas to compile; try again in ${seconds} s`);
    }
    this.#bucket.take(work);
  }
}

/** One for each peer: whoever holds a token of its own does not get another by connecting again. */
export class CompileBudgets {
  readonly #budgets = new WeakMap<object, CompileBudget>();

  constructor(private readonly now: () => number) {}

  of({ grant, link }: { grant: Grant; link: ProviderLink }): CompileBudget {
    const peer = isShared(grant) ? link : grant;
    const budget = this.#budgets.get(peer) ?? new CompileBudget(this.now);
    this.#budgets.set(peer, budget);
    return budget;
  }
}

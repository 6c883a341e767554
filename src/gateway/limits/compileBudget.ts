/**
 * Limits how much a peer may have compiled: patterns and schemas. The cost is estimated from the text and paid before anything is compiled.
 * One unit is a state of a pattern, about ten microseconds.
 */
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { Bucket } from './bucket.ts';

export class CompileBudget {
  readonly #bucket = new Bucket(Limit.compileWork, Limit.compileWorkPerSecond);

  constructor(private readonly now: () => number) {}

  /** Throws a {@link ProviderError} when `work` is too much for now or for good. Then nothing is taken. */
  spend(work: number): void {
    if (work > Limit.compileWork) {
      throw new ProviderError(
        ErrorCode.PayloadTooLarge,
        `the patterns and schemas of one message may take ${Limit.compileWork} units of work to compile, and these take more`,
      );
    }
    const missing = work - this.#bucket.levelAt(this.now());
    if (missing > 0) {
      const seconds = Math.ceil(missing / Limit.compileWorkPerSecond);
      throw new ProviderError(ErrorCode.RateLimited, `too many patterns and schemas to compile; try again in ${seconds} s`);
    }
    this.#bucket.take(work);
  }
}

/** One budget for each object that has patterns or schemas compiled. */
export class CompileBudgets {
  readonly #budgets = new WeakMap<object, CompileBudget>();

  constructor(private readonly now: () => number) {}

  of(whose: object): CompileBudget {
    const budget = this.#budgets.get(whose) ?? new CompileBudget(this.now);
    this.#budgets.set(whose, budget);
    return budget;
  }
}

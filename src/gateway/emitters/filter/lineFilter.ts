/** What becomes of each line of an emitter. */
import { ErrorCode, ProviderError } from '../../../tap/wire/errorCodes.ts';
import type { EventFilter } from '../../../tap/wire/emitters/emitterSpec.ts';
import { Limit } from '../../../tap/wire/limits.ts';
import type { CompileBudget } from '../../limits/compileBudget.ts';
import { Filter, type Outcome } from '../../streams/filters.ts';

/** Of one line. An emitter may print thousands a second. */
const TIME = { matchMs: 1, cheap: 50_000 };

export class LineFilter {
  readonly #filter: Filter;

  /** Throws a {@link ProviderError} that names the rule whose pattern is wrong, or when all of them cost too much. */
  constructor(
    readonly rules: EventFilter,
    budget: CompileBudget,
  ) {
    this.#filter = new Filter(rules, budget, { field: 'eventFilter', time: TIME });
    if (this.#filter.size > Limit.emitterFilterStates)
      throw new ProviderError(
        ErrorCode.PayloadTooLarge,
        `eventFilter: its patterns together have ${this.#filter.size} states, at most ${Limit.emitterFilterStates}`,
      );
  }

  /** That of the first rule that matches in time. */
  outcomeOf(line: string): Outcome {
    return this.#filter.outcomeOf(line) ?? 'keep';
  }

  /** The place of that rule. */
  ruleOf(line: string): number | undefined {
    return this.#filter.ruleOf(line);
  }
}
